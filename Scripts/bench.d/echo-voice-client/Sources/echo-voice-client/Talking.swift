// SPDX-License-Identifier: MIT

import Echo
import Foundation

/// One conversation, turn by turn: `talk BASE JOURNAL TURNS PERIODS SILENCE GAP …`. The user speaks for so many periods; so many
/// milliseconds of silence end a turn; so many periods lie between an answer's end and the next turn. With `interrupt` as the
/// last word they lie between its beginning and the next turn, one more each time.
struct Talking {
    var base: String
    var turns: Int
    var periods: Int
    var silence: Int
    var gap: Int
    var interrupts: Bool
    let journal = Journal()

    /// How long anything may take.
    static let patience = Duration.seconds(10)

    func run() async throws {
        let device = TimedDevice(journal)
        let echo = Echo(key: "bench", configuration: Self.configuration(base, device))
        let events = echo.events(buffering: 100_000)
        let conversation = try await echo.startConversation(
            mode: .audio, turnMode: .automatic(VADConfiguration(silenceDuration: .milliseconds(silence))))
        var waiting = events.makeAsyncIterator()
        // The first turn finds code and memory warm; it is left out of the figures.
        try await turn(0, device, &waiting)
        let start = Journal.Use()
        journal.note("begin")
        for number in 0..<turns { try await turn(number, device, &waiting) }
        journal.end(since: start)
        let answers = await conversation.allMessages.count { $0.role == .assistant }
        await conversation.close()
        await echo.close()
        guard answers >= turns else { throw Failure("\(answers) answers to \(turns + 1) turns") }
        guard events.droppedEvents == 0 else { throw Failure("events were lost") }
    }

    private func turn(
        _ number: Int, _ device: TimedDevice, _ events: inout AsyncStream<ConversationEvent>.Iterator
    ) async throws {
        journal.note("turn")
        device.say(periods: periods)
        try await Self.next(.assistantStartedSpeaking, &events)
        if !interrupts { try await Self.next(.assistantStoppedSpeaking, &events) }
        try await Task.sleep(for: .milliseconds(20 * (interrupts ? gap + number : gap)))
    }

    /// Returns with the next event of that type. An error is none that a benchmark can go on after.
    static func next(_ type: EventType, _ events: inout AsyncStream<ConversationEvent>.Iterator) async throws {
        // Ends the process, since an iterator that waits for an event cannot be left.
        let alarm = Task {
            try await Task.sleep(for: patience)
            FileHandle.standardError.write(Data("echo-voice-client: no event \(type) within \(patience)\n".utf8))
            exit(1)
        }
        defer { alarm.cancel() }
        while let event = await events.next() {
            if let error = event.error { throw Failure("\(error)") }
            if event.type == type { return }
        }
        throw Failure("the events ended before \(type)")
    }

    static func configuration(_ base: String, _ device: any VoiceDevice) -> EchoConfiguration {
        var configuration = EchoConfiguration()
        configuration.endpoint = EchoEndpoint(baseURL: base)
        configuration.voice.device = device
        return configuration
    }
}

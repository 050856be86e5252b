// SPDX-License-Identifier: MIT

import Echo

/// From text to voice, where the user speaks, and back: `switch BASE JOURNAL ROUNDS`. In every other round the change back
/// comes while the answer is being heard.
struct Switching {
    var base: String
    var rounds: Int
    let journal = Journal()

    func run() async throws {
        let device = TimedDevice(journal)
        let echo = Echo(key: "bench", configuration: Talking.configuration(base, device))
        let conversation = try await echo.startConversation(
            mode: .text, turnMode: .automatic(VADConfiguration(silenceDuration: .milliseconds(60))),
            history: Self.history)
        for round in 0..<rounds {
            try await conversation.send("What is the capital of Arkansas?")
            try await change(conversation, to: .audio)
            // Answers in text have these events, too.
            var events = echo.events.makeAsyncIterator()
            device.say(periods: 5)
            try await Talking.next(.assistantStartedSpeaking, &events)
            if round % 2 == 0 {
                try await Talking.next(.assistantStoppedSpeaking, &events)
            } else {
                // Some words of it are heard.
                try await Task.sleep(for: .milliseconds(600))
            }
            try await change(conversation, to: .text)
        }
        let messages = await conversation.allMessages
        await conversation.close()
        await echo.close()
        let wanted = Self.history.count + 4 * rounds
        guard messages.count == wanted else { throw Failure("\(messages.count) messages instead of \(wanted)") }
    }

    private func change(_ conversation: Conversation, to mode: EchoMode) async throws {
        let before = await conversation.history.compactMap(\.id)
        let start = Journal.now
        try await conversation.switchMode(to: mode)
        let time = Journal.now - start
        journal.note(mode == .audio ? "voice" : "text", [("took", Int(time)), ("items", before.count)])
        let after = await conversation.history.compactMap(\.id)
        guard after.starts(with: before) else { throw Failure("the change to \(mode) lost something that was said") }
    }

    /// Ten questions and answers.
    private static var history: [ResponseItem] {
        (0..<20).map { number in
            .message(
                MessageItem(
                    role: number % 2 == 0 ? .user : .assistant,
                    text: "Sentence number \(number) of what was said before."))
        }
    }
}

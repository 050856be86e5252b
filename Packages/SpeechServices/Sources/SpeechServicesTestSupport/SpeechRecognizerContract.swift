// SPDX-License-Identifier: MIT

public import AudioBuffers
public import SpeechEngines
import SpeechServices
import TestKit

/// The promises of every `SpeechRecognizer`.
public enum SpeechRecognizerContract {
    /// A recogniser with its service. A scripted service hears ``Utterance/lightOn`` in everything that it is sent.
    public typealias Subject = EngineSubject<any SpeechRecognizer>

    /// The utterance that a suite says: an engine of this machine must understand it, a scripted service need not.
    public struct Utterance: Sendable {
        /// The words that scripted services answer.
        public static let lightOn = "turn on the light"

        /// 16 kHz mono.
        public let sound: AudioBuffer
        /// The words in it, without marks and capitals.
        public let words: String

        /// An utterance.
        public init(_ sound: AudioBuffer, words: String = lightOn) { (self.sound, self.words) = (sound, words) }
    }

    /// The checks with one utterance, one promise each.
    public static func checks(_ utterance: Utterance) -> [SpeechContractCheck<Subject>] {
        [
            .init("the words are one final event, the last") { subject in
                try await subject.start(nil, ManualClock()) { engine in
                    let events = try await hear(utterance.sound, by: engine)
                    guard case .final(let words) = events.last else { throw BrokenContract(description: "\(events)") }
                    try require(plain(words.text) == utterance.words, "heard “\(words.text)”")
                    for event in events.dropLast() {
                        guard case .partial(let text) = event, !text.isEmpty else {
                            throw BrokenContract(description: "\(event) before the end")
                        }
                    }
                    try require((0...1).contains(words.confidence ?? 1), "\(words)")
                }
            },
            .init("an utterance without a sample has no words") { subject in
                try await subject.start(nil, ManualClock()) { engine in
                    let events = try await hear(nil, by: engine)
                    guard case .final(let words) = events.last, events.count == 1, words.text.isEmpty else {
                        throw BrokenContract(description: "\(events)")
                    }
                }
            },
            .init("another format is refused") { subject in
                try await subject.start(nil, ManualClock()) { engine in
                    let wrong = AudioBuffer(silentFrames: 800, format: AudioFormat(sampleRate: 8_000, channels: 2))
                    do {
                        let events = try await hear(wrong, by: engine)
                        throw BrokenContract(description: "no error, but \(events)")
                    } catch let error as BrokenContract { throw error } catch {
                        try require(!(error is CancellationError), "cancelled instead of refused")
                    }
                }
            },
            .init("utterances are heard at the same time") { subject in
                try await subject.start(nil, ManualClock()) { engine in
                    try await withThrowingTaskGroup(of: RecognitionEvent?.self) { group in
                        for _ in 0..<3 { group.addTask { try await hear(utterance.sound, by: engine).last } }
                        for try await event in group {
                            guard case .final(let words) = event, plain(words.text) == utterance.words else {
                                throw BrokenContract(description: "\(event as Any)")
                            }
                        }
                    }
                }
            },
            .init("a consumer that stops ends the recognition") { subject in
                try await subject.start(nil, ManualClock()) { engine in
                    let (sound, feed) = AsyncStream<AudioBuffer>.makeStream()
                    feed.yield(utterance.sound)
                    let task = Task { for try await _ in engine.recognize(sound) {} }
                    task.cancel()
                    do { try await task.value } catch is CancellationError {}
                    try require(try await !hear(utterance.sound, by: engine).isEmpty, "deaf after a cancellation")
                }
            },
            .init("each fault of the service is an error with advice") { subject in
                for fault in SpeechServiceFault.allCases where subject.faults.contains(fault) {
                    let clock = ManualClock()
                    try await subject.start(fault, clock) { engine in
                        let failure = try await requireFailure(
                            fault.recognitionCode, clock: clock, isStalled: fault == .stall
                        ) { _ = try await hear(utterance.sound, by: engine) }
                        if fault == .tooManyRequests { try require(failure.retryAfter == .seconds(7), "\(failure)") }
                    }
                }
            },
        ]
    }

    private static func plain(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0 == " " }
    }

    private static func hear(_ sound: AudioBuffer?, by engine: any SpeechRecognizer) async throws -> [RecognitionEvent]
    {
        let (stream, feed) = AsyncStream<AudioBuffer>.makeStream()
        if let sound {
            for start in stride(from: 0, to: sound.frameCount, by: 320) {
                feed.yield(sound.frames(start..<start + 320))
            }
        }
        feed.finish()
        var events: [RecognitionEvent] = []
        for try await event in engine.recognize(stream) { events.append(event) }
        return events
    }
}

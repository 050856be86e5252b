// SPDX-License-Identifier: MIT

import AudioBuffers
import Concurrency
import FoundationEssentials
import Networking
import SpeechEngines
import SpeechServices
import TestKit

/// An engine that says one frame for each character, and does what a script says for a text.
final class ScriptedSynthesizer: SpeechSynthesizer {
    enum Step: Sendable {
        case say
        case fail(SpeechServiceError)
        /// Says nothing, for ever.
        case stall
        case sayHalf(SpeechServiceError)
        /// Says nothing, and is done.
        case sayNothing
    }

    let format: AudioFormat
    private let step: @Sendable (_ text: String) -> Step
    private let log = Monitor<[String]>([])

    init(_ format: AudioFormat = .speech, _ step: @escaping @Sendable (String) -> Step = { _ in .say }) {
        self.format = format
        self.step = step
    }

    /// The texts whose synthesis has started.
    var texts: [String] { log.withLock { $0 } }

    func waitForTexts(_ count: Int) async throws { try await log.wait { $0.count >= count } }

    func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        log.withLock { $0.append(text) }
        let (stream, feed) = AsyncThrowingStream<AudioBuffer, any Error>.makeStream()
        let half = AudioBuffer(samples: [Float](repeating: 0.5, count: text.count * format.channels), format: format)
        switch step(text) {
        case .say:
            feed.yield(half)
            feed.yield(half)
            feed.finish()
        case .fail(let error): feed.finish(throwing: error)
        case .stall: break
        case .sayHalf(let error):
            feed.yield(half)
            feed.finish(throwing: error)
        case .sayNothing: feed.finish()
        }
        return stream
    }
}

/// An engine that hears the number of frames, or does what a script says.
final class ScriptedRecognizer: SpeechRecognizer {
    enum Step: Sendable {
        case hear
        case fail(SpeechServiceError)
        case stall
        /// Hears a word, for ever.
        case babble
    }

    let format = AudioFormat.speech
    private let name: String
    private let step: @Sendable () -> Step

    init(_ name: String, _ step: @escaping @Sendable () -> Step = { .hear }) {
        self.name = name
        self.step = step
    }

    func recognize(_ sound: AsyncStream<AudioBuffer>) -> AsyncThrowingStream<RecognitionEvent, any Error> {
        let step = step()
        if case .babble = step { return AsyncThrowingStream { .partial("and") } }
        let (stream, feed) = AsyncThrowingStream<RecognitionEvent, any Error>.makeStream()
        let task = Task { [name] in
            var frames = 0
            if case .fail(let error) = step { return feed.finish(throwing: error) }
            for await buffer in sound { frames += buffer.frameCount }
            guard case .hear = step else { return await untilCancelled() }
            feed.yield(.final(Transcription("\(name) \(frames)")))
            feed.finish()
        }
        feed.onTermination = { _ in task.cancel() }
        return stream
    }
}

/// A server's stream of bytes that a test writes, and its connector.
final class ScriptedStream: ByteStream, ByteStreamConnector {
    private let (incoming, feed) = AsyncStream<[UInt8]>.makeStream()
    private let reads = Monitor(0)

    /// The server sends a frame.
    func send(_ frame: WyomingFrame) throws { feed.yield(try frame.bytes()) }

    /// Waits until the client has begun to read for the `count`th time.
    func waitForReads(_ count: Int) async throws { try await reads.wait { $0 >= count } }

    func connect(to url: URL) async throws -> any ByteStream { self }

    func read() async throws -> [UInt8] {
        reads.withLock { $0 += 1 }
        var iterator = incoming.makeAsyncIterator()
        return await iterator.next() ?? []
    }

    func write(_ bytes: [UInt8]) async throws {}

    func close() { feed.finish() }
}

// SPDX-License-Identifier: MIT

public import AudioBuffers
import Concurrency
public import SpeechEngines

/// Synthesises sentences one ahead: while one is consumed, the next is made, and not more, since the rest may never be
/// heard.
///
/// A playback that asks for a buffer when it has room gets the next sentence's first one without a gap, as long as a
/// sentence takes less time to make than the one before takes to play.
public struct SentencePipeline: Sendable {
    /// A piece of the sound of one sentence.
    public struct Piece: Sendable {
        /// The sentence.
        public let sentence: SentenceBuffer.Sentence
        /// The next part of its sound.
        public let sound: AudioBuffer
    }

    private let synthesizer: any SpeechSynthesizer

    /// A pipeline over an engine.
    public init(_ synthesizer: any SpeechSynthesizer) { self.synthesizer = synthesizer }

    /// The format of every piece.
    public var format: AudioFormat { synthesizer.format }

    /// The sound of sentences, in their order. A consumer that stops ends the synthesis.
    public func speech(of sentences: AsyncStream<SentenceBuffer.Sentence>) -> Speech {
        Speech(synthesizer: synthesizer, sentences: sentences)
    }

    /// The pieces of a text. For one iteration.
    public struct Speech: AsyncSequence, Sendable {
        /// A piece.
        public typealias Element = Piece

        let synthesizer: any SpeechSynthesizer
        let sentences: AsyncStream<SentenceBuffer.Sentence>

        /// Starts to make the first two sentences.
        public func makeAsyncIterator() -> Iterator { Iterator(SentenceQueue(synthesizer, sentences)) }
    }

    /// Reads pieces.
    public struct Iterator: AsyncIteratorProtocol {
        private let queue: SentenceQueue
        private var current: (sentence: SentenceBuffer.Sentence, sound: AsyncThrowingStream<AudioBuffer, any Error>)?

        fileprivate init(_ queue: SentenceQueue) { self.queue = queue }

        /// The next piece; nil at the end.
        ///
        /// - Throws: The engine's error, `CancellationError`.
        public mutating func next() async throws -> Piece? {
            while true {
                if let (sentence, sound) = current {
                    var buffers = sound.makeAsyncIterator()
                    if let buffer = try await buffers.next() { return Piece(sentence: sentence, sound: buffer) }
                    try Task.checkCancellation()
                    current = nil
                    queue.hasFinishedOne()
                }
                guard let made = try await queue.next() else { return nil }
                current = made
            }
        }
    }
}

/// The sentences whose synthesis has started: at most the one that is consumed and the next.
private final class SentenceQueue: Sendable {
    typealias Made = (sentence: SentenceBuffer.Sentence, sound: AsyncThrowingStream<AudioBuffer, any Error>)

    private let made: AsyncStream<Made>
    private let started = Monitor(0)
    private let task: Task<Void, Never>

    init(_ synthesizer: any SpeechSynthesizer, _ sentences: AsyncStream<SentenceBuffer.Sentence>) {
        let (made, continuation) = AsyncStream<Made>.makeStream()
        self.made = made
        task = Task { [started] in
            for await sentence in sentences {
                guard (try? await started.wait(until: { $0 < 2 })) != nil else { break }
                started.withLock { $0 += 1 }
                continuation.yield((sentence, synthesizer.synthesize(sentence.text)))
            }
            continuation.finish()
        }
    }

    deinit { stop() }

    func stop() { task.cancel() }

    func next() async throws -> Made? {
        var iterator = made.makeAsyncIterator()
        let next = await iterator.next()
        try Task.checkCancellation()
        return next
    }

    func hasFinishedOne() { started.withLock { $0 -= 1 } }
}

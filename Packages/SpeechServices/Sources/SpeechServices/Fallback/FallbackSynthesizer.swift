// SPDX-License-Identifier: MIT

public import AudioBuffers
import Concurrency
public import SpeechEngines

/// Speaks by a service, and by the local engine while the service fails.
///
/// A sentence that fails in its middle is spoken again from its beginning: a beginning heard twice is better than an end
/// never heard. The local engine's sound has the service's format, so that a playback goes on.
public struct FallbackSynthesizer: SpeechSynthesizer {
    private let primary: any SpeechSynthesizer
    private let local: any SpeechSynthesizer
    private let configuration: FallbackConfiguration
    private let clock: any Clock<Duration>
    private let engines: FallbackSwitch

    /// A pair of engines.
    ///
    /// - Parameters:
    ///   - primary: The chosen one.
    ///   - local: The one on this machine.
    ///   - configuration: The behaviour.
    ///   - clock: The clock of the patience and of the waits.
    ///   - chance: Random numbers from 0 to 1 for the waits.
    public init(
        _ primary: any SpeechSynthesizer, local: any SpeechSynthesizer, configuration: FallbackConfiguration,
        clock: any Clock<Duration> = ContinuousClock(),
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.primary = primary
        self.local = local
        self.configuration = configuration
        self.clock = clock
        engines = FallbackSwitch(
            backoff: configuration.backoff, clock: clock, chance: chance, onEvent: configuration.onEvent)
    }

    /// The chosen engine's format.
    public var format: AudioFormat { primary.format }

    /// See `SpeechSynthesizer`: sentence by sentence, each by the engine that works then.
    ///
    /// - Throws: The local engine's error.
    public func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        .filled { [self] continuation in
            for sentence in SentenceSplitter.sentences(of: text) {
                if engines.choose() == .primary, try await speakByPrimary(sentence, continuation) { continue }
                try await speakLocally(sentence, continuation)
            }
        }
    }

    /// - Returns: False if the service failed.
    private func speakByPrimary(
        _ sentence: String, _ continuation: AsyncThrowingStream<AudioBuffer, any Error>.Continuation
    ) async throws -> Bool {
        let isKept = Guarded(false)
        do {
            let frames = try await CacheHit.$note.withValue({ isKept.withLock { $0 = true } }) {
                try await passOn(sentence, continuation)
            }
            try Task.checkCancellation()
            if frames == 0 { throw SpeechServiceError.silent("The speech service") }
            // A kept sound proves nothing: the next sentence tries the service.
            if isKept.withLock({ $0 }) { engines.abandoned() } else { engines.succeeded() }
            return true
        } catch {
            guard !Task.isCancelled else {
                engines.abandoned()
                throw CancellationError()
            }
            engines.failed(Self.told(error))
            return false
        }
    }

    /// Passes the service's sound on; returns its number of frames.
    private func passOn(
        _ sentence: String, _ continuation: AsyncThrowingStream<AudioBuffer, any Error>.Continuation
    ) async throws -> Int {
        let sound = primary.synthesize(sentence)
        var frames = 0
        // A stream goes on where the last iterator stopped, so each wait can have its own.
        while let buffer = try await withStallLimit(
            configuration.patience, clock: clock,
            {
                var buffers = sound.makeAsyncIterator()
                return try await buffers.next()
            })
        {
            continuation.yield(buffer)
            frames += buffer.frameCount
        }
        return frames
    }

    private func speakLocally(
        _ sentence: String, _ continuation: AsyncThrowingStream<AudioBuffer, any Error>.Continuation
    ) async throws {
        guard local.format != format else {
            for try await buffer in local.synthesize(sentence) { continuation.yield(buffer) }
            return
        }
        // Converted as a whole: a resampler's edge between two pieces can be heard.
        var whole = AudioBuffer(samples: [], format: local.format)
        for try await buffer in local.synthesize(sentence) { whole.samples += buffer.samples }
        try Task.checkCancellation()
        if whole.frameCount > 0 { continuation.yield(try configuration.convert(whole, format)) }
    }

    /// The error as it is reported.
    static func told(_ error: any Error) -> any Error {
        guard let error = error as? StallLimitExceeded else { return error }
        return SpeechServiceError.stalled("The speech service", after: error.limit)
    }
}

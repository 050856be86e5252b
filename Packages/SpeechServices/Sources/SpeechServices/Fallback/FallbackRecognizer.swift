// SPDX-License-Identifier: MIT

public import AudioBuffers
import Concurrency
public import SpeechEngines

/// Recognises by a service, and by the local engine while the service fails.
///
/// The sound of the utterance is kept until the service has answered, so that the local engine hears all of it.
public struct FallbackRecognizer: SpeechRecognizer {
    private let primary: any SpeechRecognizer
    private let local: any SpeechRecognizer
    private let configuration: FallbackConfiguration
    private let clock: any Clock<Duration>
    private let engines: FallbackSwitch

    /// A pair of engines; see ``FallbackSynthesizer``.
    public init(
        _ primary: any SpeechRecognizer, local: any SpeechRecognizer, configuration: FallbackConfiguration,
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

    /// The sound that the patience is for. More of it takes an engine longer.
    private static let usualSound = Duration.seconds(10)

    /// See `SpeechRecognizer`. The patience counts from the end of the sound, and grows with what is beyond ten seconds
    /// of it; ten times as long after it the service must be done. Its partial words may be followed by the local engine's final ones.
    ///
    /// - Throws: The local engine's error.
    public func recognize(_ sound: AsyncStream<AudioBuffer>) -> AsyncThrowingStream<RecognitionEvent, any Error> {
        .filled { [self] continuation in
            let kept = KeptSound()
            let choice = engines.choose()
            let (copy, feed) = AsyncStream<AudioBuffer>.makeStream()
            let primaryEvents = choice == .primary ? primary.recognize(copy) : nil
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    for await buffer in sound { kept.add(buffer, passingOnTo: feed) }
                    feed.finish()
                    kept.end()
                    return false
                }
                if let primaryEvents {
                    group.addTask { try await hearByPrimary(primaryEvents, kept, continuation) }
                }
                defer { group.cancelAll() }
                while let isHeard = try await group.next() { if isHeard { return } }
                try Task.checkCancellation()
                try await hearLocally(kept.buffers, continuation)
            }
        }
    }

    /// - Returns: False if the service failed.
    private func hearByPrimary(
        _ events: AsyncThrowingStream<RecognitionEvent, any Error>, _ kept: KeptSound,
        _ continuation: AsyncThrowingStream<RecognitionEvent, any Error>.Continuation
    ) async throws -> Bool {
        let end: @Sendable () async throws -> Void = {
            try await kept.ended.value()
            let sound = format.duration(ofFrames: kept.buffers.reduce(0) { $0 + $1.frameCount })
            guard sound > Self.usualSound else { return }
            try await clock.sleep(for: configuration.patience * (sound / Self.usualSound - 1))
        }
        do {
            try await withStallLimit(configuration.patience * 10, clock: clock, from: end) {
                while let event = try await withStallLimit(
                    configuration.patience, clock: clock, from: end,
                    {
                        var iterator = events.makeAsyncIterator()
                        return try await iterator.next()
                    })
                {
                    continuation.yield(event)
                    if case .final = event { return }
                }
                try Task.checkCancellation()
                throw SpeechServiceError.cut("The speech service")
            }
            engines.succeeded()
            return true
        } catch {
            guard !Task.isCancelled else {
                engines.abandoned()
                throw CancellationError()
            }
            engines.failed(FallbackSynthesizer.told(error))
            return false
        }
    }

    private func hearLocally(
        _ buffers: [AudioBuffer], _ continuation: AsyncThrowingStream<RecognitionEvent, any Error>.Continuation
    ) async throws {
        let (sound, feed) = AsyncStream<AudioBuffer>.makeStream()
        var whole = AudioBuffer(samples: buffers.flatMap(\.samples), format: format)
        if local.format != format { whole = try configuration.convert(whole, local.format) }
        // A second each, so that an engine that works as it hears can.
        for start in stride(from: 0, to: whole.frameCount, by: max(1, local.format.sampleRate)) {
            feed.yield(whole.frames(start..<start + max(1, local.format.sampleRate)))
        }
        feed.finish()
        for try await event in local.recognize(sound) { continuation.yield(event) }
    }
}

/// The sound of an utterance, for a second hearing.
private final class KeptSound: Sendable {
    let ended = Promise<Void>()
    private let sound = Guarded<[AudioBuffer]>([])

    var buffers: [AudioBuffer] { sound.withLock { $0 } }

    func add(_ buffer: AudioBuffer, passingOnTo feed: AsyncStream<AudioBuffer>.Continuation) {
        sound.withLock { $0.append(buffer) }
        feed.yield(buffer)
    }

    func end() { ended.resolve() }
}

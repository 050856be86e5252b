// SPDX-License-Identifier: MIT

public import AudioBuffers
public import SpeechEngines

/// Speaks from a cache where it can. Put it inside a ``FallbackSynthesizer``, around the service: the local engine's
/// sound must not be kept under the service's voice.
public struct CachingSynthesizer: SpeechSynthesizer {
    private let engine: any SpeechSynthesizer
    private let voice: String
    private let settings: String
    private let cache: any SpeechCache

    /// An engine with a cache.
    ///
    /// - Parameters:
    ///   - engine: Speaks what is not kept.
    ///   - voice: The engine and its voice; see ``SpeechCacheKey``.
    ///   - settings: Every setting that changes the sound.
    ///   - cache: Keeps whole sounds.
    public init(_ engine: any SpeechSynthesizer, voice: String, settings: String, cache: any SpeechCache) {
        self.engine = engine
        self.voice = voice
        self.settings = settings
        self.cache = cache
    }

    /// The engine's format.
    public var format: AudioFormat { engine.format }

    /// See `SpeechSynthesizer`. A sound that failed or was given up is not kept.
    ///
    /// - Throws: The engine's error.
    public func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        .filled { [self] continuation in
            let key = SpeechCacheKey(text: text, voice: voice, settings: settings)
            if let kept = await cache.sound(for: key), kept.allSatisfy({ $0.format == format }) {
                CacheHit.note?()
                for buffer in kept { continuation.yield(buffer) }
                return
            }
            var whole: [AudioBuffer] = []
            for try await buffer in engine.synthesize(text) {
                continuation.yield(buffer)
                whole.append(buffer)
            }
            // A cancelled stream ends early without an error.
            try Task.checkCancellation()
            if !whole.isEmpty { await cache.store(whole, for: key) }
        }
    }
}

/// Tells a ``FallbackSynthesizer`` that a sound is kept, which says nothing about the service, through the synthesizers
/// between it and the cache.
enum CacheHit {
    /// Called at each hit; nil if nobody asks.
    @TaskLocal static var note: (@Sendable () -> Void)?
}

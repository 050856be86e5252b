// SPDX-License-Identifier: MIT

public import AudioBuffers
import Concurrency

/// The identity of a spoken text: the same key is the same sound.
public struct SpeechCacheKey: Sendable, Hashable {
    /// The text.
    public var text: String
    /// The engine and its voice, such as "elevenlabs/21m00Tcm4TlvDq8ikWAM".
    public var voice: String
    /// Every setting that changes the sound, in one text.
    public var settings: String

    /// Makes a key.
    public init(text: String, voice: String, settings: String) {
        self.text = text
        self.voice = voice
        self.settings = settings
    }
}

/// Keeps the sound of texts, so that a repeated sentence costs neither time nor money.
public protocol SpeechCache: Sendable {
    /// The sound of a key; nil if it is not kept.
    func sound(for key: SpeechCacheKey) async -> [AudioBuffer]?

    /// Keeps the whole sound of a key; a cache may decline, and forget at any time.
    func store(_ sound: [AudioBuffer], for key: SpeechCacheKey) async
}

/// A cache in memory that drops what was used longest ago.
public final class InMemorySpeechCache: SpeechCache {
    private struct Entry {
        var sound: [AudioBuffer]
        var bytes: Int
        var lastUse: Int
    }

    private struct State {
        var entries: [SpeechCacheKey: Entry] = [:]
        var bytes = 0
        var uses = 0
    }

    private let limit: Int
    private let state = Guarded(State())

    /// An empty cache.
    ///
    /// - Parameter maximumBytes: The most bytes of samples and texts; 16 MiB, about three minutes at 24 kHz. A sound of
    ///   more than a quarter of it is not kept.
    public init(maximumBytes: Int = 16 << 20) { limit = maximumBytes }

    /// The bytes of samples and texts that are kept.
    public var bytes: Int { state.withLock { $0.bytes } }

    /// See ``SpeechCache``.
    public func sound(for key: SpeechCacheKey) -> [AudioBuffer]? {
        state.withLock { state in
            state.uses += 1
            state.entries[key]?.lastUse = state.uses
            return state.entries[key]?.sound
        }
    }

    /// See ``SpeechCache``.
    public func store(_ sound: [AudioBuffer], for key: SpeechCacheKey) {
        let bytes =
            sound.reduce(0) { $0 + $1.samples.count * MemoryLayout<Float>.size }
            + key.text.utf8.count + key.voice.utf8.count + key.settings.utf8.count
        guard bytes <= limit / 4 else { return }
        state.withLock { state in
            state.uses += 1
            if let old = state.entries.removeValue(forKey: key) { state.bytes -= old.bytes }
            state.entries[key] = Entry(sound: sound, bytes: bytes, lastUse: state.uses)
            state.bytes += bytes
            while state.bytes > limit, let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                state.entries.removeValue(forKey: oldest.key)
                state.bytes -= oldest.value.bytes
            }
        }
    }
}

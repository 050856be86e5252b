// SPDX-License-Identifier: MIT

import AudioKitLinux
import Concurrency
import SpeechServices

/// The look-ups in the sentence cache of speech since they were last taken, for the statistics.
final class SentenceTally: Sendable {
    private let counts = Guarded((asked: 0, cached: 0))

    fileprivate func add(isCached: Bool) {
        counts.withLock { counts in
            counts.asked += 1
            counts.cached += isCached ? 1 : 0
        }
    }

    /// Returns the counts, and begins at zero.
    func take() -> (asked: Int, cached: Int) {
        counts.withLock { counts in
            defer { counts = (0, 0) }
            return counts
        }
    }
}

/// A sentence cache whose look-ups are counted.
struct CountedSpeechCache: SpeechCache {
    let cache: any SpeechCache
    let tally: SentenceTally

    /// See `SpeechCache`.
    func sound(for key: SpeechCacheKey) async -> [AudioBuffer]? {
        let sound = await cache.sound(for: key)
        tally.add(isCached: sound != nil)
        return sound
    }

    /// See `SpeechCache`.
    func store(_ sound: [AudioBuffer], for key: SpeechCacheKey) async { await cache.store(sound, for: key) }
}

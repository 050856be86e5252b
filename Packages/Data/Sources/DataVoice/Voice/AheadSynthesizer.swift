// SPDX-License-Identifier: MIT

import AudioKitLinux
import Concurrency
import SpeechEngines

/// Another synthesiser that can be told what it will probably be asked for.
final class AheadSynthesizer: SpeechSynthesizer {
    private typealias Sound = AsyncThrowingStream<AudioBuffer, any Error>

    private let base: any SpeechSynthesizer
    private let begun = Guarded<(text: String, sound: Sound)?>(nil)

    /// A synthesiser over another one, which must cost nothing to ask.
    init(_ base: any SpeechSynthesizer) { self.base = base }

    var format: AudioFormat { base.format }

    /// Begins to make a text; gives up the one that was begun before, unless it is the same.
    func begin(_ text: String) {
        let old = begun.withLock { begun in
            defer { if begun?.text != text { begun = (text, base.synthesize(text)) } }
            return begun
        }
        // The synthesis of a stream that is let go ends; not under the lock.
        withExtendedLifetime(old) {}
    }

    /// See `SpeechSynthesizer`; what was begun is taken, or let go.
    func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        let begun = begun.withLock { begun in
            defer { begun = nil }
            return begun
        }
        return if let begun, begun.text == text { begun.sound } else { base.synthesize(text) }
    }
}

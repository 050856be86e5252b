// SPDX-License-Identifier: MIT

import AudioKitLinux
import Concurrency
import SpeechEngines

/// Another synthesiser that can be told what it will probably be asked for: one text of the present moment, whose synthesis
/// begins, and several of the next minutes, whose sound is kept.
final class AheadSynthesizer: SpeechSynthesizer {
    private typealias Sound = AsyncThrowingStream<AudioBuffer, any Error>

    private let base: any SpeechSynthesizer
    private let begun = Guarded<(text: String, sound: Sound)?>(nil)
    private let kept = Guarded<[String: [AudioBuffer]]>([:])

    /// A synthesiser over another one, which must cost nothing to ask.
    init(_ base: any SpeechSynthesizer) { self.base = base }

    var format: AudioFormat { base.format }

    /// Begins to make a text; gives up the one that was begun before, unless it is the same.
    func begin(_ text: String) {
        guard kept.withLock({ $0[text] == nil }) else { return }
        let old = begun.withLock { begun in
            defer { if begun?.text != text { begun = (text, base.synthesize(text)) } }
            return begun
        }
        // The synthesis of a stream that is let go ends; not under the lock.
        withExtendedLifetime(old) {}
    }

    /// Makes the sound of texts, one after the other, in place of what was kept before. Ends early when its task is
    /// cancelled; a text that cannot be made is left out.
    func keep(_ texts: [String]) async {
        var sounds = kept.withLock { kept in kept.filter { texts.contains($0.key) } }
        for text in texts where sounds[text] == nil {
            var sound: [AudioBuffer] = []
            do { for try await piece in base.synthesize(text) { sound.append(piece) } } catch { sound = [] }
            // The sound of a cancelled task ends early.
            guard !Task.isCancelled else { return }
            if !sound.isEmpty { sounds[text] = sound }
        }
        let made = sounds
        kept.withLock { $0 = made }
    }

    /// See `SpeechSynthesizer`; what was begun or kept is taken, or let go: after an answer, speed and volume may be others.
    func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        let sound = kept.withLock { kept in
            defer { kept = [:] }
            return kept[text]
        }
        if let sound {
            return Sound { stream in
                for piece in sound { stream.yield(piece) }
                stream.finish()
            }
        }
        let begun = begun.withLock { begun in
            defer { begun = nil }
            return begun
        }
        return if let begun, begun.text == text { begun.sound } else { base.synthesize(text) }
    }
}

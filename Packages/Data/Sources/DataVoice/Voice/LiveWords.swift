// SPDX-License-Identifier: MIT

import AudioKitLinux

/// Decides when the words of a question that is still spoken are guessed again. A guess costs in proportion to the sound
/// so far, so the guesses of a long question are further apart, and all of them cost a few times the last one.
struct LiveWords {
    /// The least new sound between two guesses.
    private static let step = AudioFormat.speech.frames(in: .milliseconds(500))

    private let isOn: Bool
    private var frames = 0
    private var guessed = 0
    private var shown = ""

    /// - Parameter isOn: False never guesses.
    init(isOn: Bool) { self.isOn = isOn }

    /// A new question begins.
    mutating func begin() { self = LiveWords(isOn: isOn) }

    /// True if the words are guessed after these further frames.
    mutating func isDue(after count: Int) -> Bool {
        frames += count
        guard isOn, frames - guessed >= max(Self.step, frames / 4) else { return false }
        guessed = frames
        return true
    }

    /// The words to show; nil if they are shown already.
    mutating func show(_ words: String) -> String? {
        guard isOn, words != shown else { return nil }
        shown = words
        return words
    }
}

// SPDX-License-Identifier: MIT

import AudioKitLinux

/// How much sound an ear takes at once: each period when somebody waits for it, larger pieces otherwise, since each piece wakes
/// half a dozen threads, and most of a day nobody says anything. Pure.
///
/// Somebody waits while the ear is open, for the end of a question; while we speak, to interrupt; and for some time after
/// that, since the answer follows the question. What is only looked through for the wake word, which is known some tenths of
/// a second after it was said, may come later; and silence later still: it ends before the wake word does.
struct HearingPace {
    /// The stream's period.
    static let period = Duration.milliseconds(20)
    /// The most periods that are taken at once.
    static let mostPeriods = 8
    /// How many periods of speech that is not for us are taken at once.
    private static let periodsOfSpeech = 4
    /// How long it stays prompt.
    private static let wakefulness = Duration.seconds(2)

    private var calm = HearingPace.wakefulness

    /// Takes that a piece of sound of `length` was heard, and how things stand after it; returns how many periods to take at
    /// once from now on.
    mutating func periods(isOpen: Bool, isPlaying: Bool, isSpeech: Bool, after length: Duration) -> Int {
        calm = isOpen || isPlaying ? .zero : calm + length
        if calm < Self.wakefulness { return 1 }
        return isSpeech ? Self.periodsOfSpeech : Self.mostPeriods
    }
}

/// How far the wake word's detector is behind the microphone.
struct WatchLag {
    /// A second of sound.
    private static let limit = 16_000

    private var given = 0
    private var done = 0
    /// Whether nothing looks for the wake word any more.
    var hasEnded = false

    mutating func handedOver(_ piece: CapturedBuffer) { given += piece.buffer.frameCount }
    mutating func taken(_ piece: CapturedBuffer) { done += piece.buffer.frameCount }
    var isTooFarBehind: Bool { !hasEnded && given - done > Self.limit }
}

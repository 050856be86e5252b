// SPDX-License-Identifier: MIT

import AudioKitLinux

/// The amount of sound that a listener takes at once: each period while a quick reaction is needed, larger pieces
/// otherwise, since each piece wakes half a dozen threads, and most of a day nobody speaks. Pure.
///
/// A quick reaction is needed while the listener is open, for the end of a question; while we speak, for a barge-in; and for
/// some time after that, since the answer follows the question. The wake word is known only some tenths of a second
/// after it was said, so other speech may be taken later; silence may be taken later still, since it ends before the
/// wake word does. To save power all of it comes in pieces of twice the length.
struct HearingPace {
    /// The stream's period.
    static let period = Duration.milliseconds(20)
    /// The most periods that are taken at once.
    static let mostPeriods = 8
    /// The factor to save power.
    static let savingFactor = 2
    /// The periods that are taken at once of speech that is not for us.
    private static let periodsOfSpeech = 4
    /// The time for which the listener stays quick.
    private static let wakefulness = Duration.seconds(2)

    private var calm = HearingPace.wakefulness

    /// Takes the state after a piece of sound of `length`; returns the number of periods to take at once from now on.
    mutating func periods(isOpen: Bool, isPlaying: Bool, isSpeech: Bool, isSaving: Bool, after length: Duration) -> Int
    {
        calm = isOpen || isPlaying ? .zero : calm + length
        if calm < Self.wakefulness { return 1 }
        return (isSpeech ? Self.periodsOfSpeech : Self.mostPeriods) * (isSaving ? Self.savingFactor : 1)
    }
}

/// The lag of the wake word's detector behind the microphone.
struct WatchLag {
    /// A second of sound.
    private static let limit = 16_000

    private var given = 0
    private var done = 0
    /// True once the detector's loop has ended.
    var hasEnded = false

    mutating func handedOver(_ piece: CapturedBuffer) { given += piece.buffer.frameCount }
    mutating func taken(_ piece: CapturedBuffer) { done += piece.buffer.frameCount }
    var isTooFarBehind: Bool { !hasEnded && given - done > Self.limit }
}

// SPDX-License-Identifier: MIT

import AudioKitLinux

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

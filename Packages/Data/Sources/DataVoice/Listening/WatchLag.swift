// SPDX-License-Identifier: MIT

import AudioKitLinux

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

// SPDX-License-Identifier: MIT

internal import Glibc

/// Rates a level between the room's floor and the loudest of the last seconds.
///
/// The floor is the minimum of the smoothed energy over 1.6 to 1.8 s (minimum statistics, after R. Martin, 2001); the
/// top follows at once and falls by 1.7 dB a second.
struct LevelRange: Sendable {
    private static let framesInBlock = 20
    private static let blocks = 8

    private var frames = 0
    private var smoothed: Float = 0
    private var current = Float.infinity
    private var minima: [Float] = []
    private var smoothedLevel: Float = 0
    private var top: Float = -30

    /// Adds the energy of the next 10 ms and returns its position: 0 at the floor, 1 at the top, clamped to −0.3…1.3.
    mutating func place(of energy: Float) -> Float {
        let level = logf(energy)
        smoothed = frames == 0 ? energy : 0.7 * smoothed + 0.3 * energy
        smoothedLevel = frames == 0 ? level : 0.6 * smoothedLevel + 0.4 * level
        current = min(current, smoothed)
        var least = current
        for minimum in minima { least = min(least, minimum) }
        // The minimum of a noisy energy lies below its mean.
        let floor = logf(1.5 * least)
        frames += 1
        if frames % Self.framesInBlock == 0 {
            minima.append(current)
            if minima.count > Self.blocks { minima.removeFirst() }
            current = smoothed
        }
        top = max(smoothedLevel, top - 0.004)
        return min(max((level - floor) / max(top - floor, 1.5), -0.3), 1.3)
    }
}

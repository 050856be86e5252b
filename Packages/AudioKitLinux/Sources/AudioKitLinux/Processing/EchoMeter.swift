// SPDX-License-Identifier: MIT
internal import AudioDSP

/// Measures how much of the echo a canceller takes away: the power before and after it, over about a second in which
/// the loudspeaker plays.
struct EchoMeter {
    private var before = 0.0
    private var after = 0.0
    private var far = 0.0
    private var activeSeconds = 0.0

    /// Echo return loss enhancement in decibels; nil before the loudspeaker played for half a second.
    var enhancement: Double? {
        guard activeSeconds >= 0.5, before > 0 else { return nil }
        return Double(Decibels.ofPower(Float(before / max(after, 1e-14)), floor: 0))
    }

    /// Takes in one block, `seconds` long, by the mean square of the loudspeaker, the microphone and the output.
    mutating func add(far farPower: Double, near: Double, output: Double, seconds: Double) {
        // The room rings on after the loudspeaker.
        far = max(farPower, far * Self.decay(seconds, 0.1))
        guard far > 1e-6, near > 1e-9 else { return }
        let keep = Self.decay(seconds, 1)
        before = before * keep + near * (1 - keep)
        after = after * keep + output * (1 - keep)
        activeSeconds += seconds
    }

    /// What is left of an average of `constant` seconds after `seconds`, to the first order.
    private static func decay(_ seconds: Double, _ constant: Double) -> Double { max(0, 1 - seconds / constant) }
}

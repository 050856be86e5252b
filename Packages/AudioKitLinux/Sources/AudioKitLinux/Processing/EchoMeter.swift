// SPDX-License-Identifier: MIT

internal import AudioDSP

/// Measures the reduction of the echo by a canceller: the power before and after it, over about a second in which the
/// loudspeaker plays.
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

    /// Adds one block, `seconds` long, by the mean square of the loudspeaker, the microphone and the output.
    mutating func add(far farPower: Double, near: Double, output: Double, seconds: Double) {
        // The room's echo continues after the loudspeaker.
        far = max(farPower, far * Self.decay(seconds, 0.1))
        guard far > 1e-6, near > 1e-9 else { return }
        let keep = Self.decay(seconds, 1)
        before = before * keep + near * (1 - keep)
        after = after * keep + output * (1 - keep)
        activeSeconds += seconds
    }

    /// The remaining weight of an average of `constant` seconds after `seconds`, to the first order.
    private static func decay(_ seconds: Double, _ constant: Double) -> Double { max(0, 1 - seconds / constant) }
}

/// An echo canceller's processing while there is no echo: only its filter against a steady offset, so that the sound is
/// the same with or without the rest. It runs all the time, for its memory.
struct EchoRest {
    /// The time in seconds for which the loudspeaker's last frame has to be out of the echo's tail. By then the
    /// filter's memory and its measurements have decayed, so that skipping it changes nothing.
    static let margin = 1.5

    private var filter: BiquadCascade

    /// For the rate in hertz.
    init(rate: Int) {
        // SpeexDSP's own: a double zero at 0 Hz, and two poles beside it.
        let radius = rate < 12_000 ? 0.9 : rate < 24_000 ? 0.982 : 0.992
        let section = Biquad(
            b0: radius, b1: -2 * radius, b2: radius, a1: -2 * radius,
            a2: radius * radius + 0.7 * (1 - radius) * (1 - radius))
        filter = BiquadCascade([section])
    }

    /// The near end's next frames without an echo canceller.
    mutating func process(_ near: [Float]) -> [Float] {
        var output = near
        output.withUnsafeMutableBufferPointer { filter.process($0) }
        return output
    }
}

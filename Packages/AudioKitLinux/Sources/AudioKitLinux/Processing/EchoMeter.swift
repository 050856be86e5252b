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

/// What an echo canceller does while there is no echo: nothing but its filter against a steady offset, so that the sound is
/// the same whether it rests or not. It runs on all the time, for its memory.
struct EchoRest {
    /// How long the loudspeaker's last frame has to be out of the echo's tail. By then the filter's memory and what it
    /// measures have gone down to nothing, so that leaving it alone changes nothing.
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

    /// The near end's next frames as they are without an echo.
    mutating func process(_ near: [Float]) -> [Float] {
        var output = near
        output.withUnsafeMutableBufferPointer { filter.process($0) }
        return output
    }
}

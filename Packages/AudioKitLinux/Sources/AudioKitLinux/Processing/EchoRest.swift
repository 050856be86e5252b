// SPDX-License-Identifier: MIT
internal import AudioDSP

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

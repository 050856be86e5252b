// SPDX-License-Identifier: MIT
internal import Glibc

extension Biquad {
    /// The two sections of ITU-R BS.1770-4's K weighting at any `sampleRate` (hertz): a shelf that raises the treble by
    /// 4 dB, as a head does, and a high-pass at 38 Hz. At 48 kHz they are those of the recommendation's tables 1 and 2.
    public static func kWeighting(sampleRate: Double) -> [Biquad] {
        // The analogue filters whose bilinear transform at 48 kHz is the recommendation's.
        let (shelf, shelfQ) = (1_681.974_450_955_533, 0.707_175_236_955_419_6)
        let (high, highQ) = (38.135_470_876_024_44, 0.500_327_037_323_877_3)
        var k = tan(.pi * shelf / sampleRate)
        let top = pow(10, 3.999_843_853_973_347 / 20)
        let middle = pow(top, 0.499_666_774_154_541_6)
        var a0 = 1 + k / shelfQ + k * k
        let treble = Biquad(
            b0: (top + middle * k / shelfQ + k * k) / a0, b1: 2 * (k * k - top) / a0,
            b2: (top - middle * k / shelfQ + k * k) / a0, a1: 2 * (k * k - 1) / a0, a2: (1 - k / shelfQ + k * k) / a0)
        k = tan(.pi * high / sampleRate)
        a0 = 1 + k / highQ + k * k
        let bass = Biquad(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / highQ + k * k) / a0)
        return [treble, bass]
    }
}

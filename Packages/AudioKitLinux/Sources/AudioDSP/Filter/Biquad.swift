// SPDX-License-Identifier: MIT
internal import Glibc

/// The coefficients of one second-order section, scaled so that a0 is 1:
/// y[n] = b0·x[n] + b1·x[n−1] + b2·x[n−2] − a1·y[n−1] − a2·y[n−2].
///
/// The designs are those of R. Bristow-Johnson's Audio EQ Cookbook. Frequencies are in hertz and are kept between 0 and
/// half of `sampleRate`, both excluded; q is the quality, above 0 (0.7071 is Butterworth's); gains are in decibels.
public struct Biquad: Sendable, Hashable {
    /// Weights of the input and of its last two values.
    public var b0, b1, b2: Double
    /// Weights of the last two values of the output, subtracted.
    public var a1, a2: Double

    /// Makes a section of coefficients; the defaults pass everything unchanged.
    public init(b0: Double = 1, b1: Double = 0, b2: Double = 0, a1: Double = 0, a2: Double = 0) {
        (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
    }

    /// Passes frequencies below `frequency`; −3 dB there with the default q, −12 dB an octave above.
    public static func lowPass(_ frequency: Double, sampleRate: Double, q: Double = 0.5.squareRoot()) -> Biquad {
        let (c, alpha) = angle(frequency, sampleRate, q)
        return scaled((1 - c) / 2, 1 - c, (1 - c) / 2, 1 + alpha, -2 * c, 1 - alpha)
    }

    /// Passes frequencies above `frequency`; −3 dB there with the default q, −12 dB an octave below.
    public static func highPass(_ frequency: Double, sampleRate: Double, q: Double = 0.5.squareRoot()) -> Biquad {
        let (c, alpha) = angle(frequency, sampleRate, q)
        return scaled((1 + c) / 2, -1 - c, (1 + c) / 2, 1 + alpha, -2 * c, 1 - alpha)
    }

    /// Removes `frequency`; the higher `q`, the narrower.
    public static func notch(_ frequency: Double, sampleRate: Double, q: Double) -> Biquad {
        let (c, alpha) = angle(frequency, sampleRate, q)
        return scaled(1, -2 * c, 1, 1 + alpha, -2 * c, 1 - alpha)
    }

    /// Raises or lowers the frequencies around `frequency` by `gain`.
    public static func peaking(_ frequency: Double, gain: Double, sampleRate: Double, q: Double) -> Biquad {
        let (c, alpha) = angle(frequency, sampleRate, q)
        let a = pow(10, gain / 40)
        return scaled(1 + alpha * a, -2 * c, 1 - alpha * a, 1 + alpha / a, -2 * c, 1 - alpha / a)
    }

    /// Raises or lowers the frequencies below `frequency` by `gain`; half of it (in decibels) at `frequency`.
    public static func lowShelf(
        _ frequency: Double, gain: Double, sampleRate: Double, q: Double = 0.5.squareRoot()
    ) -> Biquad {
        let (c, alpha) = angle(frequency, sampleRate, q)
        let a = pow(10, gain / 40)
        let slope = 2 * a.squareRoot() * alpha
        return scaled(
            a * ((a + 1) - (a - 1) * c + slope), 2 * a * ((a - 1) - (a + 1) * c),
            a * ((a + 1) - (a - 1) * c - slope), (a + 1) + (a - 1) * c + slope,
            -2 * ((a - 1) + (a + 1) * c), (a + 1) + (a - 1) * c - slope)
    }

    /// Raises or lowers the frequencies above `frequency` by `gain`; half of it (in decibels) at `frequency`.
    public static func highShelf(
        _ frequency: Double, gain: Double, sampleRate: Double, q: Double = 0.5.squareRoot()
    ) -> Biquad {
        let (c, alpha) = angle(frequency, sampleRate, q)
        let a = pow(10, gain / 40)
        let slope = 2 * a.squareRoot() * alpha
        return scaled(
            a * ((a + 1) + (a - 1) * c + slope), -2 * a * ((a - 1) + (a + 1) * c),
            a * ((a + 1) + (a - 1) * c - slope), (a + 1) - (a - 1) * c + slope,
            2 * ((a - 1) - (a + 1) * c), (a + 1) - (a - 1) * c - slope)
    }

    /// Removes a steady offset and little else: a zero at 0 Hz and a pole that gives −3 dB at about `frequency`.
    public static func dcBlocker(_ frequency: Double = 10, sampleRate: Double) -> Biquad {
        let pole = exp(-2 * .pi * bounded(frequency, sampleRate) / sampleRate)
        return Biquad(b0: (1 + pole) / 2, b1: -(1 + pole) / 2, a1: -pole)
    }

    /// The gain at `frequency`, linear.
    public func magnitude(at frequency: Double, sampleRate: Double) -> Double {
        let angle = 2 * Double.pi * frequency / sampleRate
        func power(_ c0: Double, _ c1: Double, _ c2: Double) -> Double {
            let real = c0 + c1 * cos(angle) + c2 * cos(2 * angle)
            let imaginary = c1 * sin(angle) + c2 * sin(2 * angle)
            return real * real + imaginary * imaginary
        }
        return (power(b0, b1, b2) / power(1, a1, a2)).squareRoot()
    }

    private static func bounded(_ frequency: Double, _ sampleRate: Double) -> Double {
        precondition(sampleRate > 0)
        return min(max(frequency, sampleRate * 1e-6), sampleRate * 0.499_999)
    }

    private static func angle(_ frequency: Double, _ sampleRate: Double, _ q: Double) -> (cosine: Double, alpha: Double)
    {
        precondition(q > 0)
        let angle = 2 * Double.pi * bounded(frequency, sampleRate) / sampleRate
        return (cos(angle), sin(angle) / (2 * q))
    }

    private static func scaled(
        _ b0: Double, _ b1: Double, _ b2: Double, _ a0: Double, _ a1: Double, _ a2: Double
    ) -> Biquad {
        Biquad(b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0)
    }
}

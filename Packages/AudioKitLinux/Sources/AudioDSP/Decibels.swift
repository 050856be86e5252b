// SPDX-License-Identifier: MIT
internal import Glibc

/// Amplitudes and powers in decibels.
public enum Decibels {
    /// 20·log₁₀ of a linear `amplitude`: 0 for 1, negative below, `floor` for 0, negative values and not-a-number.
    public static func ofAmplitude(_ amplitude: Float, floor: Float = -120) -> Float {
        amplitude > 0 ? max(floor, 20 * log10f(amplitude)) : floor
    }

    /// 10·log₁₀ of a linear `power`: 0 for 1, negative below, `floor` for 0, negative values and not-a-number.
    public static func ofPower(_ power: Float, floor: Float = -120) -> Float {
        power > 0 ? max(floor, 10 * log10f(power)) : floor
    }

    /// The linear amplitude of `decibels`: 1 for 0, 0.5 for about −6.02.
    public static func amplitude(_ decibels: Float) -> Float { powf(10, decibels / 20) }
}

// SPDX-License-Identifier: MIT
internal import Glibc

/// A scale of pitch as people hear it: nearly linear below 1 kHz, logarithmic above.
public enum MelScale: Sendable, Hashable, CaseIterable {
    /// 2595·log₁₀(1 + f/700), of the Hidden Markov Model Toolkit (S. Young et al., The HTK Book).
    case htk
    /// Linear to 1 kHz (15 mel), then 27 mel for a factor of 6.4 (M. Slaney, Auditory Toolbox, 1998); librosa's default.
    case slaney

    /// The mel of a frequency in hertz, 0 or more.
    public func mel(hertz: Double) -> Double {
        switch self {
        case .htk: 2_595 * log10(1 + hertz / 700)
        case .slaney: hertz < 1_000 ? hertz * 3 / 200 : 15 + 27 * log(hertz / 1_000) / log(6.4)
        }
    }

    /// The frequency in hertz of a mel, 0 or more.
    public func hertz(mel: Double) -> Double {
        switch self {
        case .htk: 700 * (pow(10, mel / 2_595) - 1)
        case .slaney: mel < 15 ? mel * 200 / 3 : 1_000 * pow(6.4, (mel - 15) / 27)
        }
    }
}

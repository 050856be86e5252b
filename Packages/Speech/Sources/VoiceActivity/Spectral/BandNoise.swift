// SPDX-License-Identifier: MIT

internal import Glibc

/// Tracks the noise in each band by the probability that speech is present there.
///
/// After T. Gerkmann and R. C. Hendriks, "Unbiased MMSE-Based Noise Power Estimation With Low Complexity and Low
/// Tracking Delay", IEEE Transactions on Audio, Speech, and Language Processing 20(4), 2012, with bands in place of
/// bins and a slower average. The first 120 ms are taken as noise.
struct BandNoise: Sendable {
    private static let settlingFrames = 12
    private static let kept: Float = 0.98
    /// The assumed signal-to-noise ratio of present speech: 15 dB.
    private static let supposedRatio: Float = 31.622_777

    private var frames = 0
    private var presence = [Float](repeating: 0.5, count: BandSpectrum.bands)
    /// The noise's energy in each band.
    private(set) var energies = [Float](repeating: 0, count: BandSpectrum.bands)

    /// Adds the energies of the next 10 ms.
    mutating func observe(_ observed: [Float]) {
        defer { frames += 1 }
        guard frames >= Self.settlingFrames else {
            for band in energies.indices {
                energies[band] = (energies[band] * Float(frames) + observed[band]) / Float(frames + 1)
            }
            return
        }
        let factor = Self.supposedRatio / (1 + Self.supposedRatio)
        for band in energies.indices {
            let exponent = min(observed[band] / energies[band] * factor, 80)
            var probability = 1 / (1 + (1 + Self.supposedRatio) * expf(-exponent))
            presence[band] = 0.9 * presence[band] + 0.1 * probability
            // Very long speech is really a louder noise: then a hundredth of it is added.
            if presence[band] > 0.99 { probability = min(probability, 0.99) }
            let estimate = probability * energies[band] + (1 - probability) * observed[band]
            energies[band] = Self.kept * energies[band] + (1 - Self.kept) * estimate
        }
    }
}

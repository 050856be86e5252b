// SPDX-License-Identifier: MIT

internal import Glibc

/// Overlapping triangles, evenly spaced on a mel scale, that sum a power spectrum into bands.
///
/// The same matrix as librosa's `filters.mel`, kept as the bins that are not 0. An immutable value, shareable.
public struct MelFilterBank: Sendable {
    /// Bins of the power spectrum that it reads: FFT size / 2 + 1.
    public let binCount: Int
    /// Bands that it writes.
    public var bandCount: Int { bands.count }

    private struct Band: Sendable {
        let firstBin: Int
        let offset: Int
        let count: Int
    }

    private let bands: [Band]
    private let weights: [Float]

    /// Makes a bank of `bands` triangles between `frequencies` (hertz; 0 to half the rate when nil).
    ///
    /// `bands`, `sampleRate` and `fftSize` are above 0. `isNormalized` scales each triangle to an area of 1 hertz ("slaney" norm); otherwise its top is 1.
    public init(
        bands count: Int, sampleRate: Double, fftSize: Int, scale: MelScale = .slaney,
        frequencies: ClosedRange<Double>? = nil, isNormalized: Bool = true
    ) {
        precondition(count > 0 && sampleRate > 0 && fftSize > 0)
        binCount = fftSize / 2 + 1
        let range = frequencies ?? 0...sampleRate / 2
        let (low, high) = (scale.mel(hertz: range.lowerBound), scale.mel(hertz: range.upperBound))
        let corners = (0..<count + 2).map { index in
            scale.hertz(mel: low + (high - low) * Double(index) / Double(count + 1))
        }
        var bands: [Band] = []
        var weights: [Float] = []
        for band in 0..<count {
            let (left, top, right) = (corners[band], corners[band + 1], corners[band + 2])
            let area = isNormalized ? 2 / (right - left) : 1
            var run: [Float] = []
            var firstBin = 0
            for bin in 0..<binCount {
                let frequency = Double(bin) * sampleRate / Double(fftSize)
                let weight = min((frequency - left) / (top - left), (right - frequency) / (right - top))
                guard weight > 0 else { continue }
                if run.isEmpty { firstBin = bin }
                run.append(Float(weight * area))
            }
            bands.append(Band(firstBin: firstBin, offset: weights.count, count: run.count))
            weights += run
        }
        self.bands = bands
        self.weights = weights
    }

    /// Sums `power` (`binCount` values) into `result` (`bandCount` values). Allocates nothing.
    public func apply(_ power: UnsafeBufferPointer<Float>, into result: UnsafeMutableBufferPointer<Float>) {
        precondition(power.count >= binCount && result.count >= bandCount)
        guard let power = power.baseAddress else { return }
        weights.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress else { return }
            bands.withUnsafeBufferPointer { bands in
                for index in 0..<bands.count {
                    let band = bands[index]
                    let (bins, run) = (power + band.firstBin, weights + band.offset)
                    var sums = SIMD4<Float>(repeating: 0)
                    var bin = 0
                    while bin + 4 <= band.count {
                        sums += bins.vector(bin) * run.vector(bin)
                        bin += 4
                    }
                    var sum = sums.sum()
                    while bin < band.count {
                        sum += bins[bin] * run[bin]
                        bin += 1
                    }
                    result[index] = sum
                }
            }
        }
    }

    /// The whole matrix, bands × bins, row after row, for tests and for callers with their own multiplication.
    public var matrix: [Float] {
        var matrix = [Float](repeating: 0, count: bandCount * binCount)
        for (row, band) in bands.enumerated() {
            for bin in 0..<band.count { matrix[row * binCount + band.firstBin + bin] = weights[band.offset + bin] }
        }
        return matrix
    }
}

/// A scale of pitch as people hear it: nearly linear below 1 kHz, logarithmic above.
public enum MelScale: Sendable, Hashable, CaseIterable {
    /// 2595·log₁₀(1 + f/700), of the Hidden Markov Model Toolkit (S. Young et al., The HTK Book).
    case htk
    /// Linear to 1 kHz (15 mel), then 27 mel per factor of 6.4 (M. Slaney, Auditory Toolbox, 1998); librosa's default.
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

// SPDX-License-Identifier: MIT

internal import AudioDSP
internal import Glibc

/// Energies in 24 bands, and the share of the sound that repeats itself with a voice's pitch.
///
/// A periodic Hann window of 512 samples of 16 kHz; bands are overlapping triangles on the mel scale from 100 to 7,600
/// Hz, each an average. Harmonicity is the greatest normalised autocorrelation at lags of 40 to 199 samples (80 to 400
/// Hz) of the sound between 80 and 3,000 Hz (Wiener and Khinchin: the inverse transform of the power spectrum).
struct BandSpectrum: Sendable {
    static let window = 512
    static let bands = 24
    /// Added to each band: digital silence is −90 dB.
    static let leastEnergy: Float = 1e-9
    private static let leastPower: Float = 1e-10
    private static let lags = 40..<200

    private struct Triangle: Sendable {
        let first: Int
        let weights: [Float]
    }

    private let fft = RealFFT(size: window)
    private let shape: [Float]
    private let triangles: [Triangle]
    /// The bins between 80 and 3,000 Hz.
    private let voiceBins: ClosedRange<Int>

    private var signal = [Float](repeating: 0, count: window)
    private var real = [Float](repeating: 0, count: window / 2 + 1)
    private var imaginary = [Float](repeating: 0, count: window / 2 + 1)
    private var workspace = [Float](repeating: 0, count: window)
    private let zeros = [Float](repeating: 0, count: window / 2 + 1)

    /// The energy of each band after the last ``analyze(_:)``.
    private(set) var energies = [Float](repeating: leastEnergy, count: bands)
    /// The periodicity of the last window, up to 1.
    private(set) var harmonicity: Float = 0

    /// Makes the tables.
    init() {
        let hertzPerBin = 16_000 / Double(Self.window)
        // Divides by the window's energy, so that white noise has its variance in each bin.
        let scale = (1 / (0.375 * Double(Self.window))).squareRoot()
        shape = (0..<Self.window).map { Float(scale * (0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(Self.window)))) }
        func mel(_ hertz: Double) -> Double { 2595 * log10(1 + hertz / 700) }
        let width = (mel(7600) - mel(100)) / Double(Self.bands + 1)
        triangles = (0..<Self.bands).map { band in
            let centre = mel(100) + Double(band + 1) * width
            let heights = (0...(Self.window / 2)).map {
                max(0, 1 - abs(mel(Double($0) * hertzPerBin) - centre) / width)
            }
            let first = heights.firstIndex { $0 > 0 } ?? 0
            let sum = heights.reduce(0, +)
            return Triangle(first: first, weights: heights[first...].prefix { $0 > 0 }.map { Float($0 / sum) })
        }
        voiceBins = Int((80 / hertzPerBin).rounded(.up))...Int(3000 / hertzPerBin)
    }

    /// Analyses 512 samples.
    mutating func analyze(_ sound: ArraySlice<Float>) {
        for (index, sample) in sound.enumerated() { signal[index] = sample * shape[index] }
        signal.withUnsafeBufferPointer { signal in
            real.withUnsafeMutableBufferPointer { real in
                imaginary.withUnsafeMutableBufferPointer { imaginary in
                    workspace.withUnsafeMutableBufferPointer { workspace in
                        fft.forward(signal, real: real, imaginary: imaginary, workspace: workspace)
                    }
                }
            }
        }
        for bin in real.indices { real[bin] = real[bin] * real[bin] + imaginary[bin] * imaginary[bin] }
        for (band, triangle) in triangles.enumerated() {
            var sum = Self.leastEnergy
            for (offset, weight) in triangle.weights.enumerated() { sum += weight * real[triangle.first + offset] }
            energies[band] = sum
        }
        autocorrelate()
    }

    private mutating func autocorrelate() {
        for bin in real.indices { real[bin] = voiceBins.contains(bin) ? real[bin] + Self.leastPower : 0 }
        real.withUnsafeBufferPointer { real in
            zeros.withUnsafeBufferPointer { zeros in
                signal.withUnsafeMutableBufferPointer { signal in
                    workspace.withUnsafeMutableBufferPointer { workspace in
                        fft.inverse(real: real, imaginary: zeros, signal: signal, workspace: workspace)
                    }
                }
            }
        }
        var greatest = signal[Self.lags.lowerBound]
        for lag in Self.lags { greatest = max(greatest, signal[lag]) }
        harmonicity = greatest / signal[0]
    }
}

// SPDX-License-Identifier: MIT

internal import AudioDSP
internal import Glibc

/// Removes steady noise from some seconds of sound: a Wiener filter with the noise of the quietest fifth of them.
///
/// Since all of the sound is available, the noise need not be tracked, and a new noise is estimated as well as an old
/// one. The ratio of speech to noise is the decision-directed one of Y. Ephraim and D. Malah, "Speech Enhancement Using
/// a Minimum Mean-Square Error Short-Time Spectral Amplitude Estimator", IEEE Transactions on Acoustics, Speech, and
/// Signal Processing 32(6), 1984.
struct NoiseReducer: Sendable {
    private static let size = 512
    private static let hop = 128
    private static let bins = size / 2 + 1
    /// The fewest frames with which speech can be told from noise.
    private static let fewestFrames = 20
    /// The share of the noise that remains: without it the recogniser would get silence, for which it is not trained.
    private static let floor: Float = 0.15
    /// The weight of the previous frame's ratio.
    private static let kept: Float = 0.96
    private static let leastRatio: Float = 0.001
    /// The bins whose energy decides which frames are quiet: those of the recogniser, 125 to 6,800 Hz.
    private static let heard = 4..<218
    /// The quietest frames underestimate the noise, so it is raised by this factor.
    private static let correction: Float = 1.1
    /// The number of bins on either side over which the noise is averaged.
    private static let reach = 3

    private let fft = RealFFT(size: size)
    private let window: [Float]

    init() {
        window = (0..<Self.size).map { index in
            Float((0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(Self.size))).squareRoot())
        }
    }

    /// The sound with less noise, of the same length. 16 kHz; below two tenths of a second it is returned unchanged.
    func reduce(_ sound: [Int16]) -> [Int16] {
        let count = sound.count < Self.size ? 0 : (sound.count - Self.size) / Self.hop + 1
        guard count > Self.fewestFrames else { return sound }
        var spectra = (0..<count).map { spectrum(of: sound[($0 * Self.hop)...].prefix(Self.size)) }
        filter(&spectra)
        var sum = [Float](repeating: 0, count: sound.count)
        var weight = sum
        for (index, spectrum) in spectra.enumerated() {
            let start = index * Self.hop
            for (offset, sample) in signal(of: spectrum).enumerated() {
                sum[start + offset] += sample * window[offset]
                weight[start + offset] += window[offset] * window[offset]
            }
        }
        return sound.indices.map { index in
            // No window covers the very ends.
            let sample = weight[index] > 0.01 ? sum[index] / weight[index] : Float(sound[index]) * Self.floor
            return Int16(max(-32768, min(32767, sample.rounded())))
        }
    }

    private struct Spectrum {
        var real = [Float](repeating: 0, count: bins)
        var imaginary = [Float](repeating: 0, count: bins)

        /// Adds one step of the samples' scale, so that digital silence has power too.
        func power(_ bin: Int) -> Float { real[bin] * real[bin] + imaginary[bin] * imaginary[bin] + 1 }
    }

    private func filter(_ spectra: inout [Spectrum]) {
        let noise = noise(in: spectra)
        var earlier = [Float](repeating: 0, count: Self.bins)
        for frame in spectra.indices {
            for bin in 0..<Self.bins {
                let observed = spectra[frame].power(bin) / noise[bin]
                let ratio = max(
                    Self.kept * earlier[bin] + (1 - Self.kept) * max(observed - 1, 0), Self.leastRatio)
                let gain = max(ratio / (1 + ratio), Self.floor)
                earlier[bin] = gain * gain * observed
                spectra[frame].real[bin] *= gain
                spectra[frame].imaginary[bin] *= gain
            }
        }
    }

    /// The noise's power in each bin.
    private func noise(in spectra: [Spectrum]) -> [Float] {
        let energies = spectra.map { spectrum in Self.heard.reduce(Float(0)) { $0 + spectrum.power($1) } }
        let order = energies.indices.sorted { energies[$0] < energies[$1] }
        let quiet = order.prefix(max(8, spectra.count / 5))
        var mean = [Float](repeating: 0, count: Self.bins)
        for frame in quiet {
            for bin in mean.indices { mean[bin] += spectra[frame].power(bin) / Float(quiet.count) }
        }
        return mean.indices.map { bin in
            let near = max(0, bin - Self.reach)...min(Self.bins - 1, bin + Self.reach)
            return near.reduce(Float(0)) { $0 + mean[$1] } / Float(near.count) * Self.correction
        }
    }

    private func spectrum(of sound: ArraySlice<Int16>) -> Spectrum {
        let shaped = zip(sound, window).map { Float($0) * $1 }
        var spectrum = Spectrum()
        var workspace = [Float](repeating: 0, count: fft.workspaceCount)
        shaped.withUnsafeBufferPointer { shaped in
            spectrum.real.withUnsafeMutableBufferPointer { real in
                spectrum.imaginary.withUnsafeMutableBufferPointer { imaginary in
                    workspace.withUnsafeMutableBufferPointer { workspace in
                        fft.forward(shaped, real: real, imaginary: imaginary, workspace: workspace)
                    }
                }
            }
        }
        return spectrum
    }

    private func signal(of spectrum: Spectrum) -> [Float] {
        var signal = [Float](repeating: 0, count: Self.size)
        var workspace = [Float](repeating: 0, count: fft.workspaceCount)
        spectrum.real.withUnsafeBufferPointer { real in
            spectrum.imaginary.withUnsafeBufferPointer { imaginary in
                signal.withUnsafeMutableBufferPointer { signal in
                    workspace.withUnsafeMutableBufferPointer { workspace in
                        fft.inverse(real: real, imaginary: imaginary, signal: signal, workspace: workspace)
                    }
                }
            }
        }
        return signal
    }
}

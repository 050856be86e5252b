// SPDX-License-Identifier: MIT

internal import Glibc

/// Four real Fourier transforms of 256 samples at once, one in each lane.
///
/// A chunk has four windows, so lanes need no shuffling and the code is that of a scalar transform: the even samples
/// are taken as real and the odd ones as imaginary parts of 128 numbers (radix 2, decimation in time), and the spectrum
/// of the 256 is assembled from theirs.
struct FourierBasis: Sendable {
    private static let size = 128

    private let reversed: [Int]
    private let cosines: [Float]
    private let sines: [Float]

    /// Makes the tables.
    init() {
        reversed = (0..<Self.size).map { index in
            (0..<7).reduce(0) { $0 | ((index >> $1) & 1) << (6 - $1) }
        }
        cosines = (0...Self.size).map { Float(cos(Double($0) * .pi / Double(Self.size))) }
        sines = (0...Self.size).map { Float(sin(Double($0) * .pi / Double(Self.size))) }
    }

    /// True if rows 0…128 of `basis` are cosines and rows 129…257 negative sines, both under `window`.
    static func isWindowed(_ basis: [Float], by window: [Float]) -> Bool {
        for bin in 0...size {
            for index in 0..<(2 * size) {
                // Reduced by hand, so that the angle stays exact.
                let angle = Double(bin * index % (2 * size)) * .pi / Double(size)
                let real = window[index] * Float(cos(angle)), imaginary = -window[index] * Float(sin(angle))
                guard abs(basis[bin * 2 * size + index] - real) < 1e-5,
                    abs(basis[(size + 1 + bin) * 2 * size + index] - imaginary) < 1e-5
                else { return false }
            }
        }
        return true
    }

    /// Computes the magnitudes of four windows.
    ///
    /// - Parameters:
    ///   - sample: The windowed sample `index` (0…255) of the four windows.
    ///   - work: 256 values of scratch memory.
    ///   - magnitudes: Memory for the 129 values of the result.
    @inline(__always)
    func magnitudes(
        of sample: (Int) -> SIMD4<Float>, work: UnsafeMutablePointer<SIMD4<Float>>,
        into magnitudes: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        let real = work, imaginary = work + Self.size
        reversed.withUnsafeBufferPointer { reversed in
            for index in 0..<Self.size {
                real[reversed[index]] = sample(2 * index)
                imaginary[reversed[index]] = sample(2 * index + 1)
            }
        }
        cosines.withUnsafeBufferPointer { cosines in
            sines.withUnsafeBufferPointer { sines in
                Self.transform(real, imaginary, cosines, sines)
                Self.split(real, imaginary, cosines, sines, into: magnitudes)
            }
        }
    }

    @inline(__always)
    private static func transform(
        _ real: UnsafeMutablePointer<SIMD4<Float>>, _ imaginary: UnsafeMutablePointer<SIMD4<Float>>,
        _ cosines: UnsafeBufferPointer<Float>, _ sines: UnsafeBufferPointer<Float>
    ) {
        var half = 1
        while half < size {
            let step = size / half
            for turn in 0..<half {
                let c = SIMD4(repeating: cosines[turn * step]), s = SIMD4(repeating: sines[turn * step])
                var upper = turn
                while upper < size {
                    let lower = upper + half
                    let r = real[lower] * c + imaginary[lower] * s
                    let i = imaginary[lower] * c - real[lower] * s
                    real[lower] = real[upper] - r
                    imaginary[lower] = imaginary[upper] - i
                    real[upper] += r
                    imaginary[upper] += i
                    upper += 2 * half
                }
            }
            half *= 2
        }
    }

    @inline(__always)
    private static func split(
        _ real: UnsafeMutablePointer<SIMD4<Float>>, _ imaginary: UnsafeMutablePointer<SIMD4<Float>>,
        _ cosines: UnsafeBufferPointer<Float>, _ sines: UnsafeBufferPointer<Float>,
        into magnitudes: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        for bin in 0...size {
            let here = bin % size, there = (size - bin) % size
            let evenReal = 0.5 * (real[here] + real[there])
            let evenImaginary = 0.5 * (imaginary[here] - imaginary[there])
            let oddReal = 0.5 * (imaginary[here] + imaginary[there])
            let oddImaginary = 0.5 * (real[there] - real[here])
            let c = SIMD4(repeating: cosines[bin]), s = SIMD4(repeating: sines[bin])
            let re = evenReal + oddReal * c + oddImaginary * s
            let im = evenImaginary + oddImaginary * c - oddReal * s
            magnitudes[bin] = (re * re + im * im).squareRoot()
        }
    }
}

// SPDX-License-Identifier: MIT

internal import Glibc

/// Kernels on spectra, over memory that the caller owns. Each works on as many values as its shortest side holds.
public enum Spectrum {
    /// The power |X|² of each bin, unscaled. A full-scale sine in the middle of a bin of a windowed transform has the
    /// power (Σ weights / 2)². `power` may be the same memory as `real` or `imaginary`.
    public static func power(
        real: UnsafeBufferPointer<Float>, imaginary: UnsafeBufferPointer<Float>,
        into power: UnsafeMutableBufferPointer<Float>
    ) {
        let count = min(real.count, imaginary.count, power.count)
        guard count > 0, let real = real.baseAddress, let imaginary = imaginary.baseAddress,
            let power = power.baseAddress
        else { return }
        var index = 0
        while index + 4 <= count {
            let (x, y) = (real.vector(index), imaginary.vector(index))
            power.store(x * x + y * y, index)
            index += 4
        }
        while index < count {
            power[index] = real[index] * real[index] + imaginary[index] * imaginary[index]
            index += 1
        }
    }

    /// The magnitude |X| of each bin, unscaled; the square root of `power`.
    public static func magnitude(
        real: UnsafeBufferPointer<Float>, imaginary: UnsafeBufferPointer<Float>,
        into magnitude: UnsafeMutableBufferPointer<Float>
    ) {
        let count = min(real.count, imaginary.count, magnitude.count)
        guard count > 0, let real = real.baseAddress, let imaginary = imaginary.baseAddress,
            let magnitude = magnitude.baseAddress
        else { return }
        var index = 0
        while index + 4 <= count {
            let (x, y) = (real.vector(index), imaginary.vector(index))
            magnitude.store((x * x + y * y).squareRoot(), index)
            index += 4
        }
        while index < count {
            magnitude[index] = (real[index] * real[index] + imaginary[index] * imaginary[index]).squareRoot()
            index += 1
        }
    }

    /// The products `samples` × `weights`, one by one: applies a window to a block. `target` may be `samples`.
    public static func weigh(
        _ samples: UnsafeBufferPointer<Float>, by weights: UnsafeBufferPointer<Float>,
        into target: UnsafeMutableBufferPointer<Float>
    ) {
        let count = min(samples.count, weights.count, target.count)
        guard count > 0, let samples = samples.baseAddress, let weights = weights.baseAddress,
            let target = target.baseAddress
        else { return }
        var index = 0
        while index + 8 <= count {
            target.store(samples.vector8(index) * weights.vector8(index), index)
            index += 8
        }
        while index < count {
            target[index] = samples[index] * weights[index]
            index += 1
        }
    }
}

/// Weights that fade a block of a signal in and out before it is transformed.
public enum Window: Sendable, Hashable, CaseIterable {
    /// 0.5 − 0.5·cos: 0 at the ends, side lobes that fall fast. The usual choice.
    case hann
    /// 0.54 − 0.46·cos: 0.08 at the ends, the first side lobe at −43 dB.
    case hamming
    /// 1 throughout.
    case rectangular

    /// The `count` weights. A periodic window (the default) is for transforms and overlapping blocks: its period is
    /// `count`, as in PyTorch and in SciPy's `sym=False`. A symmetric window ends with the weight that it begins with.
    public func weights(_ count: Int, isPeriodic: Bool = true) -> [Float] {
        guard count > 1 else { return [Float](repeating: 1, count: max(0, count)) }
        let period = Double(isPeriodic ? count : count - 1)
        return (0..<count).map { index in
            let turn = cos(2 * .pi * Double(index) / period)
            return switch self {
            case .hann: Float(0.5 - 0.5 * turn)
            case .hamming: Float(0.54 - 0.46 * turn)
            case .rectangular: 1
            }
        }
    }
}

// SPDX-License-Identifier: MIT

/// The discrete Fourier transform of real signals, forward and inverse: a plan that is made once and reused.
///
/// X[k] = Σ x[n]·exp(−2πi·k·n/size) for k in 0…size/2, unscaled; `inverse` divides by `size`, so that it undoes
/// `forward`. Sizes: a multiple of 8 whose only prime factors are 2, 3 and 5 (`isSupported`), so every power of two
/// from 8 on, and 400, 480 and 960. The error against an exact transform stays below 10⁻⁶ of the largest bin.
///
/// A plan is an immutable value: any number of threads may use one at the same time, each with a workspace of its own.
/// `forward` and `inverse` allocate nothing and are fit for an audio thread.
///
/// Method: half as many complex points by Stockham's self-sorting radix-4 steps (C. Van Loan, Computational Frameworks
/// for the Fast Fourier Transform, 1992), four butterflies at a time, then split into the spectrum of the real signal.
public struct RealFFT: Sendable {
    /// Real samples in a transform.
    public let size: Int
    /// Bins in a spectrum, from 0 hertz to half the sample rate, both included: size / 2 + 1.
    public var binCount: Int { size / 2 + 1 }
    /// Floats of scratch memory that a transform needs: `size`. Its content does not matter, before or after.
    public var workspaceCount: Int { size }

    let stages: FFTStages
    /// cos and sin of 2πk/size for k in 0…size/4, one after the other.
    private let split: [Float]

    /// True if there is a plan for `size`: a multiple of 8 with no prime factor above 5.
    public static func isSupported(size: Int) -> Bool {
        guard size >= 8, size % 8 == 0, size <= 1 << 28 else { return false }
        var rest = size
        for factor in [2, 3, 5] {
            while rest % factor == 0 { rest /= factor }
        }
        return rest == 1
    }

    /// Makes a plan; `isSupported(size:)` must hold. Takes a time in proportion to `size` and about 8 × `size` bytes.
    public init(size: Int) {
        precondition(Self.isSupported(size: size), "the size must be a multiple of 8 of factors 2, 3 and 5")
        self.size = size
        stages = FFTStages(count: size / 2)
        let quarter = size / 4 + 1
        var split = [Float](repeating: 0, count: 2 * quarter)
        for bin in 0..<quarter {
            let root = FFTStages.root(bin, of: size)
            split[bin] = root.real
            split[quarter + bin] = -root.imaginary
        }
        self.split = split
    }

    /// The spectrum of `signal` (`size` samples) as real and imaginary parts (`binCount` each). The imaginary parts of
    /// the first and the last bin are 0. The four memories must not overlap.
    public func forward(
        _ signal: UnsafeBufferPointer<Float>, real: UnsafeMutableBufferPointer<Float>,
        imaginary: UnsafeMutableBufferPointer<Float>, workspace: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(
            signal.count >= size && real.count >= binCount && imaginary.count >= binCount
                && workspace.count >= workspaceCount)
        guard let signal = signal.baseAddress, let real = real.baseAddress, let imaginary = imaginary.baseAddress,
            let workspace = workspace.baseAddress
        else { return }
        let half = SplitComplex(workspace, workspace + size / 2)
        stages.run(signal, into: half, by: SplitComplex(real, imaginary))
        splitSpectrum(half, real, imaginary)
    }

    /// The signal (`size` samples) of a spectrum (`binCount` real and imaginary parts), divided by `size`. The
    /// imaginary parts of the first and the last bin are taken for 0. The four memories must not overlap.
    public func inverse(
        real: UnsafeBufferPointer<Float>, imaginary: UnsafeBufferPointer<Float>,
        signal: UnsafeMutableBufferPointer<Float>, workspace: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(
            signal.count >= size && real.count >= binCount && imaginary.count >= binCount
                && workspace.count >= workspaceCount)
        guard let signal = signal.baseAddress, let real = real.baseAddress, let imaginary = imaginary.baseAddress,
            let workspace = workspace.baseAddress
        else { return }
        let count = size / 2
        let half = SplitComplex(workspace, workspace + count)
        let other = SplitComplex(signal, signal + count)
        // The steps go to and fro between the two; where they start decides that they end in the workspace.
        let packed = stages.endsWhereItBegan ? workspace : signal
        joinSpectrum(real, imaginary, packed)
        stages.run(packed, into: half, by: other)
        // The transform ran on swapped parts, which makes it the inverse.
        var index = 0
        while index + 4 <= count {
            signal.store(half.imaginary.vector(index).zipped(with: half.real.vector(index)), 2 * index)
            index += 4
        }
        while index < count {
            signal[2 * index] = half.imaginary[index]
            signal[2 * index + 1] = half.real[index]
            index += 1
        }
    }

    /// The spectrum of the real signal from that of the half as long complex one, Z (Z[count] is Z[0]):
    /// X[k] = (Z[k] + Z*[count − k]) / 2 − i·exp(−2πik/size)·(Z[k] − Z*[count − k]) / 2.
    private func splitSpectrum(
        _ z: SplitComplex, _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>
    ) {
        let count = size / 2
        real[0] = z.real[0] + z.imaginary[0]
        imaginary[0] = 0
        real[count] = z.real[0] - z.imaginary[0]
        imaginary[count] = 0
        split.withUnsafeBufferPointer { table in
            guard let cosine = table.baseAddress else { return }
            let sine = cosine + (size / 4 + 1)
            let pairs = count / 2
            var bin = 1
            while bin <= pairs {
                guard pairs >= 4 else {
                    let mirrored = count - bin
                    let low = SIMD2(z.real[bin], z.imaginary[bin]) * 0.5
                    let high = SIMD2(z.real[mirrored], z.imaginary[mirrored]) * 0.5
                    let (c, s) = (cosine[bin], sine[bin])
                    let (evenReal, evenImaginary) = (low.x + high.x, low.y - high.y)
                    let (oddReal, oddImaginary) = (low.y + high.y, high.x - low.x)
                    let turnedReal = c * oddReal + s * oddImaginary
                    let turnedImaginary = c * oddImaginary - s * oddReal
                    real[bin] = evenReal + turnedReal
                    imaginary[bin] = evenImaginary + turnedImaginary
                    real[mirrored] = evenReal - turnedReal
                    imaginary[mirrored] = turnedImaginary - evenImaginary
                    bin += 1
                    continue
                }
                // The last four overlap the ones before: the same values are written twice.
                if bin > pairs - 3 { bin = pairs - 3 }
                let mirrored = count - bin - 3
                let lowReal = z.real.vector(bin) * 0.5
                let lowImaginary = z.imaginary.vector(bin) * 0.5
                let highReal = z.real.vector(mirrored).reversed * 0.5
                let highImaginary = z.imaginary.vector(mirrored).reversed * 0.5
                let (c, s) = (cosine.vector(bin), sine.vector(bin))
                let evenReal = lowReal + highReal
                let evenImaginary = lowImaginary - highImaginary
                let oddReal = lowImaginary + highImaginary
                let oddImaginary = highReal - lowReal
                let turnedReal = c * oddReal + s * oddImaginary
                let turnedImaginary = c * oddImaginary - s * oddReal
                real.store((evenReal - turnedReal).reversed, mirrored)
                imaginary.store((turnedImaginary - evenImaginary).reversed, mirrored)
                real.store(evenReal + turnedReal, bin)
                imaginary.store(evenImaginary + turnedImaginary, bin)
                bin += 4
            }
        }
    }

    /// The inverse of `splitSpectrum`, divided by `size`, as pairs of imaginary and real part.
    private func joinSpectrum(
        _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, _ packed: UnsafeMutablePointer<Float>
    ) {
        let count = size / 2
        let scale = 1 / Float(size)
        packed[0] = (real[0] - real[count]) * scale
        packed[1] = (real[0] + real[count]) * scale
        split.withUnsafeBufferPointer { table in
            guard let cosine = table.baseAddress else { return }
            let sine = cosine + (size / 4 + 1)
            let pairs = count / 2
            var bin = 1
            while bin <= pairs {
                guard pairs >= 4 else {
                    let mirrored = count - bin
                    let low = SIMD2(real[bin], imaginary[bin]) * scale
                    let high = SIMD2(real[mirrored], imaginary[mirrored]) * scale
                    let (c, s) = (cosine[bin], sine[bin])
                    let (evenReal, evenImaginary) = (low.x + high.x, low.y - high.y)
                    let (turnedReal, turnedImaginary) = (low.x - high.x, low.y + high.y)
                    let oddReal = c * turnedReal - s * turnedImaginary
                    let oddImaginary = c * turnedImaginary + s * turnedReal
                    packed[2 * bin] = evenImaginary + oddReal
                    packed[2 * bin + 1] = evenReal - oddImaginary
                    packed[2 * mirrored] = oddReal - evenImaginary
                    packed[2 * mirrored + 1] = evenReal + oddImaginary
                    bin += 1
                    continue
                }
                if bin > pairs - 3 { bin = pairs - 3 }
                let mirrored = count - bin - 3
                let lowReal = real.vector(bin) * scale
                let lowImaginary = imaginary.vector(bin) * scale
                let highReal = real.vector(mirrored).reversed * scale
                let highImaginary = imaginary.vector(mirrored).reversed * scale
                let (c, s) = (cosine.vector(bin), sine.vector(bin))
                let evenReal = lowReal + highReal
                let evenImaginary = lowImaginary - highImaginary
                let turnedReal = lowReal - highReal
                let turnedImaginary = lowImaginary + highImaginary
                let oddReal = c * turnedReal - s * turnedImaginary
                let oddImaginary = c * turnedImaginary + s * turnedReal
                packed.store(
                    (oddReal - evenImaginary).reversed.zipped(with: (evenReal + oddImaginary).reversed), 2 * mirrored)
                packed.store((evenImaginary + oddReal).zipped(with: evenReal - oddImaginary), 2 * bin)
                bin += 4
            }
        }
    }
}

// SPDX-License-Identifier: MIT

/// The measures of a run of samples: the sum of the squares, the largest magnitude and the number at full scale.
///
/// Samples that are not numbers are left out. Values of several runs can be added together.
public struct SampleLevel: Sendable, Hashable {
    /// Samples that were numbers.
    public private(set) var count = 0
    /// The sum of their squares.
    public private(set) var sumOfSquares = 0.0
    /// The largest magnitude, linear; 0 for no samples.
    public private(set) var peak: Float = 0
    /// Samples whose magnitude is 32767/32768 or more.
    public private(set) var clipped = 0

    /// Makes an empty measure.
    public init() {}

    /// Measures `samples`, of any number of channels together. Allocates nothing.
    public init(of samples: UnsafeBufferPointer<Float>) { add(samples) }

    /// The root mean square, linear; 0 for no samples.
    public var rms: Float { count > 0 ? Float((sumOfSquares / Double(count)).squareRoot()) : 0 }

    /// Adds `samples` to what was measured so far.
    public mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        guard let base = samples.baseAddress else { return }
        var start = 0
        while start < samples.count {
            // Short runs, so that a float's precision is enough for the sum of each.
            let end = min(start + 512, samples.count)
            var index = start
            var squares = SIMD8<Float>(repeating: 0)
            var peaks = SIMD8<Float>(repeating: 0)
            var clips = SIMD8<Int32>(repeating: 0)
            var missing = SIMD8<Int32>(repeating: 0)
            while index + 8 <= end {
                Self.measure(base.vector8(index), &squares, &peaks, &clips, &missing)
                index += 8
            }
            if index < end {
                var rest = SIMD8<Float>(repeating: 0)
                for lane in 0..<end - index { rest[lane] = base[index + lane] }
                Self.measure(rest, &squares, &peaks, &clips, &missing)
            }
            sumOfSquares += Double(squares.sum())
            peak = max(peak, peaks.max())
            clipped += Int(clips.wrappedSum())
            count += end - start - Int(missing.wrappedSum())
            start = end
        }
    }

    @inline(__always)
    private static func measure(
        _ samples: SIMD8<Float>, _ squares: inout SIMD8<Float>, _ peaks: inout SIMD8<Float>,
        _ clips: inout SIMD8<Int32>, _ missing: inout SIMD8<Int32>
    ) {
        let isMissing = samples .!= samples
        let numbers = samples.replacing(with: 0, where: isMissing)
        squares += numbers * numbers
        let bits = unsafeBitCast(numbers, to: SIMD8<Int32>.self) & 0x7FFF_FFFF
        let magnitudes = unsafeBitCast(bits, to: SIMD8<Float>.self)
        peaks = peaks.replacing(with: magnitudes, where: magnitudes .> peaks)
        clips = clips.replacing(with: clips &+ 1, where: magnitudes .>= 32_767.0 / 32_768.0)
        missing = missing.replacing(with: missing &+ 1, where: isMissing)
    }
}

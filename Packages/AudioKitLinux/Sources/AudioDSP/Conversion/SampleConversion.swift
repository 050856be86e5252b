// SPDX-License-Identifier: MIT

/// Conversions between sample types over memory that the caller owns: no allocation, usable on an audio thread.
///
/// Full scale is −1…1: an integer of n bits is divided by 2ⁿ⁻¹, so −32768 becomes −1 and 32767 becomes 0.99997. The
/// inverse multiplies by 2ⁿ⁻¹, rounds to the nearest (a half to the even one) and clamps; not-a-number becomes 0.
/// Integer to float and back gives the same integer for 16 and 24 bits. Each converts as many samples as the shorter
/// side holds; the two sides must not overlap.
public enum SampleConversion {
    /// 1.5 × 2²³: a float of at most 2²² in magnitude that is added to it leaves its nearest integer in the low bits.
    @inline(__always)
    static var roundingFloat: Float { 12_582_912 }

    /// 16-bit integers to floats.
    public static func toFloat(_ source: UnsafeBufferPointer<Int16>, into target: UnsafeMutableBufferPointer<Float>) {
        let count = min(source.count, target.count)
        guard count > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
        // The compiler vectorises this loop, better than a conversion between vector types.
        for index in 0..<count { target[index] = Float(source[index]) * (1 / 32_768) }
    }

    /// Floats to 16-bit integers.
    public static func toInt16(_ source: UnsafeBufferPointer<Float>, into target: UnsafeMutableBufferPointer<Int16>) {
        let count = min(source.count, target.count)
        guard count > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
        var index = 0
        while index + 8 <= count {
            let low = rounded16(source.vector(index) * 32_768)
            let high = rounded16(source.vector(index + 4) * 32_768)
            store(low, high, UnsafeMutableRawPointer(target + index))
            index += 8
        }
        while index < count {
            target[index] = int16(source[index])
            index += 1
        }
    }

    /// As `toInt16(_:into:)` with noise of `dither` added first, which turns the error of rounding into a steady hiss
    /// that does not follow the signal.
    public static func toInt16(
        _ source: UnsafeBufferPointer<Float>, into target: UnsafeMutableBufferPointer<Int16>,
        dither: inout TPDFDither
    ) {
        let count = min(source.count, target.count)
        guard count > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
        var index = 0
        while index + 8 <= count {
            let low = rounded16(source.vector(index) * 32_768 + dither.next4())
            let high = rounded16(source.vector(index + 4) * 32_768 + dither.next4())
            store(low, high, UnsafeMutableRawPointer(target + index))
            index += 8
        }
        while index < count {
            let noise = dither.next()
            target[index] = Int16(truncatingIfNeeded: rounded16(SIMD4(repeating: source[index] * 32_768 + noise))[0])
            index += 1
        }
    }

    /// One sample as a 16-bit integer.
    public static func int16(_ value: Float) -> Int16 {
        Int16(truncatingIfNeeded: rounded16(SIMD4(repeating: value * 32_768))[0])
    }

    @inline(__always)
    private static func rounded16(_ scaled: SIMD4<Float>) -> SIMD4<Int32> {
        let numbers = scaled.replacing(with: 0, where: scaled .!= scaled)
        let clamped = numbers.replacing(with: 32_767, where: numbers .> 32_767)
            .replacing(with: -32_768, where: numbers .< -32_768)
        let bits = unsafeBitCast(clamped + roundingFloat, to: SIMD4<Int32>.self)
        return bits &- 0x4B40_0000
    }

    @inline(__always)
    private static func store(_ low: SIMD4<Int32>, _ high: SIMD4<Int32>, _ target: UnsafeMutableRawPointer) {
        let both = SIMD8<Int16>(truncatingIfNeeded: SIMD8<Int32>(lowHalf: low, highHalf: high))
        target.storeBytes(of: both, as: SIMD8<Int16>.self)
    }
}

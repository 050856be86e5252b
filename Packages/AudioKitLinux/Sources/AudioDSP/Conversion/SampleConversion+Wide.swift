// SPDX-License-Identifier: MIT

// 24 and 32 bits: scaling needs more than a float's 24 bits of precision, so these convert by doubles.
extension SampleConversion {
    /// 32-bit integers to floats; the lowest 8 bits are rounded away.
    public static func toFloat(_ source: UnsafeBufferPointer<Int32>, into target: UnsafeMutableBufferPointer<Float>) {
        scale(source, into: target, by: 1 / 2_147_483_648)
    }

    /// Floats to 32-bit integers; 1 and more become 2147483647.
    public static func toInt32(_ source: UnsafeBufferPointer<Float>, into target: UnsafeMutableBufferPointer<Int32>) {
        narrow(source, into: target, by: 2_147_483_648)
    }

    /// One sample as a 32-bit integer.
    public static func int32(_ value: Float) -> Int32 { rounded(SIMD4(repeating: value), 2_147_483_648)[0] }

    /// 24-bit integers in the low bytes of 32-bit containers (ALSA's `S24`) to floats. The container's top byte is
    /// ignored.
    public static func int24ToFloat(
        _ source: UnsafeBufferPointer<Int32>, into target: UnsafeMutableBufferPointer<Float>
    ) {
        let count = min(source.count, target.count)
        guard count > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
        var index = 0
        while index + 4 <= count {
            let containers = UnsafeRawPointer(source + index).loadUnaligned(as: SIMD4<Int32>.self)
            target.store(SIMD4<Float>(containers &<< 8) * (1 / 2_147_483_648), index)
            index += 4
        }
        while index < count {
            target[index] = Float(source[index] &<< 8) * (1 / 2_147_483_648)
            index += 1
        }
    }

    /// Floats to 24-bit integers, sign-extended into 32-bit containers.
    public static func toInt24(_ source: UnsafeBufferPointer<Float>, into target: UnsafeMutableBufferPointer<Int32>) {
        narrow(source, into: target, by: 8_388_608)
    }

    /// Packed 24-bit integers, three bytes each, the lowest first (ALSA's `S24_3LE`, WAV), to floats.
    public static func packedInt24ToFloat(
        _ source: UnsafeRawBufferPointer, into target: UnsafeMutableBufferPointer<Float>
    ) {
        let count = min(source.count / 3, target.count)
        guard count > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
        var index = 0
        // Each sample is read with the byte before it, which the top 24 bits of the word leave behind.
        if count > 0 {
            target[0] = Float(int24(source, 0)) * (1 / 2_147_483_648)
            index = 1
        }
        while index + 4 <= count {
            let bytes = source + 3 * index - 1
            let words = SIMD4<Int32>(
                bytes.loadUnaligned(as: Int32.self), bytes.loadUnaligned(fromByteOffset: 3, as: Int32.self),
                bytes.loadUnaligned(fromByteOffset: 6, as: Int32.self),
                bytes.loadUnaligned(fromByteOffset: 9, as: Int32.self))
            target.store(SIMD4<Float>(words & ~0xFF) * (1 / 2_147_483_648), index)
            index += 4
        }
        while index < count {
            target[index] = Float(int24(source, index)) * (1 / 2_147_483_648)
            index += 1
        }
    }

    /// Floats to packed 24-bit integers, three bytes each, the lowest first.
    public static func toPackedInt24(
        _ source: UnsafeBufferPointer<Float>, into target: UnsafeMutableRawBufferPointer
    ) {
        let count = min(source.count, target.count / 3)
        guard count > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
        var index = 0
        // Words of four bytes overlap: the next one writes over the fourth. So the last sample goes byte by byte.
        while index + 5 <= count {
            let words = rounded(source.vector(index), 8_388_608)
            let bytes = target + 3 * index
            bytes.storeBytes(of: words[0], as: Int32.self)
            bytes.storeBytes(of: words[1], toByteOffset: 3, as: Int32.self)
            bytes.storeBytes(of: words[2], toByteOffset: 6, as: Int32.self)
            bytes.storeBytes(of: words[3], toByteOffset: 9, as: Int32.self)
            index += 4
        }
        while index < count {
            let word = rounded(SIMD4(repeating: source[index]), 8_388_608)[0]
            target.storeBytes(of: Int16(truncatingIfNeeded: word), toByteOffset: 3 * index, as: Int16.self)
            target.storeBytes(of: Int8(truncatingIfNeeded: word >> 16), toByteOffset: 3 * index + 2, as: Int8.self)
            index += 1
        }
    }

    /// The 24 bits of a packed sample, in the top of a word.
    private static func int24(_ source: UnsafeRawPointer, _ index: Int) -> Int32 {
        let low = Int32(source.loadUnaligned(fromByteOffset: 3 * index, as: UInt16.self))
        let high = Int32(source.load(fromByteOffset: 3 * index + 2, as: Int8.self))
        return low << 8 | high << 24
    }

    private static func scale(
        _ source: UnsafeBufferPointer<Int32>, into target: UnsafeMutableBufferPointer<Float>, by factor: Float
    ) {
        let count = min(source.count, target.count)
        guard count > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
        var index = 0
        while index + 4 <= count {
            let integers = UnsafeRawPointer(source + index).loadUnaligned(as: SIMD4<Int32>.self)
            target.store(SIMD4<Float>(integers) * factor, index)
            index += 4
        }
        while index < count {
            target[index] = Float(source[index]) * factor
            index += 1
        }
    }

    private static func narrow(
        _ source: UnsafeBufferPointer<Float>, into target: UnsafeMutableBufferPointer<Int32>, by factor: Double
    ) {
        let count = min(source.count, target.count)
        guard count > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
        var index = 0
        while index + 4 <= count {
            UnsafeMutableRawPointer(target + index)
                .storeBytes(of: rounded(source.vector(index), factor), as: SIMD4<Int32>.self)
            index += 4
        }
        while index < count {
            target[index] = rounded(SIMD4(repeating: source[index]), factor)[0]
            index += 1
        }
    }

    @inline(__always)
    private static func rounded(_ samples: SIMD4<Float>, _ factor: Double) -> SIMD4<Int32> {
        let numbers = samples.replacing(with: 0, where: samples .!= samples)
        let low = bits(SIMD2<Double>(numbers.lowHalf), factor)
        let high = bits(SIMD2<Double>(numbers.highHalf), factor)
        return SIMD8(lowHalf: low, highHalf: high).evenHalf
    }

    /// 1.5 × 2⁵² leaves the nearest integer in the low half of each double.
    @inline(__always)
    private static func bits(_ samples: SIMD2<Double>, _ factor: Double) -> SIMD4<Int32> {
        let scaled = samples * factor
        let clamped = scaled.replacing(with: factor - 1, where: scaled .> factor - 1)
            .replacing(with: -factor, where: scaled .< -factor)
        return unsafeBitCast(clamped + 6_755_399_441_055_744, to: SIMD4<Int32>.self)
    }
}

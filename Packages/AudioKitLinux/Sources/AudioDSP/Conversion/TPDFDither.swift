// SPDX-License-Identifier: MIT

/// Noise with a triangular distribution over ±1 step of the narrower format (TPDF), which makes the error of rounding
/// independent of the signal (S. Lipshitz, R. Wannamaker, J. Vanderkooy, Quantization and Dither, 1992).
///
/// The noise of sample n depends on the seed and n alone: however a stream is cut, the result is the same.
public struct TPDFDither: Sendable, Hashable {
    private let key: UInt32
    private var position: UInt32 = 0

    /// Makes the noise of `seed`. Streams that are heard together take different ones.
    public init(seed: UInt64) {
        key = UInt32(truncatingIfNeeded: seed ^ (seed >> 32)) &* 0x9E37_79B9
    }

    /// The next four values, each in −1…1.
    @inline(__always)
    mutating func next4() -> SIMD4<Float> {
        let noise = Self.noise(SIMD4(repeating: position) &+ SIMD4(0, 1, 2, 3), key)
        position &+= 4
        return noise
    }

    /// The next value, in −1…1.
    public mutating func next() -> Float {
        let noise = Self.noise(SIMD4(repeating: position), key)[0]
        position &+= 1
        return noise
    }

    /// A hash of the position, whose two halves are two even draws; their sum is triangular.
    @inline(__always)
    private static func noise(_ positions: SIMD4<UInt32>, _ key: UInt32) -> SIMD4<Float> {
        var hash = positions ^ key
        hash ^= hash &>> 16
        hash = hash &* 0x7FEB_352D
        hash ^= hash &>> 15
        hash = hash &* 0x846C_A68B
        hash ^= hash &>> 16
        let sum = (hash & 0xFFFF) &+ (hash &>> 16)
        let signed = SIMD4<Int32>(truncatingIfNeeded: sum) &- 0xFFFF
        return SIMD4<Float>(signed) * (1 / 65_536)
    }
}

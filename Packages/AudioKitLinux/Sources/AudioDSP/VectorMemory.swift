// SPDX-License-Identifier: MIT

// The kernels read and write four floats at a time at any address: a caller's memory may start anywhere.

extension UnsafePointer<Float> {
    @inline(__always)
    func vector(_ index: Int) -> SIMD4<Float> {
        UnsafeRawPointer(self + index).loadUnaligned(as: SIMD4<Float>.self)
    }

    @inline(__always)
    func vector8(_ index: Int) -> SIMD8<Float> {
        UnsafeRawPointer(self + index).loadUnaligned(as: SIMD8<Float>.self)
    }
}

extension UnsafeMutablePointer<Float> {
    @inline(__always)
    func vector(_ index: Int) -> SIMD4<Float> { UnsafePointer(self).vector(index) }

    @inline(__always)
    func vector8(_ index: Int) -> SIMD8<Float> { UnsafePointer(self).vector8(index) }

    @inline(__always)
    func store(_ value: SIMD4<Float>, _ index: Int) {
        UnsafeMutableRawPointer(self + index).storeBytes(of: value, as: SIMD4<Float>.self)
    }

    @inline(__always)
    func store(_ value: SIMD8<Float>, _ index: Int) {
        UnsafeMutableRawPointer(self + index).storeBytes(of: value, as: SIMD8<Float>.self)
    }
}

extension SIMD4<Float> {
    @inline(__always)
    var reversed: SIMD4<Float> { SIMD4(self[3], self[2], self[1], self[0]) }

    /// The pairs (a0, b0, a1, b1, a2, b2, a3, b3).
    @inline(__always)
    func zipped(with other: SIMD4<Float>) -> SIMD8<Float> {
        SIMD8(self[0], other[0], self[1], other[1], self[2], other[2], self[3], other[3])
    }
}

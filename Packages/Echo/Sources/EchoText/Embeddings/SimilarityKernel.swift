// SPDX-License-Identifier: MIT

/// Products of vectors, sixteen components at a time.
enum SimilarityKernel {
    /// The sum of the products of two vectors' components, and that of the second one's squares.
    ///
    /// - Parameters:
    ///   - first: Must be as long as `second`.
    static func products(_ first: Span<Float>, _ second: Span<Float>) -> (dot: Float, square: Float) {
        precondition(first.count == second.count)
        let (left, right) = (first.bytes, second.bytes)
        var dots = SIMD16<Float>.zero
        var squares = SIMD16<Float>.zero
        let whole = first.count & ~15
        for offset in stride(from: 0, to: whole * 4, by: 64) {
            // SAFETY: the 64 bytes from `offset` are within `whole` floats of both, and any bits are floats.
            let (one, other) = unsafe (
                left.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<Float>.self),
                right.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<Float>.self)
            )
            dots += one * other
            squares += other * other
        }
        var (dot, square) = (dots.sum(), squares.sum())
        for index in whole..<first.count {
            dot += first[index] * second[index]
            square += second[index] * second[index]
        }
        return (dot, square)
    }
}

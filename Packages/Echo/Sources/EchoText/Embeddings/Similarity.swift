// SPDX-License-Identifier: MIT

/// Finds the vectors nearest in direction to another, by comparing all of them.
enum Similarity {
    /// The indices of the most similar vectors with the cosine of their angle, from −1 to 1, the most similar first; of
    /// two equal ones the earlier first.
    ///
    /// Vectors without a direction (zero, or with a component that is not finite) are left out, and so are those whose
    /// length differs from the query's.
    ///
    /// - Parameters:
    ///   - count: The number to find; all if there are fewer, and none if it is not positive.
    static func nearest(
        to query: [Float], in vectors: [[Float]], count: Int
    ) -> [(index: Int, similarity: Float)] {
        let length = SimilarityKernel.products(query.span, query.span).square
        var found: [(index: Int, similarity: Float)] = []
        guard count > 0 else { return found }
        for (index, vector) in vectors.enumerated() where vector.count == query.count {
            let (dot, square) = SimilarityKernel.products(query.span, vector.span)
            // Products of very large or small numbers exceed the range of Float.
            let isSafe = safe.contains(length) && safe.contains(square) && dot.isFinite
            let cosine = isSafe ? dot / (length.squareRoot() * square.squareRoot()) : careful(query, vector)
            if cosine.isFinite { found.append((index, min(1, max(-1, cosine)))) }
        }
        found.sort { $0.similarity == $1.similarity ? $0.index < $1.index : $0.similarity > $1.similarity }
        return Array(found.prefix(count))
    }

    private static let safe: ClosedRange<Float> = 1e-18...1e18

    private static func careful(_ first: [Float], _ second: [Float]) -> Float {
        var (dot, one, other) = (0.0, 0.0, 0.0)
        for (left, right) in zip(first, second) {
            dot += Double(left) * Double(right)
            one += Double(left) * Double(left)
            other += Double(right) * Double(right)
        }
        return Float(dot / (one.squareRoot() * other.squareRoot()))
    }
}

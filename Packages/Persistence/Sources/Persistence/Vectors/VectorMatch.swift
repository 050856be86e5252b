// SPDX-License-Identifier: MIT

/// A vector that was found.
public struct VectorMatch: Sendable, Equatable, Identifiable {
    /// The vector's own number.
    public let id: Int64
    /// How near it is; the higher, the nearer. Computed in single precision.
    public let score: Float

    /// A match.
    public init(id: Int64, score: Float) {
        self.id = id
        self.score = score
    }

    /// Whether this one comes first: the higher score, or the lower number at the same score.
    static func isNearer(_ first: VectorMatch, _ second: VectorMatch) -> Bool {
        first.score == second.score ? first.id < second.id : first.score > second.score
    }
}

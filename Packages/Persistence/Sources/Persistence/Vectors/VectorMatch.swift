// SPDX-License-Identifier: MIT

/// A vector that was found.
public struct VectorMatch: Sendable, Equatable, Identifiable {
    /// The vector's own number.
    public let id: Int64
    /// The nearness; the higher, the nearer. Computed in single precision.
    public let score: Float

    /// A match.
    public init(id: Int64, score: Float) {
        self.id = id
        self.score = score
    }

    /// True if the first match precedes the second: by the higher score, or the lower number at the same score.
    static func isNearer(_ first: VectorMatch, _ second: VectorMatch) -> Bool {
        first.score == second.score ? first.id < second.id : first.score > second.score
    }
}

/// The measure of nearness of two vectors.
public enum VectorMetric: Sendable, CaseIterable {
    /// The cosine of the angle between them, from -1 to 1.
    case cosine
    /// The sum of the products of their components.
    case dotProduct
}

/// The vectors that a search may find.
public enum VectorFilter: Sendable {
    /// All of them.
    case all
    /// Those with these numbers. Only they are looked at, so a small set makes a quick search.
    case ids(Set<Int64>)
    /// Those whose number is the index of a bit that is set: bit `id % 64` of word `id / 64`.
    case bitmap([UInt64])
    /// Those whose number fits. Called for no more vectors than would be among the nearest, on any thread.
    case matching(@Sendable (Int64) -> Bool)

    func accepts(_ id: Int64) -> Bool {
        switch self {
        case .all: true
        case .ids(let ids): ids.contains(id)
        case .bitmap(let words):
            id >= 0 && id / 64 < words.count && words[Int(id / 64)] >> UInt64(id % 64) & 1 == 1
        case .matching(let predicate): predicate(id)
        }
    }
}

extension DatabaseError.Code {
    /// A vector has another number of components than the index.
    public static let wrongDimension = DatabaseError.Code(rawValue: "wrongDimension")
}

extension DatabaseError {
    init(dimension: Int, wanted: Int) {
        self.init(
            code: .wrongDimension,
            message:
                "A vector of \(dimension) components does not fit an index of \(wanted): use the model that the index "
                + "was made with, or make a new index.")
    }

    init(damagedVectors path: String, detail: String) {
        self.init(
            code: .damaged,
            message: "\(path) is not a sound vector file (\(detail)). Nothing was deleted. Move it away with "
                + "Database.setAside and build the index again.")
    }
}

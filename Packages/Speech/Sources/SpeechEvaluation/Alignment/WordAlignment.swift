// SPDX-License-Identifier: MIT

/// Aligns a text's words with the recognised ones by the fewest edits (Levenshtein, 1966), by dynamic programming.
///
/// Of several such alignments it is the one with the most hits; of these, read from the end backwards, the one that
/// prefers a hit or a substitution to a deletion, and a deletion to an insertion. So the same words always have the
/// same alignment.
///
///     expected   the cat  sat  on the mat
///     heard      the bat       on the the mat
///                hit  subst.  del. hit hit ins. hit        errorRate = (1 + 1 + 1) / 6
public struct WordAlignment: Sendable, Hashable {
    /// One step of the alignment. The numbers are indices of the two lists.
    public enum Step: Sendable, Hashable {
        /// The expected word was heard.
        case hit(expected: Int, heard: Int)
        /// Another word was heard in its place.
        case substitution(expected: Int, heard: Int)
        /// An expected word was not heard.
        case deletion(expected: Int)
        /// A word was heard that was not expected.
        case insertion(heard: Int)
    }

    /// The largest number of compared pairs of words, which bounds the memory to 32 MB and the time to about a second.
    public static let mostPairs = 1 << 27

    /// Every word of both lists, in order.
    public let steps: [Step]
    /// Expected words that were heard.
    public let hits: Int
    /// Expected words that were replaced by another one.
    public let substitutions: Int
    /// Expected words that were not heard.
    public let deletions: Int
    /// Recognised words that were not expected.
    public let insertions: Int

    /// The word error rate: substitutions, deletions and insertions over the number of expected words; it can exceed 1.
    /// Without expected words it is 0 if no word was heard, else 1.
    public var errorRate: Double {
        let (expected, errors) = (hits + substitutions + deletions, substitutions + deletions + insertions)
        return expected > 0 ? Double(errors) / Double(expected) : (errors > 0 ? 1 : 0)
    }

    /// Aligns two lists of words, compared as strings. A heard nil equals no word.
    ///
    /// - Throws: ``EvaluationError`` with `textTooLong` if there are more than ``mostPairs`` pairs.
    public init(expected: [String], heard: [String?]) throws(EvaluationError) {
        let (pairs, isTooMany) = (expected.count + 1).multipliedReportingOverflow(by: heard.count + 1)
        guard !isTooMany, pairs <= Self.mostPairs else {
            throw EvaluationError(
                .textTooLong,
                "\(expected.count) words cannot be compared with \(heard.count) recognised ones. Evaluate shorter parts."
            )
        }
        var numbers: [String: Int32] = [:]
        for word in expected where numbers[word] == nil { numbers[word] = Int32(numbers.count) }
        let rows = expected.map { numbers[$0] ?? -1 }
        let columns = heard.map { $0.flatMap { numbers[$0] } ?? -1 }
        steps = Self.steps(rows, columns)
        var counts = (hits: 0, substitutions: 0, deletions: 0, insertions: 0)
        for step in steps {
            switch step {
            case .hit: counts.hits += 1
            case .substitution: counts.substitutions += 1
            case .deletion: counts.deletions += 1
            case .insertion: counts.insertions += 1
            }
        }
        (hits, substitutions, deletions, insertions) = counts
    }

    private static func steps(_ rows: [Int32], _ columns: [Int32]) -> [Step] {
        // An edit outweighs all hits together.
        let edit = min(rows.count, columns.count) + 1
        var directions = DirectionTable(rows: rows.count + 1, columns: columns.count + 1)
        var costs = (0...columns.count).map { $0 * edit }
        for column in stride(from: 1, through: columns.count, by: 1) { directions[0, column] = .left }
        for (row, word) in rows.enumerated() {
            var diagonal = costs[0]
            costs[0] += edit
            directions[row + 1, 0] = .up
            for column in columns.indices {
                let straight = diagonal + (word == columns[column] ? -1 : edit)
                diagonal = costs[column + 1]
                let up = costs[column + 1] + edit
                let left = costs[column] + edit
                if straight <= up, straight <= left {
                    costs[column + 1] = straight
                } else if up <= left {
                    costs[column + 1] = up
                    directions[row + 1, column + 1] = .up
                } else {
                    costs[column + 1] = left
                    directions[row + 1, column + 1] = .left
                }
            }
        }
        var steps: [Step] = []
        var (row, column) = (rows.count, columns.count)
        while row > 0 || column > 0 {
            switch directions[row, column] {
            case .diagonal:
                (row, column) = (row - 1, column - 1)
                let isHit = rows[row] == columns[column]
                steps.append(
                    isHit
                        ? .hit(expected: row, heard: column) : .substitution(expected: row, heard: column))
            case .up:
                row -= 1
                steps.append(.deletion(expected: row))
            case .left:
                column -= 1
                steps.append(.insertion(heard: column))
            }
        }
        return steps.reversed()
    }
}

/// The direction from which each cell of the table was reached, in two bits.
private struct DirectionTable {
    enum Direction: UInt8 {
        case diagonal, up, left
    }

    private let columns: Int
    private var bytes: [UInt8]

    init(rows: Int, columns: Int) {
        self.columns = columns
        bytes = [UInt8](repeating: 0, count: (rows * columns + 3) / 4)
    }

    /// Each cell is set at most once.
    subscript(row: Int, column: Int) -> Direction {
        get {
            let cell = row * columns + column
            return Direction(rawValue: bytes[cell / 4] >> UInt8(cell % 4 * 2) & 3) ?? .diagonal
        }
        set {
            let cell = row * columns + column
            bytes[cell / 4] |= newValue.rawValue << UInt8(cell % 4 * 2)
        }
    }
}

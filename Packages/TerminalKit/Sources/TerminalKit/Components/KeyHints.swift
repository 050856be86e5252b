// SPDX-License-Identifier: MIT

/// The keys that have a meaning now: "Enter record   q quit".
public struct KeyHints: Sendable, Equatable {
    private static let gap = "   "
    private let hints: [(key: String, meaning: String)]

    /// - Parameter hints: Each key with its meaning, the most important one first.
    public init(_ hints: [(key: String, meaning: String)]) { self.hints = hints }

    /// The hints on one line, without looks.
    public var text: String { hints.map { "\($0.key) \($0.meaning)" }.joined(separator: Self.gap) }

    /// The hints on as many lines as the width needs; none is broken.
    public func lines(width: Int, theme: Theme) -> [String] {
        var (lines, column) = ([""], 0)
        for hint in hints {
            let columns = "\(hint.key) \(hint.meaning)".columns
            if column > 0, column + Self.gap.count + columns > width {
                lines.append("")
                column = 0
            }
            if column > 0 {
                lines[lines.count - 1] += Self.gap
                column += Self.gap.count
            }
            lines[lines.count - 1] += theme.styled(hint.key, .strong) + " " + hint.meaning
            column += columns
        }
        return lines
    }

    /// True if both have the same hints.
    public static func == (left: KeyHints, right: KeyHints) -> Bool { left.text == right.text }
}

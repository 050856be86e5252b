// SPDX-License-Identifier: MIT

/// The keys that have a meaning now: "Enter record   q quit".
public struct KeyHints: Sendable, Equatable {
    private static let gap = "   "
    private let hints: [(key: String, meaning: String)]

    /// - Parameter hints: Each key with its meaning, the most important one first.
    public init(_ hints: [(key: String, meaning: String)]) { self.hints = hints }

    /// The hints on one line, without looks.
    public var text: String { hints.map { "\($0.key) \($0.meaning)" }.joined(separator: Self.gap) }

    /// The first hints that fit on one line, with an ellipsis in place of the others.
    public func line(width: Int, glyphs: Glyphs) -> String {
        guard text.columns > width else { return text }
        var line = ""
        for hint in hints {
            let longer = (line.isEmpty ? "" : line + Self.gap) + "\(hint.key) \(hint.meaning)"
            guard longer.columns + 2 <= width else { break }
            line = longer
        }
        return line.isEmpty ? text.cut(to: width) : "\(line) \(glyphs.ellipsis)"
    }

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

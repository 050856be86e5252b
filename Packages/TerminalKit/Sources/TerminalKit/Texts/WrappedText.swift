// SPDX-License-Identifier: MIT

/// Text for a terminal of a width: lines that are too long are broken between words, never within one. Pure.
public enum WrappedText {
    /// The least width at which lines are broken; below it there is no room for words.
    private static let narrowest = 20

    /// The text with its long lines broken.
    ///
    /// A line with a label or a column, before two spaces or more, continues below the text behind them; four columns
    /// behind its own beginning if the label takes more than half of the width. Any other line continues below its own
    /// beginning. An isolate (UAX #9 §2.5) ends with its line and begins again on the next one.
    ///
    /// - Parameters:
    ///   - text: One line or several.
    ///   - width: The columns of a line; nil leaves the text as it is.
    public static func lines(_ text: String, width: Int?) -> String {
        guard let width, width >= narrowest else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { broken(Array($0.unicodeScalars), width) }.joined(separator: "\n")
    }

    /// The columns that a line takes; escape sequences take none.
    public static func columns(of line: String) -> Int {
        pieces(of: Array(line.unicodeScalars)).reduce(0) { $0 + $1.columns }
    }

    /// A run of scalars with its width in columns; escape sequences have none.
    private struct Piece {
        var scalars = String.UnicodeScalarView()
        var columns = 0
        let isSpace: Bool
    }

    private static func broken(_ line: [Unicode.Scalar], _ width: Int) -> String {
        let pieces = pieces(of: line)
        guard pieces.reduce(0, { $0 + $1.columns }) > width else { return text(line) }
        let hang = hang(of: pieces, width)
        var (result, column, pending) = (String.UnicodeScalarView(), 0, Piece(isSpace: true))
        var isIsolated = false
        for piece in pieces {
            if piece.isSpace {
                pending = piece
                continue
            }
            // Nothing is broken at the beginning of a line.
            if column + pending.columns + piece.columns > width, column > hang {
                if isIsolated { result.append("\u{2069}") }
                result.append("\n")
                result.append(contentsOf: String(repeating: " ", count: hang).unicodeScalars)
                if isIsolated { result.append("\u{2068}") }
                column = hang
            } else {
                result.append(contentsOf: pending.scalars)
                column += pending.columns
            }
            pending = Piece(isSpace: true)
            result.append(contentsOf: piece.scalars)
            column += piece.columns
            isIsolated =
                piece.scalars.last { $0 == "\u{2068}" || $0 == "\u{2069}" }.map { $0 == "\u{2068}" } ?? isIsolated
        }
        return String(result)
    }

    /// The column at which a broken line continues: behind the last gap of two spaces or more in its first half. If the
    /// only gap behind a label comes later, the text is indented, so that it does not look like the next label.
    private static func hang(of pieces: [Piece], _ width: Int) -> Int {
        var (column, hang) = (0, 0)
        for (index, piece) in pieces.enumerated() {
            column += piece.columns
            let isGap = piece.isSpace && (index == 0 || piece.columns > 1)
            if column <= width / 2 {
                if isGap { hang = column }
            } else if isGap, index > 0 {
                let indent = pieces[0].isSpace ? pieces[0].columns : 0
                return hang == indent ? hang + 4 : hang
            }
        }
        return hang
    }

    private static func pieces(of line: [Unicode.Scalar]) -> [Piece] {
        var pieces: [Piece] = []
        var counter = ColumnCounter()
        var index = 0
        while index < line.count {
            let scalar = line[index]
            if scalar == "\u{1B}", index + 1 < line.count, line[index + 1] == "[" {
                // A control sequence ends with a byte from @ to ~ (ECMA-48 §5.4).
                let end = line[(index + 2)...].firstIndex { (0x40...0x7E).contains($0.value) } ?? line.count - 1
                if pieces.last.map(\.isSpace) ?? true { pieces.append(Piece(isSpace: false)) }
                pieces[pieces.count - 1].scalars.append(contentsOf: line[index...end])
                index = end + 1
                continue
            }
            let columns = counter.add(scalar)
            if pieces.last?.isSpace != (scalar == " ") || columns > 0 && mayBreak(pieces.last?.scalars.last, scalar) {
                pieces.append(Piece(isSpace: scalar == " "))
            }
            pieces[pieces.count - 1].scalars.append(scalar)
            pieces[pieces.count - 1].columns += columns
            index += 1
        }
        return pieces
    }

    /// True between two characters of which one is East Asian and wide: such a text has no spaces. No line begins with what
    /// closes, or ends with what opens (JIS X 4051).
    private static func mayBreak(_ last: Unicode.Scalar?, _ next: Unicode.Scalar) -> Bool {
        guard let last, last.columns == 2 || next.columns == 2 else { return false }
        return !closing.contains(next) && !opening.contains(last)
    }

    private static let closing = Set("、。，．・：；？！」』）］｝〉》】〕ー々…)]}.,:;!?%ぁぃぅぇぉっゃゅょァィゥェォッャュョ".unicodeScalars)
    private static let opening = Set("「『（［｛〈《【〔([{".unicodeScalars)

    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}

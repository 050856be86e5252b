// SPDX-License-Identifier: MIT

/// The rows of a table (GitHub Flavored Markdown §4.10), laid out when the last row has arrived.
struct MarkdownTable {
    /// A table with more rows or scalars than this is shown unchanged.
    static let rowLimit = 200
    static let scalarLimit = 50_000

    private(set) var lines: [[Unicode.Scalar]] = []
    private var rows = 0
    private var count = 0

    var isFull: Bool { rows > Self.rowLimit || count > Self.scalarLimit }

    mutating func add(_ line: [Unicode.Scalar]) {
        lines.append(line)
        rows += 1
        count += line.count
    }

    /// Removes the lines of a full table, which stays full.
    mutating func takeLines() -> [[Unicode.Scalar]] {
        defer { lines = [] }
        return lines
    }

    /// The rows with their cells one below the other; `nil` if it is no table, or too wide.
    func layout(width: Int, glyphs: Glyphs) -> [[StyledScalar]]? {
        guard lines.count >= 2, let alignments = Self.alignments(of: lines[1]) else { return nil }
        let rows = ([lines[0]] + lines.dropFirst(2)).enumerated().map { index, line in
            Self.cells(of: line).prefix(alignments.count).map {
                InlineMarkdown.styled($0, index == 0 ? .bold : [])
            }
        }
        let widths = alignments.indices.map { column in
            rows.map { column < $0.count ? Self.columns($0[column]) : 0 }.max() ?? 0
        }
        guard widths.reduce(0, +) + 3 * (widths.count - 1) <= width else { return nil }
        let bar = Self.dim(" \(glyphs.vertical) ")
        var result = rows.map { row in
            Array(
                alignments.indices.map { column in
                    Self.padded(column < row.count ? row[column] : [], to: widths[column], alignments[column])
                }.joined(separator: bar))
        }
        let line = glyphs.horizontal
        let rule = widths.map { String(repeating: line, count: $0) }.joined(
            separator: "\(line)\(glyphs.crossing)\(line)")
        result.insert(Self.dim(rule), at: 1)
        return result
    }

    private enum Alignment {
        case left, right, centre
    }

    private static func padded(_ cell: [StyledScalar], to width: Int, _ alignment: Alignment) -> [StyledScalar] {
        let room = width - columns(cell)
        let before =
            switch alignment {
            case .left: 0
            case .right: room
            case .centre: room / 2
            }
        let space = StyledScalar(scalar: " ", style: [])
        return Array(repeating: space, count: before) + cell + Array(repeating: space, count: room - before)
    }

    private static func dim(_ text: String) -> [StyledScalar] {
        text.unicodeScalars.map { StyledScalar(scalar: $0, style: .dim) }
    }

    private static func columns(_ cell: [StyledScalar]) -> Int {
        var counter = ColumnCounter()
        return cell.reduce(0) { $0 + counter.add($1.scalar) }
    }

    /// The alignments in a row of dashes; `nil` for another row.
    private static func alignments(of line: [Unicode.Scalar]) -> [Alignment]? {
        var result: [Alignment] = []
        for cell in cells(of: line) {
            let isLeft = cell.first == ":"
            let isRight = cell.count > 1 && cell.last == ":"
            let dashes = cell.dropFirst(isLeft ? 1 : 0).dropLast(isRight ? 1 : 0)
            guard !dashes.isEmpty, dashes.allSatisfy({ $0 == "-" }) else { return nil }
            result.append(isRight ? (isLeft ? .centre : .right) : .left)
        }
        return result.isEmpty ? nil : result
    }

    private static func cells(of line: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        var cells: [[Unicode.Scalar]] = [[]]
        var isEscaped = false
        for scalar in line.drop(while: { $0 == " " }).dropFirst() {
            if scalar == "|", !isEscaped {
                cells.append([])
            } else {
                if scalar == "|" { cells[cells.count - 1].removeLast() }
                cells[cells.count - 1].append(scalar == "\t" ? " " : scalar)
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        let trimmed = cells.map { cell in
            Array(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        return trimmed.last?.isEmpty == true ? trimmed.dropLast() : trimmed
    }
}

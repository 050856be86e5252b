// SPDX-License-Identifier: MIT

/// The kind of line that begins with some scalars (CommonMark 0.31 §4 and §5; indented code and HTML are plain lines here).
enum BlockStart: Equatable {
    /// The kind depends on scalars that have not arrived.
    case undecided
    /// A line of text behind a marker.
    case text(LineMarker, length: Int)
    /// A heading of a level.
    case heading(Int, LineMarker, length: Int)
    /// A line whose kind depends on its end: it may be a fence, a rule, or a row of a table.
    case wholeLine

    /// Examines the received part of a line.
    ///
    /// - Parameter isWhole: True if the line is complete.
    init(_ line: [Unicode.Scalar], isWhole: Bool, glyphs: Glyphs) {
        var scan = Scan(line: line, isWhole: isWhole, marker: LineMarker(glyphs: glyphs))
        self = scan.start()
    }

    private struct Scan {
        let line: [Unicode.Scalar]
        let isWhole: Bool
        var marker: LineMarker
        var position = 0

        private var next: Unicode.Scalar? { position < line.count ? line[position] : nil }

        mutating func start() -> BlockStart {
            while true {
                let begin = position
                while next == " " || next == "\t" { position += 1 }
                guard let first = next else { return isWhole ? text() : .undecided }
                let indent = position - begin
                switch first {
                case ">" where marker.depth < LineMarker.deepest:
                    guard position + 1 < line.count || isWhole else { return .undecided }
                    marker.add(indent: indent)
                    marker.addQuote()
                    position += 1
                    if next == " " { position += 1 }
                    continue
                case "#": return heading(indent)
                case "`", "~": return fence(first, begin)
                case "|": return marker.isQuote ? text(from: begin) : .wholeLine
                case "-", "*", "+", "_": return bullet(first, indent, begin)
                case "0"..."9": return number(indent, begin)
                default: return text(from: begin)
                }
            }
        }

        private func text() -> BlockStart { .text(marker, length: position) }

        /// A line that is only text, with its indentation from `begin` on.
        private mutating func text(from begin: Int) -> BlockStart {
            position = begin
            while next == " " || next == "\t" { position += 1 }
            marker.add(indent: position - begin)
            return text()
        }

        private mutating func heading(_ indent: Int) -> BlockStart {
            let level = line[position...].prefix { $0 == "#" }.count
            let after = position + level
            guard after < line.count || isWhole else { return level > 6 ? text(from: position - indent) : .undecided }
            guard level <= 6, after >= line.count || line[after] == " " else { return text(from: position - indent) }
            marker.add(indent: indent)
            let length = after + line[after...].prefix { $0 == " " }.count
            // Further spaces before the words may still arrive.
            return length < line.count || isWhole ? .heading(level, marker, length: length) : .undecided
        }

        private mutating func fence(_ mark: Unicode.Scalar, _ begin: Int) -> BlockStart {
            let count = line[position...].prefix { $0 == mark }.count
            if count >= 3, !marker.isQuote { return .wholeLine }
            return position + count < line.count || isWhole ? text(from: begin) : .undecided
        }

        private mutating func bullet(_ mark: Unicode.Scalar, _ indent: Int, _ begin: Int) -> BlockStart {
            let isRule = mark != "+" && !marker.isQuote && line[position...].allSatisfy { $0 == mark || $0 == " " }
            if isRule, isWhole {
                return line[position...].count { $0 == mark } >= 3 ? .wholeLine : item(mark, indent, begin)
            }
            if isRule || position + 1 == line.count { return isWhole ? item(mark, indent, begin) : .undecided }
            return item(mark, indent, begin)
        }

        private mutating func item(_ mark: Unicode.Scalar, _ indent: Int, _ begin: Int) -> BlockStart {
            guard mark != "_", position + 1 >= line.count || line[position + 1] == " " else { return text(from: begin) }
            marker.add(indent: indent)
            marker.addBullet()
            position = min(line.count, position + 2)
            return text()
        }

        private mutating func number(_ indent: Int, _ begin: Int) -> BlockStart {
            let digits = line[position...].prefix { ("0"..."9").contains($0) }
            let after = position + digits.count
            guard digits.count <= 9 else { return text(from: begin) }
            guard after + 1 < line.count || isWhole else { return .undecided }
            guard after < line.count, line[after] == "." || line[after] == ")",
                after + 1 >= line.count || line[after + 1] == " "
            else { return text(from: begin) }
            marker.add(indent: indent)
            marker.add(String(String.UnicodeScalarView(digits)) + String(line[after]) + " ")
            position = min(line.count, after + 2)
            return text()
        }
    }
}

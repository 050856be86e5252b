// SPDX-License-Identifier: MIT

import Domain
import TerminalKit

/// Draws a ``MapPicture`` with characters: Unicode braille patterns (two by four dots a cell) or, where the terminal
/// has no Unicode, ASCII. The marked states are filled, with a star (or, if they are several, a digit) at their
/// centres, and named below.
struct BrailleMapRenderer: Sendable {
    /// The widths that a map can have, in character cells.
    static let columnRange = 20...160
    /// The width if the terminal does not report its own.
    static let defaultColumns = 100

    /// The width of the map in character cells; no line is longer.
    let columns: Int
    /// The looks of states, and the signs.
    let theme: Theme

    /// Makes a renderer; `columns` is clamped to ``columnRange``.
    init(columns: Int = defaultColumns, theme: Theme = .plain()) {
        self.columns = min(max(columns, Self.columnRange.lowerBound), Self.columnRange.upperBound)
        self.theme = theme
    }

    /// The map and the names, as lines that each end with a line feed.
    func render(_ picture: MapPicture) -> String {
        let scale = Double(columns * 2)
        let lines = Int((picture.height * scale / 4).rounded(.up))
        let (land, marked) = draw(picture, scale: scale, lines: lines)
        var glyphs: [Int: Character] = [:]
        for (index, marker) in picture.markers.enumerated() {
            let column = Int((marker.point.x * scale / 2).rounded(.down))
            let line = Int((marker.point.y * scale / 4).rounded(.down))
            guard (0..<columns).contains(column), (0..<lines).contains(line) else { continue }
            glyphs[line * columns + column] = symbol(index, of: picture.markers.count)
        }
        var output = ""
        for line in 0..<lines {
            var text = StyledLine(theme: theme)
            for column in 0..<columns {
                if let glyph = glyphs[line * columns + column] {
                    text.append(glyph, .marker)
                    continue
                }
                let filled = marked.cell(column: column, line: line)
                let mask = filled | land.cell(column: column, line: line)
                if mask == 0 {
                    text.append(" ", .plain)
                } else if theme.glyphs.hasUnicode {
                    text.append(DotCanvas.braille(mask), filled == 0 ? .land : .marked)
                } else {
                    text.append(ASCIIGlyphs.glyph(for: mask, filled: filled), filled == 0 ? .land : .marked)
                }
            }
            output += text.finished() + "\n"
        }
        output += "\n"
        for (index, marker) in picture.markers.enumerated() {
            output += caption(marker, symbol(index, of: picture.markers.count))
        }
        return output
    }

    /// The outlines of all states, and the filled states that are marked.
    private func draw(_ picture: MapPicture, scale: Double, lines: Int) -> (land: DotCanvas, marked: DotCanvas) {
        let empty = DotCanvas(columns: columns, lines: lines)
        var land = empty
        var marked = empty
        var borders = empty
        var gaps = empty
        for shape in picture.shapes {
            let rings = shape.rings.map { $0.map { MapPoint(x: $0.x * scale, y: $0.y * scale) } }
            guard shape.isMarked else {
                for ring in rings { land.ring(ring) }
                continue
            }
            var border = empty
            for ring in rings { border.ring(ring) }
            marked.fill(rings)
            marked.formUnion(border)
            // Two marked neighbours stay apart: their common border is left empty.
            var shared = border
            shared.formIntersection(borders)
            gaps.formUnion(shared)
            borders.formUnion(border)
        }
        marked.subtract(gaps)
        land.subtract(gaps)
        return (land, marked)
    }

    private func symbol(_ index: Int, of count: Int) -> Character {
        let digits = Array("123456789abcdefghijklmnopqrstuvwxyz")
        return count > 1 && index < digits.count ? digits[index] : theme.glyphs.star
    }

    /// The text about a state below the map: on one line if it fits, else on as many as it takes.
    private func caption(_ marker: MapPicture.Marker, _ symbol: Character) -> String {
        let separator = theme.glyphs.separator
        let parts = ["capital " + marker.state.capital, marker.position(degree: theme.glyphs.hasUnicode ? "°" : "")]
        var output = ""
        var text = StyledLine(theme: theme)
        text.append("  ", .plain)
        text.append(symbol, .marker)
        text.append(" ", .plain)
        text.append(fitting(marker.title, in: columns - text.count), .strong)
        for part in parts {
            if text.count + separator.count + part.count <= columns {
                text.append(separator + part, .plain)
            } else {
                output += text.finished() + "\n"
                text = StyledLine(theme: theme)
                text.append(fitting("    " + part, in: columns), .plain)
            }
        }
        return output + text.finished() + "\n"
    }

    private func fitting(_ text: String, in columns: Int) -> String {
        let readable = theme.glyphs.hasUnicode ? text : String(text.map { $0.isASCII ? $0 : "?" })
        return readable.count <= columns ? readable : readable.prefix(columns - 1) + String(theme.glyphs.ellipsis)
    }
}

/// The ASCII character that looks most like a cell of two by four dots.
enum ASCIIGlyphs {
    /// Dots in the order of ``DotCanvas/cell(column:line:)``; of two equally near glyphs the first is taken.
    private static let shapes: [(dots: UInt8, glyph: Character)] = [
        (0b1100_0000, "_"), (0b0001_0010, "-"), (0b0010_0100, "-"), (0b0000_1001, "\""), (0b0100_0111, "|"),
        (0b1011_1000, "|"), (0b0110_0011, "\\"), (0b1010_0011, "\\"), (0b0101_1100, "/"), (0b0001_1100, "/"),
        (0b0000_0011, "'"), (0b0001_1000, "'"), (0b0100_0000, "."), (0b1000_0000, "."), (0b0110_0100, "."),
        (0b1010_0000, ","), (0b0100_0100, ","), (0b0000_0001, "`"), (0b0000_1000, "'"), (0b0000_0010, "-"),
        (0b0001_0000, "-"), (0b0000_0100, "."), (0b0010_0000, "."), (0b0111_1110, "+"), (0b1111_1111, "+"),
    ]

    /// The glyph for the dots `mask`; its dots in `filled` belong to a marked state.
    static func glyph(for mask: UInt8, filled: UInt8) -> Character {
        if filled.nonzeroBitCount >= 3 || filled == mask { return "#" }
        return shapes.min { ($0.dots ^ mask).nonzeroBitCount < ($1.dots ^ mask).nonzeroBitCount }?.glyph ?? "+"
    }
}

// SPDX-License-Identifier: MIT

/// The ASCII character that looks most like a cell of two by four dots.
enum ASCIIGlyphs {
    /// Dots in the order of ``DotCanvas/cell(column:line:)``; the first of two equally near ones is taken.
    private static let shapes: [(dots: UInt8, glyph: Character)] = [
        (0b1100_0000, "_"), (0b0001_0010, "-"), (0b0010_0100, "-"), (0b0000_1001, "\""), (0b0100_0111, "|"),
        (0b1011_1000, "|"), (0b0110_0011, "\\"), (0b1010_0011, "\\"), (0b0101_1100, "/"), (0b0001_1100, "/"),
        (0b0000_0011, "'"), (0b0001_1000, "'"), (0b0100_0000, "."), (0b1000_0000, "."), (0b0110_0100, "."),
        (0b1010_0000, ","), (0b0100_0100, ","), (0b0000_0001, "`"), (0b0000_1000, "'"), (0b0000_0010, "-"),
        (0b0001_0000, "-"), (0b0000_0100, "."), (0b0010_0000, "."), (0b0111_1110, "+"), (0b1111_1111, "+"),
    ]

    /// The glyph for the dots `mask`, of which `filled` belong to a marked state.
    static func glyph(for mask: UInt8, filled: UInt8) -> Character {
        if filled.nonzeroBitCount >= 3 || filled == mask { return "#" }
        return shapes.min { ($0.dots ^ mask).nonzeroBitCount < ($1.dots ^ mask).nonzeroBitCount }?.glyph ?? "+"
    }
}

// SPDX-License-Identifier: MIT

/// What a model or a tool wrote, which may be made to drive a terminal.
enum ModelText {
    /// The scalar as it may be shown: control characters (C0, C1, DEL) and those which turn the direction of writing become
    /// spaces; line feeds and tabs stay; `nil` for a carriage return.
    static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x0A, 0x09: scalar
        case 0x0D: nil
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: " "
        default: scalar
        }
    }

    /// The text without anything that drives a terminal.
    static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.compactMap(shown)))
    }

    /// The text on one line, cut to so many characters.
    static func short(_ text: String, limit: Int) -> String {
        let line = text.printable.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count <= limit ? shown(line) : shown(line.prefix(max(0, limit - 1)) + "…")
    }
}

// SPDX-License-Identifier: MIT

/// What a model or a tool wrote, which may be made to drive a terminal.
enum ModelText {
    /// The scalar as it may be shown: control characters (C0, C1, DEL) become spaces; line feeds and tabs stay; `nil` for a
    /// carriage return, and for what changes the direction of the text.
    static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x0A, 0x09: scalar
        case 0x0D: nil
        default: scalar.changesDirection ? nil : scalar.isControl ? " " : scalar
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

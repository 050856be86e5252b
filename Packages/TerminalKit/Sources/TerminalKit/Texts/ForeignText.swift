// SPDX-License-Identifier: MIT

/// Text of a model or a tool, which may be made to drive a terminal.
public enum ForeignText {
    /// The scalar as it may be shown: control characters (C0, C1, DEL) become spaces; line feeds and tabs stay; `nil`
    /// for a carriage return, and for scalars that change the direction of the text.
    public static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0x0A, 0x09: scalar
        case 0x0D: nil
        default: scalar.changesDirection ? nil : scalar.isControl ? " " : scalar
        }
    }

    /// The text without sequences that drive a terminal.
    public static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.compactMap(shown)))
    }

    /// The text on one line, cut to `limit` characters.
    public static func short(_ text: String, limit: Int) -> String {
        let line = text.printable.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count <= limit ? shown(line) : shown(line.prefix(max(0, limit - 1)) + "…")
    }
}

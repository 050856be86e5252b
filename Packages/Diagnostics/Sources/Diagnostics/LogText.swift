// SPDX-License-Identifier: MIT

/// Makes text safe for one line of a log.
enum LogText {
    /// The text with backslashes, control characters, line separators and bidirectional overrides escaped.
    ///
    /// A value cannot end its line, start another one, move the cursor, or reorder what a terminal shows.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: needsEscape) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case let scalar where needsEscape(scalar): result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A metadata value: bare if it is one plain word, quoted otherwise, so that it cannot pose as another key.
    static func value(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy(isPlain)
        return isPlain ? text : "\"" + escaped(text).replacingQuotes() + "\""
    }

    /// A key or a category: every character that is not plain becomes `_`.
    static func name(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars { result.unicodeScalars.append(isPlain(scalar) ? scalar : "_") }
        return result.isEmpty ? "_" : result
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", ":", "/", "+", "<", ">", "%", "@", "#", ",": true
        default: false
        }
    }

    /// True for a scalar that could end a line, move the cursor or reorder the text on a terminal; all of these are
    /// below U+10000.
    static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x5C, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    fileprivate func replacingQuotes() -> String {
        split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
    }
}

// SPDX-License-Identifier: MIT

/// Text within a page: of a browser, and of a mail.
enum HTMLText {
    /// A value as text of HTML, also within an attribute in quotation marks.
    static func escaped(_ value: String) -> String {
        value.reduce(into: "") { text, character in
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.append(character)
            }
        }
    }
}

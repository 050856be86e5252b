// SPDX-License-Identifier: MIT

/// Texts with placeholders in braces, as Python's `str.format` and gettext's `python-brace-format` have them, without formats:
/// `{name}`; `{{` and `}}` are braces. A text never is a format of printf, so no translation can read memory.
enum PlaceholderTemplate {
    enum Part: Equatable {
        case literal(Substring)
        case placeholder(Substring)
        /// A brace that belongs to neither.
        case stray(Substring)
    }

    static func parts(of text: String) -> [Part] {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
            return text.isEmpty ? [] : [.literal(text[...])]
        }
        var (parts, rest): ([Part], Substring) = ([], text[...])
        while let start = rest.utf8.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
            if start > rest.startIndex { parts.append(.literal(rest[..<start])) }
            let brace = rest.unicodeScalars[start]
            let next = rest.unicodeScalars.index(after: start)
            let behind = rest.unicodeScalars[next...]
            if behind.first == brace {
                parts.append(.literal(rest[start..<next]))
                rest = rest[rest.unicodeScalars.index(after: next)...]
                continue
            }
            let name = Substring(
                behind.prefix {
                    $0 == "_" || $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                })
            let end = name.endIndex
            if brace == "{", let first = name.unicodeScalars.first, first.properties.numericType == nil,
                end < rest.endIndex, rest.unicodeScalars[end] == "}"
            {
                parts.append(.placeholder(name))
                rest = rest[rest.unicodeScalars.index(after: end)...]
            } else {
                parts.append(.stray(rest[start..<next]))
                rest = rest[next...]
            }
        }
        if !rest.isEmpty { parts.append(.literal(rest)) }
        return parts
    }

    /// The text with its values; nil if a placeholder has none or a brace is stray.
    static func filled(_ text: String, value: (Substring) -> String?) -> String? {
        var result = ""
        for part in parts(of: text) {
            switch part {
            case .literal(let literal): result += literal
            case .placeholder(let name):
                guard let value = value(name) else { return nil }
                result += value
            case .stray: return nil
            }
        }
        return result
    }

    /// The same, where what cannot be filled in stays as it is written.
    static func filledAsFarAsPossible(_ text: String, value: (Substring) -> String?) -> String {
        parts(of: text).map { part in
            switch part {
            case .literal(let text), .stray(let text): String(text)
            case .placeholder(let name): value(name) ?? "{\(name)}"
            }
        }.joined()
    }
}

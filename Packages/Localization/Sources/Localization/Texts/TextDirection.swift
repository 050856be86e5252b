// SPDX-License-Identifier: MIT

/// Keeps inserted text from reordering what stands around it (Unicode Standard Annex #9).
enum TextDirection {
    /// A text from outside, ready to be inserted into a text of a language.
    ///
    /// U+2068 and U+2069 surround it only where they change something: in a language from right to left, and around a text with
    /// letters from right to left. Elsewhere they would do nothing but appear as boxes in terminals that lack them, and
    /// travel along when the text is copied. Directional controls of the text's own are taken out: one that is not closed would
    /// turn the rest of the line, and one that closes too much would end the isolation.
    static func isolated(_ text: String, in language: Language) -> String {
        var plain = text
        if text.unicodeScalars.contains(where: isControl) {
            plain = String(String.UnicodeScalarView(text.unicodeScalars.filter { !isControl($0) }))
        }
        guard !plain.isEmpty, language.isRightToLeft || plain.unicodeScalars.contains(where: isRightToLeft) else {
            return plain
        }
        return "\u{2068}\(plain)\u{2069}"
    }

    /// A whole text of a language, in which the signs at the edges of Latin words stay with them: in Arabic, the dashes of
    /// `--json` would be behind it. A left-to-right mark (U+200E) makes a sign part of the word; unlike an isolate, it needs no end,
    /// so the text can be broken anywhere.
    static func withMarkedWords(_ text: String, in language: Language) -> String {
        guard language.isRightToLeft else { return text }
        var (result, word) = (String.UnicodeScalarView(), [Unicode.Scalar]())
        func flush() {
            // A placeholder's value has its own direction.
            if word.first != "{", word.contains(where: isLatin) {
                if let first = word.first, !isLatin(first), first.properties.numericType == nil {
                    result.append("\u{200E}")
                }
                result.append(contentsOf: word)
                if let last = word.last, closing.contains(last) { result.append("\u{200E}") }
            } else {
                result.append(contentsOf: word)
            }
            word = []
        }
        for scalar in text.unicodeScalars {
            if scalar.isASCII, !scalar.properties.isWhitespace {
                word.append(scalar)
            } else {
                flush()
                result.append(scalar)
            }
        }
        flush()
        return String(result)
    }

    private static let closing = Set("])}>/\"'%*".unicodeScalars)

    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    /// Embeddings, overrides, isolates and their ends.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    /// The blocks whose characters have the classes R and AL, and the right-to-left mark.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF: true
        default: false
        }
    }
}

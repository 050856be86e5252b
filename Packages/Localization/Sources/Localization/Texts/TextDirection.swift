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

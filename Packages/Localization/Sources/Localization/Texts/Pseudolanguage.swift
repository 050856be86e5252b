// SPDX-License-Identifier: MIT

/// Languages that are made from the English text at run time, so that a text that nobody can translate, a line that is too short
/// and a layout that fits one direction alone are seen before there is a translation. Placeholders stay as they are.
enum Pseudolanguage: Sendable {
    /// en-XA: accents on each letter, brackets around each text, and 40 % more of it.
    case accented
    /// en-XB: each word from right to left, by the marks that ICU and Android use.
    case mirrored

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".unicodeScalars)
    private static let accents = Array("ÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçðéƒĝĥîĵķļṁñöþǫŕšţûṽŵẋýž".unicodeScalars)
    private static let substitutes = Dictionary(uniqueKeysWithValues: zip(letters, accents))
    private static let padding = "one two three four five six seven eight nine ten "

    init?(_ language: Language) {
        switch language {
        case .accentedEnglish: self = .accented
        case .mirroredEnglish: self = .mirrored
        default: return nil
        }
    }

    func text(_ english: String) -> String {
        // Spaces and lines at the edges stay there.
        let before = english.prefix(while: \.isWhitespace)
        guard let last = english.lastIndex(where: { !$0.isWhitespace }) else { return english }
        return before + changed(String(english[before.endIndex...last])) + english[english.index(after: last)...]
    }

    private func changed(_ english: String) -> String {
        let parts = PlaceholderTemplate.parts(of: english)
        let changed = parts.map { part in
            switch part {
            // A brace of the text is still written twice.
            case .literal("{"), .literal("}"), .stray: String(part.text + part.text)
            case .literal(let text): self == .accented ? Self.accented(text) : Self.mirrored(text)
            case .placeholder(let name): "{\(name)}"
            }
        }.joined()
        guard self == .accented else { return changed }
        let count = parts.reduce(0) { $0 + $1.text.count }
        let endless = repeatElement(Self.padding, count: count / Self.padding.count + 1).joined()
        return "[\(changed) \(endless.prefix((count * 2 + 4) / 5))]"
    }

    private static func accented(_ text: Substring) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { substitutes[$0] ?? $0 }))
    }

    private static func mirrored(_ text: Substring) -> String {
        var (result, isWord) = ("", false)
        for character in text {
            if character.isLetter != isWord {
                isWord.toggle()
                result += isWord ? "\u{200F}\u{202E}" : "\u{202C}\u{200F}"
            }
            result.append(character)
        }
        return isWord ? result + "\u{202C}\u{200F}" : result
    }
}

extension PlaceholderTemplate.Part {
    fileprivate var text: Substring {
        switch self {
        case .literal(let text), .placeholder(let text), .stray(let text): text
        }
    }
}

// SPDX-License-Identifier: MIT

/// Estimates the tokens of a text without the model's tokenizer: about three times the true number in English, and no
/// fewer than the true number in plain text of any script.
///
/// Tokenizers split a text into runs of letters, digits, white space and other signs, and no token spans two runs. A
/// run's weight is that of its characters, rounded up: two letters of ASCII in three cost a token in random text, three
/// digits always, and rare signs one for each of their bytes, which is the maximum.
struct TokenEstimator: Sendable {
    private enum Kind {
        case letters, digits, space, others
    }

    /// Weights are in sixths of a token.
    private static let unit = 6

    /// An upper estimate of the text's tokens.
    func tokens(in text: String) -> Int {
        var total = 0
        var run = 0
        var kind: Kind?
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            let (next, weight) = Self.weight(of: scalar, after: previous)
            if next != kind {
                total += (run + Self.unit - 1) / Self.unit
                // A word of another script than Latin may begin with half a character.
                run = next == .letters && !scalar.isASCII ? Self.unit / 2 : 0
                kind = next
            }
            run += weight
            previous = scalar
        }
        // A token has a byte at least.
        return min(text.utf8.count, total + (run + Self.unit - 1) / Self.unit)
    }

    private static func weight(of scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> (Kind, Int) {
        switch scalar.value {
        case 0x61...0x7A, 0x41...0x5A: (.letters, 4)
        case 0x30...0x39: (.digits, 2)
        case 0x20: (.space, previous == scalar ? 1 : 3)
        case 0x09, 0x0A, 0x0D: (.space, previous == scalar ? 1 : unit)
        case ..<0x80: (.others, unit)
        // Latin, Greek, Cyrillic, Hebrew, Arabic.
        case 0xA0...0x24F, 0x370...0x3FF, 0x400...0x45F, 0x5D0...0x5EA, 0x600...0x6FF: (.letters, unit)
        // India's scripts, Thai, Burmese, Georgian, more of Latin.
        case 0x900...0xDFF, 0xE00...0xE7F, 0x1000...0x10FF, 0x1E00...0x1EFF: (.letters, unit)
        // Kana, Han, Hangul.
        case 0x3040...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: (.letters, 9)
        // Ethiopic, and the signs of Chinese, of print and of tables.
        case 0x1200...0x137F, 0x3000...0x303F, 0x2010...0x2027, 0x2500...0x259F: (.letters, 2 * unit)
        default: (.letters, unit * UTF8.width(scalar))
        }
    }
}

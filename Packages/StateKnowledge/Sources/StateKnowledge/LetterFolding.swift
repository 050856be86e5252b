// SPDX-License-Identifier: MIT

/// The role of one Unicode scalar in an English question.
enum LetterFolding: Equatable {
    /// An ASCII letter or digit in lower case; `upper` is true if it was a capital.
    case letter(UInt8, upper: Bool)
    /// Two letters written as one ("æ").
    case ligature(UInt8, UInt8)
    /// A letter of another script.
    case foreign
    /// Part of the letter before it, or not visible.
    case ignored
    /// An apostrophe of any shape.
    case apostrophe
    /// A separator of words.
    case other

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x30...0x39, 0x61...0x7A: self = .letter(UInt8(scalar.value), upper: false)
        case 0x41...0x5A: self = .letter(UInt8(scalar.value) + 32, upper: true)
        case 0x27, 0x2018, 0x2019, 0x201B, 0x02BB, 0x02BC, 0x00B4, 0x2032, 0xFF07: self = .apostrophe
        case 0..<0x80: self = .other
        case 0xFF10...0xFF19, 0xFF21...0xFF3A, 0xFF41...0xFF5A:
            self = Unicode.Scalar(scalar.value - 0xFEE0).map(LetterFolding.init) ?? .other
        case 0xC0...0x17F: self = Self.latin(scalar)
        default: self = Self.general(scalar)
        }
    }

    private static func general(_ scalar: Unicode.Scalar) -> LetterFolding {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .format: .ignored
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
            .decimalNumber:
            .foreign
        default: .other
        }
    }

    /// U+00C0 to U+017F: the base letters of Latin-1 Supplement and Latin Extended-A in code order; "*" is a ligature
    /// or a letter without a base, "." is not a letter.
    private static let bases = Array(
        ("aaaaaa*ceeeeiiii*nooooo.ouuuuy**aaaaaa*ceeeeiiii*nooooo.ouuuuy*y"
            + "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii**jjkk*llllll**lln"
            + "nnnnnnnnoooooo**rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs").utf8)

    private static func latin(_ scalar: Unicode.Scalar) -> LetterFolding {
        let offset = Int(scalar.value) - 0xC0
        let isUpper = scalar.properties.generalCategory == .uppercaseLetter
        switch scalar {
        case "Æ", "æ": return .ligature(97, 101)
        case "Œ", "œ": return .ligature(111, 101)
        case "ß": return .ligature(115, 115)
        default: break
        }
        guard bases.indices.contains(offset) else { return .foreign }
        switch bases[offset] {
        case 0x2A: return .foreign
        case 0x2E: return .other
        case let base: return .letter(base, upper: isUpper)
        }
    }
}

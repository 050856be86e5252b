// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// The validation of texts and numbers on the wire; a failure has a reason.
enum WireValue {
    static func identifier<Entity>(
        _ text: String, _ field: String
    ) throws(MappingFailure) -> Identifier<Entity> {
        guard let identifier = Identifier<Entity>(text) else { throw MappingFailure(field, "is not a UUID") }
        return identifier
    }

    static func time(_ text: String, _ field: String) throws(MappingFailure) -> Date {
        guard let date = WireTime.date(text) else {
            throw MappingFailure(field, "is not a time like 2024-02-29T12:00:00.000Z")
        }
        return date
    }

    static func day(_ text: String, _ field: String) throws(MappingFailure) -> CalendarDate {
        guard let day = CalendarDate(text) else { throw MappingFailure(field, "is not a day like 2024-02-29") }
        return day
    }

    static func language(_ text: String, _ field: String) throws(MappingFailure) -> LanguageTag {
        guard let language = LanguageTag(text) else { throw MappingFailure(field, "is not a language tag like pt-BR") }
        return language
    }

    static func whole(_ text: String, _ field: String, in range: ClosedRange<Int>) throws(MappingFailure) -> Int {
        guard let number = Int(text) else { throw MappingFailure(field, "is not a whole number") }
        return try whole(number, field, in: range)
    }

    static func whole(_ number: Int, _ field: String, in range: ClosedRange<Int>) throws(MappingFailure) -> Int {
        guard range.contains(number) else {
            throw MappingFailure(field, "is not between \(range.lowerBound) and \(range.upperBound)")
        }
        return number
    }

    static func number(
        _ number: Double, _ field: String, in range: ClosedRange<Double>
    ) throws(MappingFailure) -> Double {
        guard range.contains(number) else {
            throw MappingFailure(field, "is not between \(range.lowerBound) and \(range.upperBound)")
        }
        return number
    }

    /// The most UTF-8 bytes for each character of a limit. A character by itself has no limit: any number of marks may
    /// follow a letter.
    private static let bytesPerCharacter = 8

    static func text(_ text: String, _ field: String, limit: Int) throws(MappingFailure) -> String {
        // Bytes are counted first: counting the characters of a long text is slow.
        guard text.utf8.count <= limit * bytesPerCharacter, text.count <= limit else {
            throw MappingFailure(field, "is longer than \(limit) characters or \(limit * bytesPerCharacter) bytes")
        }
        guard !text.unicodeScalars.contains(where: isForbidden) else {
            throw MappingFailure(field, "has a control character in it")
        }
        return text
    }

    /// True for controls except tab and line feed, and for scalars that change the order of other text on a terminal or
    /// page.
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    static func rating(_ number: Int, _ field: String) throws(MappingFailure) -> ReviewRating {
        guard let rating = ReviewRating(rawValue: number) else { throw MappingFailure(field, "is not between 1 and 4") }
        return rating
    }

    /// A SHA-256 in lower case.
    static func hash(_ text: String, _ field: String) throws(MappingFailure) -> String {
        let text = text.lowercased()
        let isHexadecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard text.utf8.count == 64, isHexadecimal else {
            throw MappingFailure(field, "is not a SHA-256 of 64 hexadecimal digits")
        }
        return text
    }
}

extension Double {
    /// The number; nil if it is not finite, which JSON cannot express.
    var ifFinite: Double? { isFinite ? self : nil }
}

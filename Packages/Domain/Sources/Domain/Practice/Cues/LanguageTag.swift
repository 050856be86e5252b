// SPDX-License-Identifier: MIT

/// A language tag of BCP 47: a primary subtag, and perhaps script, region and variants ("en-US", "pt-BR").
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
    /// The tag with the case that RFC 5646 §2.1.1 recommends: "zh-Hant-TW".
    public let description: String

    /// Parses a tag of the plain form; `nil` for anything that has no primary subtag of 2 or 3 letters, for extensions
    /// and private use, and for more than 35 characters.
    public init?(_ text: String) {
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count <= 35, let primary = subtags.first, (2...3).contains(primary.utf8.count),
            primary.utf8.allSatisfy(Self.isLetter),
            subtags.dropFirst().allSatisfy({
                (2...8).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isAlphanumeric)
            })
        else { return nil }
        description = ([primary.lowercased()] + subtags.dropFirst().map(Self.cased)).joined(separator: "-")
    }

    /// The language without script and region: "pt" of "pt-BR".
    public var primary: String { String(description.prefix { $0 != "-" }) }

    /// True if a request for this language accepts `other`: "pt" matches "pt-BR", and not the other way round (basic
    /// filtering, RFC 4647 §3.3.1).
    public func matches(_ other: LanguageTag) -> Bool {
        other == self || other.description.hasPrefix(description + "-")
    }

    private static func cased(_ subtag: Substring) -> String {
        let letters = subtag.utf8.allSatisfy(isLetter)
        return switch subtag.utf8.count {
        case 2 where letters: subtag.uppercased()
        case 4 where letters: subtag.prefix(1).uppercased() + subtag.dropFirst().lowercased()
        default: subtag.lowercased()
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || (0x30...0x39).contains(byte) }
}

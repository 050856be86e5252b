// SPDX-License-Identifier: MIT

/// A language that texts are shown in: a language, a script and a region of BCP 47, each in its usual case.
public struct Language: Hashable, Sendable, CustomStringConvertible {
    /// Two or three lower-case letters (ISO 639), such as `de`.
    public let code: String
    /// Four letters (ISO 15924), such as `Hant`; nil for the usual script.
    public let script: String?
    /// Two capitals or three digits (ISO 3166-1, UN M.49), such as `AT`; nil for none.
    public let region: String?

    private init(code: String, script: String? = nil, region: String? = nil) {
        (self.code, self.script, self.region) = (code, script, region)
    }

    /// English, the language of the source texts.
    public static let english = Language(code: "en")
    /// English with accents, 40 % longer, for tests of layouts.
    public static let accentedEnglish = Language(code: "en", region: "XA")
    /// English written from right to left, for tests of layouts.
    public static let mirroredEnglish = Language(code: "en", region: "XB")

    /// Reads a tag of BCP 47 or a name of POSIX: `de-AT`, `de_AT.UTF-8@euro`, `zh_Hant_TW`. The charset, the modifier, variants
    /// and extensions are left out. `C` and `POSIX` are English.
    ///
    /// - Returns: nil for a tag that is not well-formed.
    public init?(_ tag: some StringProtocol) {
        guard tag.utf8.count <= 100 else { return nil }
        let name = tag.prefix { $0 != "." && $0 != "@" }
        if name == "C" || name == "POSIX" {
            self = .english
            return
        }
        let parts = name.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard
            parts.allSatisfy({ part in
                (1...8).contains(part.utf8.count) && part.unicodeScalars.allSatisfy { $0.isLetter || $0.isDigit }
            }), (2...3).contains(parts[0].count), parts[0].unicodeScalars.allSatisfy(\.isLetter)
        else { return nil }
        var rest = parts.dropFirst()
        func take(where matches: (Substring.UnicodeScalarView, Int) -> Bool) -> String? {
            guard let part = rest.first, matches(Substring(part).unicodeScalars, part.utf8.count) else { return nil }
            rest.removeFirst()
            return String(part)
        }
        code = parts[0].lowercased()
        // An extended language, which says the same as the first part of another tag: zh-yue.
        _ = take { $1 == 3 && $0.allSatisfy(\.isLetter) }
        script = take { $1 == 4 && $0.allSatisfy(\.isLetter) }.map {
            $0.prefix(1).uppercased() + $0.dropFirst().lowercased()
        }
        region = take { $1 == 2 && $0.allSatisfy(\.isLetter) || $1 == 3 && $0.allSatisfy(\.isDigit) }?.uppercased()
    }

    /// The tag, such as `de-AT`.
    public var tag: String { parts.joined(separator: "-") }

    /// The name of the language's folder in a tree of catalogues, such as `de_AT`.
    public var folderName: String { parts.joined(separator: "_") }

    /// The tag.
    public var description: String { tag }

    private var parts: [String] { [code, script, region].compactMap(\.self) }

    /// The language, and those that may stand in for it: without the region, then without the script (RFC 4647, section 3.4).
    public var fallbacks: [Language] {
        var all = [self]
        if region != nil { all.append(Language(code: code, script: script)) }
        if script != nil { all.append(Language(code: code)) }
        return all
    }

    /// True for the pseudo-languages, which need no catalogue.
    public var isPseudo: Bool { self == .accentedEnglish || self == .mirroredEnglish }

    /// True if the language is written from right to left.
    public var isRightToLeft: Bool {
        if let script { return ["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"].contains(script) }
        return self == .mirroredEnglish
            || ["ar", "arc", "ckb", "dv", "fa", "he", "iw", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"].contains(code)
    }
}

extension Unicode.Scalar {
    // Of ASCII alone, as tags are.
    fileprivate var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

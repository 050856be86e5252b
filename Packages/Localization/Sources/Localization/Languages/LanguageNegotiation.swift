// SPDX-License-Identifier: MIT

/// Finds the first language that exists among those that a person or a request wants. Invalid wishes are skipped; English is always
/// there.
enum LanguageNegotiation {
    /// The wishes that are considered, and the bytes that are read of them: the rest of a longer list is ignored.
    static let wishLimit = 32
    static let lengthLimit = 2000

    /// The languages that the environment names, the first wanted most; nothing more is wanted after English.
    ///
    /// The first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty decides (POSIX, section 8.2). Unless it is `C` or
    /// `POSIX`, the list in `LANGUAGE` takes its place (GNU gettext manual, "Specifying a Priority List of Languages").
    static func wishes(environment: [String: String]) -> [Language] {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG"), !isPlain(locale) else {
            return [.english]
        }
        let list = (value("LANGUAGE") ?? locale).bounded.split(separator: ":").prefix(wishLimit)
        return Array(list.prefix { !isPlain($0) }.compactMap { Language($0) }) + [.english]
    }

    private static func isPlain(_ name: some StringProtocol) -> Bool {
        let name = name.prefix { $0 != "." && $0 != "@" }
        return name == "C" || name == "POSIX"
    }

    /// The first language that exists, in itself or by a fallback; English without one.
    static func first(of wishes: [Language], _ exists: (Language) -> Bool) -> Language {
        wishes.first { wish in
            wish.isPseudo || wish.fallbacks.contains { $0 == .english || exists($0) }
        } ?? .english
    }

    /// The language of a response to a request with this `Accept-Language` (RFC 9110, section 12.5.4), by the lookup of RFC
    /// 4647, section 3.4. A range whose weight is 0 is excluded; `*` and a header without a match give English.
    static func language(acceptLanguage: String, _ exists: (Language) -> Bool) -> Language {
        var ranges: [(language: Language, weight: Int)] = []
        var excluded: Set<Language> = []
        for item in acceptLanguage.bounded.split(separator: ",").prefix(wishLimit) {
            let parts = item.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
            guard let language = Language(parts[0]), !parts[0].contains(where: { $0 == "." || $0 == "@" || $0 == "_" }),
                parts.count <= 2, let weight = parts.count == 1 ? 1000 : weight(of: parts[1])
            else {
                // Whatever is wanted less than "anything" is not asked.
                if parts[0] == "*", parts.count == 1 || (weight(of: parts[1]) ?? 0) > 0 {
                    ranges.append((.english, parts.count == 1 ? 1000 : weight(of: parts[1]) ?? 0))
                }
                continue
            }
            if weight == 0 { excluded.insert(language) } else { ranges.append((language, weight)) }
        }
        // The order of the header among equals: sorting is stable by the offset.
        let wishes = ranges.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
        return first(of: wishes.map(\.element.language)) { !excluded.contains($0) && exists($0) }
    }

    /// The thousandths of `q=0.5`; nil for anything else than 0 to 1 with three digits at most.
    private static func weight(of parameter: Substring) -> Int? {
        guard let equals = parameter.firstIndex(of: "="), parameter[..<equals].trimmed.lowercased() == "q" else {
            return nil
        }
        let value = parameter[parameter.index(after: equals)...].trimmed
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, whole == "0" || whole == "1", parts.count <= 2 else { return nil }
        let digits = parts.count == 2 ? parts[1] : ""
        guard digits.utf8.count <= 3, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let thousandths = (Int(digits) ?? 0) * [1000, 100, 10, 1][digits.utf8.count]
        return whole == "0" ? thousandths : thousandths == 0 ? 1000 : nil
    }
}

extension String {
    fileprivate var bounded: Substring {
        Substring(decoding: utf8.prefix(LanguageNegotiation.lengthLimit), as: UTF8.self)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

// SPDX-License-Identifier: MIT

/// Phrases that sound nearly like a phrase: with one phone replaced, or an end left out. Made from its pronunciation,
/// so that any phrase has rivals.
struct RivalPhrases {
    /// The relation of a keyphrase to the phrase.
    enum Role: Sendable, Equatable {
        /// The phrase itself.
        case phrase
        /// The phrase with another phone at a position (counted over all words).
        case substitution(place: Int)
        /// The part before a cut.
        case prefix(cut: Int)
        /// The part after a cut.
        case suffix(cut: Int)
    }

    private static let vowels = [
        "AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW",
    ]
    private static let consonants = [
        "B", "CH", "D", "DH", "F", "G", "HH", "JH", "K", "L", "M", "N", "NG", "P", "R", "S", "SH", "T", "TH", "V", "W",
        "Y", "Z", "ZH",
    ]
    /// The most phones between two cuts.
    private static let longestPiece = 3

    private(set) var roles: [String: Role] = [:]
    private(set) var entries: [String: [String]]
    /// The phones of all words.
    private(set) var phones: [String] = []
    private(set) var cutCount = 0
    var phoneCount: Int { phones.count }

    /// - Parameters:
    ///   - words: The phrase, each word in `dictionary`.
    ///   - variants: The phrase in each of its pronunciations.
    init(words: [String], variants: [String], dictionary: PronouncingDictionary) {
        entries = dictionary.entries
        for variant in variants { roles[variant] = .phrase }
        for (index, word) in words.enumerated() {
            let known = dictionary.entries[word] ?? []
            let spoken = (known.first ?? "").split(separator: " ").map(String.init)
            substitute(spoken, known: known, at: index, in: words)
            cut(spoken, at: index, in: words)
            phones += spoken
        }
    }

    private mutating func substitute(_ phones: [String], known: [String], at index: Int, in words: [String]) {
        for place in phones.indices {
            let others = Self.vowels.contains(phones[place]) ? Self.vowels : Self.consonants
            for other in others where other != phones[place] {
                var changed = phones
                changed[place] = other
                let text = changed.joined(separator: " ")
                // Another pronunciation of the word is not a rival.
                guard !known.contains(text) else { continue }
                let name = "\(index)-\(place)-\(other.lowercased())"
                entries[name] = [text]
                var all = words
                all[index] = name
                roles[all.joined(separator: " ")] = .substitution(place: phoneCount + place)
            }
        }
    }

    private mutating func cut(_ phones: [String], at index: Int, in words: [String]) {
        let pieces = (phones.count + Self.longestPiece - 1) / Self.longestPiece
        for piece in 0..<pieces where index > 0 || piece > 0 {
            let place = piece * phones.count / pieces
            var before = Array(words[..<index])
            var after = Array(words[(index + 1)...])
            if place > 0 {
                entries["begin-\(index)-\(place)"] = [phones[..<place].joined(separator: " ")]
                entries["end-\(index)-\(place)"] = [phones[place...].joined(separator: " ")]
                before.append("begin-\(index)-\(place)")
                after.insert("end-\(index)-\(place)", at: 0)
            } else {
                after.insert(words[index], at: 0)
            }
            // A phrase that repeats itself has equal parts; the first role counts.
            for (part, role) in [(before, Role.prefix(cut: cutCount)), (after, .suffix(cut: cutCount))] {
                let name = part.joined(separator: " ")
                if roles[name] == nil { roles[name] = role }
            }
            cutCount += 1
        }
    }
}

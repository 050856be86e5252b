// SPDX-License-Identifier: MIT

/// The words of a search, and their search in fakes: whole words, case and accents ignored.
struct SearchedWords {
    private let words: Set<String>

    init(_ text: String) { words = Self.words(of: text) }

    /// True if a text contains each of the words, and there is at least one.
    func areAll(in text: String) -> Bool { !words.isEmpty && words.isSubset(of: Self.words(of: text)) }

    /// The share of a text's words that are searched words, from 0 to 1; 0 unless the text contains each of them.
    func share(of text: String) -> Double {
        guard areAll(in: text) else { return 0 }
        let all = Self.list(of: text)
        return Double(all.count { words.contains($0) }) / Double(all.count)
    }

    private static func words(of text: String) -> Set<String> { Set(list(of: text)) }

    private static func list(of text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map { String($0.compactMap(\.folded)).lowercased() }
    }
}

extension Character {
    /// The character without its accents; canonical equivalence makes a lookup of the base letter enough.
    fileprivate var folded: Character? {
        guard let base = unicodeScalars.first else { return nil }
        if unicodeScalars.count > 1 { return Character(base) }
        return latinBases[self] ?? self
    }
}

/// Precomposed Latin letters and their bases, for the letters that people search with.
private let latinBases: [Character: Character] = {
    var bases: [Character: Character] = [:]
    for (base, accented) in ["a": "àáâãäå", "c": "ç", "e": "èéêë", "i": "ìíîï", "n": "ñ", "o": "òóôõö", "u": "ùúûü"] {
        for letter in accented { bases[letter] = Character(base) }
    }
    return bases
}()

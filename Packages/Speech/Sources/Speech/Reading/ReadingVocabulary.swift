// SPDX-License-Identifier: MIT

internal import Glibc

/// The words of a text and those that may be said instead, with their pronunciations.
struct ReadingVocabulary {
    /// The prefix of a word that is one phone; no word of a dictionary begins with it.
    static let phoneMark: Character = "~"

    /// Words of the text without a pronunciation, which cannot be judged.
    let unknown: Set<String>
    /// For words of the text that may sound alike ("there", "their"), the one that represents all of them.
    let alike: [String: String]
    let dictionary: PronouncingDictionary
    /// For words of the text, the other words that differ by one phone.
    let near: [String: [Neighbour]]
    let others: [(word: String, weight: Double)]

    /// A word that sounds nearly like one of the text.
    struct Neighbour {
        let word: String
        let isFrequent: Bool
    }

    /// The numbers of other words.
    struct Limits: Sendable {
        /// The number of frequent words.
        var frequent = 1_000
        /// The most words that differ from a word of the text by one phone, frequent ones first.
        var near = 24
        /// Words up to this rank count as frequent if they sound nearly alike.
        var frequentNear = 3_000
        /// For this many of the most frequent words, and for short ones, no nearly alike words are added: they are said
        /// so weakly, or have so many neighbours, that right ones were called wrong.
        var weak = 100
        var fewestPhones = 3
    }

    init(text: Set<String>, common: CommonWords, model: AcousticModel, limits: Limits) throws(SpeechError) {
        var dictionary = try PronouncingDictionary(contentsOf: model.dictionaryPath, only: text)
        var unknown: Set<String> = []
        for word in dictionary.missing(of: text) {
            if let phones = LetterToSound.phones(of: word) {
                dictionary.add([word: [phones.text]])
            } else {
                unknown.insert(word)
            }
        }
        let all = text.sorted().flatMap { word in
            (dictionary.entries[word] ?? []).compactMap { Phones($0) }.map { (word: word, phones: $0) }
        }
        let spoken = Set(all.map(\.phones))
        let weak = Set(common.words.prefix(limits.weak).map(\.text))
        let own = all.filter { $0.phones.codes.count >= limits.fewestPhones && !weak.contains($0.word) }
        var near: [String: [Neighbour]] = [:]
        var others: [(word: String, weight: Double)] = []
        for (rank, word) in common.words.enumerated() {
            // A word that sounds the same is not another word.
            guard dictionary.entries[word.text] == nil, spoken.isDisjoint(with: word.pronunciations) else { continue }
            let alike = own.filter { own in
                near[own.word, default: []].count < limits.near
                    && word.pronunciations.contains { $0.isNear(own.phones) }
            }
            for name in Set(alike.map(\.word)) {
                near[name, default: []].append(Neighbour(word: word.text, isFrequent: rank < limits.frequentNear))
            }
            guard rank < limits.frequent || !alike.isEmpty else { continue }
            others.append((word.text, exp(word.likelihood)))
            dictionary.add([word.text: word.pronunciations.map(\.text)])
        }
        for phone in Phones.names { dictionary.add([String(Self.phoneMark) + phone.lowercased(): [phone]]) }
        alike = Self.alike(text, dictionary)
        self.unknown = unknown
        self.dictionary = dictionary
        self.near = near
        self.others = others
    }

    private static func alike(_ text: Set<String>, _ dictionary: PronouncingDictionary) -> [String: String] {
        var groups: [String: String] = [:]
        var first: [String: String] = [:]
        for word in text.sorted() {
            for phones in dictionary.entries[word] ?? [] {
                guard let other = first[phones] else {
                    first[phones] = word
                    continue
                }
                let (from, to) = (groups[word] ?? word, groups[other] ?? other)
                guard from != to else { continue }
                for (name, group) in groups where group == from { groups[name] = to }
                (groups[word], groups[from], groups[other], groups[to]) = (to, to, to, to)
            }
        }
        return groups
    }
}

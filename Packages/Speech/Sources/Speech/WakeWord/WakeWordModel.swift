// SPDX-License-Identifier: MIT

/// The loaded data of a phrase: its pronunciations and the decoders.
struct WakeWordModel: Sendable {
    /// A phrase of fewer phones than this cannot be told from other speech.
    private static let fewestPhones = 4
    private static let mostWords = 8
    /// The most pronunciations of the whole phrase that are searched for.
    private static let mostVariants = 6

    let spotter: KeywordSpotter
    let frontEnd: FrontEnd
    let verifier: PhraseVerifier
    let rule: PhraseRule
    /// Nil if the rule has no second look.
    let secondLook: SecondLook?
    /// Nil for phrases that it was not trained for.
    let network: PhraseNetwork?

    init(_ phrase: WakeWordDetector.Phrase, model: AcousticModel) throws(SpeechError) {
        try model.check()
        let dictionary = try Self.dictionary(for: phrase, model: model)
        let variants = Self.variants(of: phrase, in: dictionary)
        spotter = try KeywordSpotter(variants, dictionary: dictionary, model: model, effort: .stream)
        frontEnd = try spotter.makeFrontEnd()
        let rivals = RivalPhrases(words: phrase.words, variants: variants, dictionary: dictionary)
        network = PhraseNetwork(for: rivals.phones)
        verifier = try PhraseVerifier(rivals, model: model)
        rule = PhraseRule.rule(for: rivals.phones)
        secondLook = rule.again == nil ? nil : try SecondLook(verifier, phoneCount: rivals.phoneCount, model: model)
    }

    private static func dictionary(
        for phrase: WakeWordDetector.Phrase, model: AcousticModel
    ) throws(SpeechError) -> PronouncingDictionary {
        guard (1...mostWords).contains(phrase.words.count) else {
            throw SpeechError(
                .invalidPhrase,
                "A phrase to wake up at has one to \(mostWords) words, “\(phrase)” has "
                    + "\(phrase.words.count). Choose another one.")
        }
        var dictionary = try PronouncingDictionary(contentsOf: model.dictionaryPath, only: Set(phrase.words))
        dictionary.add((phrase.phones ?? [:]).filter { phrase.words.contains($0.key) })
        let missing = dictionary.missing(of: Set(phrase.words))
        guard missing.isEmpty else {
            throw SpeechError(
                .unknownWords,
                "The dictionary does not have “\(missing.joined(separator: "”, “"))”. Give the phones of each, such as "
                    + "\(missing[0])=\"HH AH L OW\", or choose another phrase."
            )
        }
        let phones = phrase.words.map { word in
            (dictionary.entries[word] ?? []).map { $0.split(separator: " ").count }.min() ?? 0
        }
        guard phones.reduce(0, +) >= fewestPhones else {
            throw SpeechError(
                .invalidPhrase,
                "“\(phrase)” is too short to be distinguished from other speech. Choose a phrase of two words or more.")
        }
        return dictionary
    }

    /// The phrase in each combination of its words' pronunciations, the most common ones first.
    private static func variants(
        of phrase: WakeWordDetector.Phrase, in dictionary: PronouncingDictionary
    ) -> [String] {
        var variants = [""]
        for word in phrase.words {
            let count = dictionary.entries[word]?.count ?? 1
            let spellings = (0..<count).map { $0 == 0 ? word : "\(word)(\($0 + 1))" }
            variants = spellings.flatMap { spelling in variants.map { $0.isEmpty ? spelling : "\($0) \(spelling)" } }
            variants = Array(variants.prefix(mostVariants))
        }
        return variants
    }
}

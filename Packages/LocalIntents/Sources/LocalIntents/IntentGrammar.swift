// SPDX-License-Identifier: MIT

/// The phrases of the intents for a speech recogniser, in the notation of JSGF's right-hand sides.
///
/// They are phrases that ``IntentReader`` reads, without its seldom words. Words are lower case and as a pronouncing dictionary spells them.
public struct IntentGrammar: Sendable {
    /// A phrase with its weight against the others.
    public struct Sentence: Sendable {
        /// The intent of the phrase.
        public let kind: LocalIntent.Kind
        /// The weight, above 0.
        public let weight: Double
        /// The phrase: words, brackets, bars and names of rules in angle brackets.
        public let pattern: String
    }

    /// The phrases, without polite words.
    public let sentences: [Sentence]
    /// The rules that phrases and rules refer to, by name.
    public let rules: [String: String]
    /// Polite words that may stand before a phrase, any number of times.
    public let opening = PhraseRuleTable.heard["opening"] ?? PhraseRuleTable.opening
    /// Polite words that may stand after a phrase.
    public let closing = PhraseRuleTable.heard["closing"] ?? PhraseRuleTable.closing

    /// Makes a grammar.
    ///
    /// - Parameters:
    ///   - places: The places whose time can be asked for.
    ///   - words: The words that can be spelled.
    ///   - labels: The names of timers and alarms.
    ///   - tasks: The things to be reminded of.
    public init(
        places: [String] = SpokenWordTable.places, words: [String] = SpokenWordTable.words,
        labels: [String] = SpokenWordTable.labels, tasks: [String] = SpokenWordTable.tasks
    ) {
        sentences = PhraseTable.rows.filter { $0.weight > 0 }.map {
            Sentence(kind: $0.kind, weight: $0.weight, pattern: $0.pattern.replacing(" | =", with: ""))
        }
        var rules = PhraseRuleTable.rules.merging(PhraseRuleTable.spoken) { phrase, _ in phrase }
        rules.merge(PhraseRuleTable.heard) { _, heard in heard }
        rules["small"] = Self.smallNumbers.joined(separator: " | ")
        rules["plainCalculation"] = "<calculation>"
        for (name, list) in [("place", places), ("word", words), ("label", labels), ("task", tasks)] {
            rules[name] = list.map { $0.lowercased() }.joined(separator: " | ")
        }
        self.rules = rules
    }

    /// One to ninety-nine as a flat list, in which round numbers are likelier.
    private static var smallNumbers: [String] {
        let units = NumberReader.units.filter { $0.value > 0 }.sorted { $0.value < $1.value }.map(\.key)
        let tens = NumberReader.tens.filter { $0.key != "fourty" }.sorted { $0.value < $1.value }.map(\.key)
        let common = units.prefix(12) + ["fifteen", "twenty five", "forty five"] + tens
        return units + tens.flatMap { ten in [ten] + units.prefix(9).map { "\(ten) \($0)" } }
            + common + common + common + common
    }
}

/// Words for the open slots of a recogniser's grammar.
public enum SpokenWordTable {
    /// Cities and countries of which people ask the time.
    public static let places = [
        "tokyo", "london", "paris", "berlin", "new york", "los angeles", "chicago", "sydney", "melbourne", "hong kong",
        "singapore", "beijing", "shanghai", "moscow", "rome", "madrid", "dublin", "toronto", "vancouver", "mexico city",
        "sao paulo", "cairo", "dubai", "delhi", "mumbai", "bangkok", "seoul", "honolulu", "denver", "houston", "india",
        "china", "japan", "england", "germany", "france", "hawaii", "california", "texas", "alaska",
    ]
    /// Words that people ask to have spelled.
    public static let words = [
        "necessary", "accommodate", "separate", "definitely", "receive", "rhythm", "restaurant", "embarrass",
        "occurrence", "conscience", "beautiful", "mississippi", "massachusetts", "tomorrow", "february", "wednesday",
        "calendar", "government", "library", "schedule", "weird", "believe", "license", "bureau", "maintenance",
        "neighbor", "pneumonia", "privilege", "psychology", "vacuum",
    ]
    /// Names of timers and alarms.
    public static let labels = [
        "pasta", "tea", "eggs", "egg", "pizza", "laundry", "coffee", "rice", "cake", "bread", "oven", "chicken",
        "cookies",
        "nap", "workout", "gym", "meeting", "homework", "dishes", "dinner", "lunch", "break", "potatoes",
    ]
    /// Things to be reminded of.
    public static let tasks = [
        "call mom", "call home", "take out the trash", "check the oven", "feed the dog", "feed the cat",
        "water the plants",
        "take my medicine", "take a break", "go to bed", "leave",
    ]
}

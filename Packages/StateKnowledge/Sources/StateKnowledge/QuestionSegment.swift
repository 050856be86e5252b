// SPDX-License-Identifier: MIT

/// One of the questions in a text, with the names and topics found in it.
struct QuestionSegment {
    /// A state that is named, or a pair of states.
    struct Place {
        let range: Range<Int>
        let rows: [Int]
        let isPossessive: Bool
    }

    /// A capital, city, bird or flower in the question.
    struct Value {
        let range: Range<Int>
        let meaning: NameMeaning
        let isPossessive: Bool
    }

    /// A topic of the question, at the first of its words.
    struct Asked {
        let position: Int
        let topic: Topic
    }

    /// The words of the whole text.
    let words: [QuestionReading.Word]
    /// The words of this question.
    let range: Range<Int>
    let places: [Place]
    let values: [Value]
    /// Topics in order.
    var topics: [Asked] = []
    /// The explained words; see ``WordRole``.
    var explained: Set<Int> = []
    /// The reason for a refusal that no other word can outweigh.
    var objection: String?

    init(reading: QuestionReading, range: Range<Int>) {
        words = reading.words
        self.range = range
        var places: [Place] = []
        var values: [Value] = []
        for mention in reading.mentions where range.overlaps(mention.range) {
            let isPossessive = reading.words[mention.range.upperBound - 1].token.isPossessive
            if mention.meaning.states.isEmpty {
                values.append(Value(range: mention.range, meaning: mention.meaning, isPossessive: isPossessive))
            } else {
                places.append(Place(range: mention.range, rows: mention.meaning.states, isPossessive: isPossessive))
            }
        }
        self.places = places
        self.values = values
    }

    /// The states named, each once, in order.
    var rows: [Int] {
        var seen: Set<Int> = []
        return places.flatMap(\.rows).filter { seen.insert($0).inserted }
    }

    /// The positions of words with a role that the test accepts.
    func positions(where test: (WordRole) -> Bool) -> [Int] {
        range.filter { words[$0].role.map(test) ?? false }
    }

    /// The positions of words of that role.
    func positions(_ role: WordRole) -> [Int] { positions { $0 == role } }

    /// True if there is a word of that role.
    func has(_ role: WordRole) -> Bool { range.contains { words[$0].role == role } }

    /// The text of a word; empty outside of this question.
    func text(_ position: Int) -> String { range.contains(position) ? words[position].text : "" }

    /// True if one of the words occurs in the question outside of names.
    func says(_ texts: String...) -> Bool {
        range.contains { words[$0].mention == nil && texts.contains(words[$0].text) }
    }

    /// The words of "who knows …?" and "who can tell me …?", which do not ask for a person.
    var whoKnows: Set<Int> {
        Set(
            range.filter {
                text($0) == "who" && ["knows", "can", "could", "remembers", "recalls"].contains(text($0 + 1))
            })
    }

    /// True for "tell me about …", but not for "what about …", which continues the previous question.
    var asksForEverything: Bool {
        has(.overview) && !range.contains { text($0) == "about" && ["what", "how"].contains(text($0 - 1)) }
    }

    /// True if the segment has a topic or a name.
    var hasContent: Bool {
        !places.isEmpty || !values.isEmpty || !topics.isEmpty || has(.distance)
            || positions(where: \.isExtreme).count > 0
    }
}

extension WordRole {
    var isExtreme: Bool { if case .extreme = self { true } else { false } }
    var isCompass: Bool { if case .compass = self { true } else { false } }
    var isOrder: Bool { if case .order = self { true } else { false } }
    var isRefused: Bool { if case .refused = self { true } else { false } }
    var isTopic: Bool { if case .topic = self { true } else { false } }
}

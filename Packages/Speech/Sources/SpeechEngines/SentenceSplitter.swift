// SPDX-License-Identifier: MIT

/// Splits text into sentences for a synthesiser.
public enum SentenceSplitter {
    /// Words whose full stop does not end the sentence, in lower case.
    private static let abbreviations: Set<String> = [
        "st", "mt", "ft", "dr", "mr", "mrs", "ms", "prof", "gen", "gov", "sen", "rep", "jr", "sr", "vs", "etc", "no",
        "approx", "u.s", "d.c", "e.g", "i.e", "a.m", "p.m", "inc", "co", "corp", "sq", "mi", "km", "jan", "feb", "mar",
        "apr", "aug", "sept", "oct", "nov", "dec",
    ]
    /// The abbreviations that may also end a sentence: then a capital follows.
    private static let mayEnd: Set<String> = ["u.s", "d.c", "etc", "a.m", "p.m", "inc", "co", "jr", "sr", "mi", "km"]

    /// The sentences of `text` in order, trimmed, without empty ones. Full stops in numbers ("3.5"), initials
    /// ("J. Adams") and abbreviations ("St. Paul", "D.C.") do not end a sentence; line breaks do. One of more than
    /// ``SentenceBuffer/limit`` characters is cut behind a word.
    public static func sentences(of text: String) -> [String] {
        var buffer = SentenceBuffer()
        return (buffer.add(text) + buffer.finish()).map(\.text)
    }

    /// The sentences, each with the number of characters up to its end, white space behind it not included.
    ///
    /// - Parameter isWhole: False if more text may follow: then what is surely a sentence counts, and the rest does not.
    static func split(_ characters: [Character], isWhole: Bool) -> [(text: String, end: Int)] {
        var sentences: [(text: String, end: Int)] = []
        var start = 0
        var index = 0
        func take(to end: Int) {
            if let text = trimmed(characters[start..<end]) { sentences.append((text, end)) }
            start = end
        }
        while index < characters.count {
            if characters[index].isNewline {
                take(to: index)
                index += 1
            } else if isMark(characters[index]) {
                // The character behind a run of marks decides for all of them.
                var next = index + 1
                while next < characters.count, isCloser(characters[next]) { next += 1 }
                if isEnd(characters, index..<next, isWhole: isWhole) { take(to: next) }
                index = next
            } else {
                index += 1
            }
        }
        if isWhole { take(to: characters.count) }
        return sentences
    }

    private static func isMark(_ character: Character) -> Bool { ".!?…".contains(character) }

    private static func isCloser(_ character: Character) -> Bool { ".!?…\"”’)]".contains(character) }

    private static func isEnd(_ text: [Character], _ marks: Range<Int>, isWhole: Bool) -> Bool {
        let (index, next) = (marks.lowerBound, marks.upperBound)
        guard next < text.count, !text[next].isNewline else { return isWhole || next < text.count }
        guard text[next].isWhitespace else { return false }
        guard text[index] == ".", next == index + 1 else { return true }
        var first = index
        while first > 0, !text[first - 1].isWhitespace { first -= 1 }
        let word = String(text[first..<index]).lowercased().trimmingPrefix { !$0.isLetter && !$0.isNumber }
        let isInitial = word.count == 1 && word.first?.isLetter == true && text[index - 1].isUppercase
        guard isInitial || abbreviations.contains(String(word)) else { return true }
        guard mayEnd.contains(String(word)) else { return false }
        guard let following = text[next...].first(where: { $0.isNewline || !$0.isWhitespace }) else { return isWhole }
        return following.isNewline || following.isUppercase
    }

    private static func trimmed(_ part: ArraySlice<Character>) -> String? {
        guard let first = part.firstIndex(where: { !$0.isWhitespace }),
            let last = part.lastIndex(where: { !$0.isWhitespace }),
            part.contains(where: { $0.isLetter || $0.isNumber })
        else { return nil }
        return String(part[first...last])
    }
}

/// The sentences of a text that comes in pieces, each as soon as it is surely one.
public struct SentenceBuffer: Sendable {
    /// The most characters that wait for the end of their sentence; more are cut behind a word.
    public static let limit = 400

    /// A sentence.
    public struct Sentence: Sendable, Hashable {
        /// The sentence, without white space around it.
        public let text: String
        /// The number of characters of the whole text up to its end.
        public let end: Int
    }

    private var rest = ""
    private var taken = 0

    /// An empty text.
    public init() {}

    /// Adds a piece and returns the sentences that it completes.
    public mutating func add(_ piece: String) -> [Sentence] {
        rest += piece
        var sentences = take(isWhole: false)
        // Not the count, which would go through all of a long text for each sentence.
        while let end = rest.index(rest.startIndex, offsetBy: Self.limit, limitedBy: rest.endIndex), end < rest.endIndex
        {
            let head = rest[..<end]
            let end = head.lastIndex(where: \.isWhitespace).map { $0 > head.startIndex ? $0 : head.endIndex }
            sentences += cut(at: end ?? head.endIndex)
        }
        return sentences
    }

    /// Ends the text and returns the sentences that are left.
    public mutating func finish() -> [Sentence] {
        let sentences = take(isWhole: true)
        taken += rest.count
        rest = ""
        return sentences
    }

    /// The number of characters so far.
    public var count: Int { taken + rest.count }

    private mutating func take(isWhole: Bool) -> [Sentence] {
        let found = SentenceSplitter.split(Array(rest), isWhole: isWhole)
        guard let last = found.last else { return [] }
        let sentences = found.map { Sentence(text: $0.text, end: taken + $0.end) }
        rest.removeFirst(last.end)
        taken += last.end
        return sentences
    }

    private mutating func cut(at end: String.Index) -> [Sentence] {
        let head = Array(rest[..<end])
        let sentences = SentenceSplitter.split(head, isWhole: true).map { Sentence(text: $0.text, end: taken + $0.end) }
        taken += head.count
        rest.removeSubrange(..<end)
        return sentences
    }
}

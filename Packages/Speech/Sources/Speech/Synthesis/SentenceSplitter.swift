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
    /// ("J. Adams") and abbreviations ("St. Paul", "D.C.") do not end a sentence; line breaks do.
    public static func sentences(of text: String) -> [String] {
        var sentences: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let characters = Array(line)
            var start = 0
            var index = 0
            while index < characters.count {
                if isEnd(characters, at: index) {
                    var end = index + 1
                    while end < characters.count, isCloser(characters[end]) { end += 1 }
                    append(characters[start..<end], to: &sentences)
                    start = end
                    index = end
                } else {
                    index += 1
                }
            }
            append(characters[start...], to: &sentences)
        }
        return sentences
    }

    private static func isCloser(_ character: Character) -> Bool { ".!?…\"”’)]".contains(character) }

    private static func isEnd(_ text: [Character], at index: Int) -> Bool {
        guard ".!?…".contains(text[index]) else { return false }
        var next = index + 1
        while next < text.count, isCloser(text[next]) { next += 1 }
        guard next < text.count else { return true }
        guard text[next].isWhitespace else { return false }
        guard text[index] == ".", next == index + 1 else { return true }
        var first = index
        while first > 0, !text[first - 1].isWhitespace { first -= 1 }
        let word = String(text[first..<index]).lowercased().trimmingPrefix { !$0.isLetter && !$0.isNumber }
        let isInitial = word.count == 1 && word.first?.isLetter == true && text[index - 1].isUppercase
        guard isInitial || abbreviations.contains(String(word)) else { return true }
        guard mayEnd.contains(String(word)) else { return false }
        let following = text[next...].first { !$0.isWhitespace }
        return following?.isUppercase ?? true
    }

    private static func append(_ part: ArraySlice<Character>, to sentences: inout [String]) {
        guard let first = part.firstIndex(where: { !$0.isWhitespace }),
            let last = part.lastIndex(where: { !$0.isWhitespace }),
            part.contains(where: { $0.isLetter || $0.isNumber })
        else { return }
        sentences.append(String(part[first...last]))
    }
}

// SPDX-License-Identifier: MIT

import Speech

/// Judges each word of a text as read or not.
struct WordJudge {
    private let text: [SpokenText.Word]
    /// The words that can be judged, as indices of the text.
    private let judged: [Int]
    /// For words that sound alike, the one that represents them.
    private let alike: [String: String]

    /// The most inserted words that one unjudged word may have been recognised as.
    private static let mostWordsForUnjudged = 3

    init(text: [SpokenText.Word], unknown: Set<String>, alike: [String: String]) {
        self.text = text
        self.alike = alike
        judged = text.indices.filter { !unknown.contains(text[$0].text) }
    }

    /// True if any word can be judged.
    var hasWords: Bool { !judged.isEmpty }

    /// The words with their verdicts, and the number of substituted words.
    ///
    /// Words heard in the place of unjudged words are attributed to these, and are not inserted.
    func judge(
        _ heard: [ReadingDecoder.Word]
    ) throws(EvaluationError) -> (words: [JudgedWord], substitutions: Int) {
        let alignment = try WordAlignment(
            expected: judged.map { name(text[$0].text) }, heard: heard.map { $0.text.map(name) })
        var words: [JudgedWord] = []
        var substitutions = 0
        var place = 0
        var inserted: [Int] = []
        /// Ends the gap before the text's word at `next`.
        func closeGap(before next: Int) {
            let unjudged = place..<next
            let taken = min(inserted.count, unjudged.count * Self.mostWordsForUnjudged)
            for index in unjudged { words.append(word(.unjudged, at: index, nil)) }
            for index in inserted.dropFirst(taken) { words.append(insertion(heard[index])) }
            inserted = []
            place = next
        }
        for step in alignment.steps {
            switch step {
            case .hit(let expected, let index):
                closeGap(before: judged[expected])
                words.append(word(.right, at: place, heard[index]))
                place += 1
            case .substitution(let expected, let index):
                closeGap(before: judged[expected])
                words.append(word(.missed, at: place, nil))
                words.append(insertion(heard[index]))
                substitutions += 1
                place += 1
            case .deletion(let expected):
                closeGap(before: judged[expected])
                words.append(word(.missed, at: place, nil))
                place += 1
            case .insertion(let index):
                inserted.append(index)
            }
        }
        closeGap(before: text.count)
        return (words, substitutions)
    }

    private func name(_ word: String) -> String { alike[word] ?? word }

    private func word(_ verdict: JudgedWord.Verdict, at place: Int, _ heard: ReadingDecoder.Word?) -> JudgedWord {
        JudgedWord(
            verdict: verdict, text: text[place].text, source: text[place].source, start: heard?.start, end: heard?.end)
    }

    private func insertion(_ heard: ReadingDecoder.Word) -> JudgedWord {
        JudgedWord(verdict: .inserted, text: heard.text, source: nil, start: heard.start, end: heard.end)
    }
}

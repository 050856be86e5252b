// SPDX-License-Identifier: MIT

/// Compares the best sentence with free phones over the same sound, as a whole and word by word.
struct RecognitionScorer: Sendable {
    let contentWords: Set<String>
    let thresholds: RejectionThresholds

    /// Fewer frames of phones than this are not speech.
    static let fewestSpeechFrames = 10

    private func noSentence(phones: [PocketSphinxDecoder.Segment]) -> Recognition {
        let frames = phones.filter { !Self.isFiller($0.word) }.reduce(0) { $0 + $1.frames.count }
        guard frames >= Self.fewestSpeechFrames else { return .silence }
        let scores = Recognition.Scores(
            utterance: -.infinity, sentence: -.infinity, worstContentWord: -.infinity, speechFrames: frames)
        return Recognition(text: "", words: [], outcome: .rejected(.noSentence), confidence: 0, scores: scores)
    }

    /// The words of a sentence.
    static func text(of sentence: [PocketSphinxDecoder.Segment]) -> String {
        sentence.filter { !isFiller($0.word) }.map { spelling($0.word) }.joined(separator: " ")
    }

    func score(
        sentence: [PocketSphinxDecoder.Segment]?, phones: [PocketSphinxDecoder.Segment]
    ) -> Recognition {
        guard let sentence else { return noSentence(phones: phones) }
        let reference = PhoneScores(phones)
        var words: [Recognition.Word] = []
        var difference = 0.0
        var likelihood = 0.0
        var frames = 0
        for segment in sentence where !Self.isFiller(segment.word) {
            let own = segment.acousticScore - reference.sum(over: segment.frames)
            difference += own
            likelihood += segment.languageScore
            frames += segment.frames.count
            words.append(
                Recognition.Word(
                    text: Self.spelling(segment.word), start: .milliseconds(10 * segment.frames.lowerBound),
                    end: .milliseconds(10 * (segment.frames.upperBound + 1)),
                    score: own / Double(segment.frames.count)))
        }
        guard frames >= Self.fewestSpeechFrames else { return noSentence(phones: phones) }
        let scores = Recognition.Scores(
            utterance: difference / Double(frames), sentence: likelihood / Double(words.count + 1),
            worstContentWord: words.filter { contentWords.contains($0.text) }.map(\.score).min() ?? 0,
            speechFrames: frames)
        let outcome = verdict(on: scores, words)
        return Recognition(
            text: words.map(\.text).joined(separator: " "), words: words, outcome: outcome,
            confidence: outcome == .accepted ? confidence(of: scores) : 0, scores: scores)
    }

    private func verdict(on scores: Recognition.Scores, _ words: [Recognition.Word]) -> Recognition.Outcome {
        if thresholds != .none, !contentWords.isEmpty, !words.contains(where: { contentWords.contains($0.text) }) {
            return .rejected(.noContent)
        }
        if scores.sentence < thresholds.sentence { return .rejected(.unlikelySentence) }
        if scores.utterance < thresholds.utterance { return .rejected(.poorFit) }
        if scores.worstContentWord < thresholds.contentWord { return .rejected(.poorWord) }
        return .accepted
    }

    /// 1 far from both thresholds, 0.5 at one of them.
    private func confidence(of scores: Recognition.Scores) -> Double {
        let parts = [(scores.sentence, thresholds.sentence), (scores.utterance, thresholds.utterance)].map {
            $1.isFinite && $1 < 0 ? min(max($0 / $1, 0), 1) : 0
        }
        return 1 - parts.reduce(0) { max($0, $1 * $1) } / 2
    }

    static func isFiller(_ word: String) -> Bool {
        word.isEmpty || word.hasPrefix("<") || word.hasPrefix("[") || word.hasPrefix("(") || word.hasPrefix("+")
            || word == "SIL"
    }

    /// The word without the number of its pronunciation.
    static func spelling(_ word: String) -> String {
        guard word.hasSuffix(")"), let bracket = word.lastIndex(of: "(") else { return word }
        return String(word[..<bracket])
    }
}

extension Recognition {
    static let silence = Recognition(
        text: "", words: [], outcome: .silence, confidence: 0,
        scores: Scores(utterance: 0, sentence: 0, worstContentWord: 0, speechFrames: 0))
}

/// The score of free phones, spread evenly over each phone's frames.
private struct PhoneScores {
    /// Element n is the sum over the frames before n.
    private var sums: [Double] = [0]

    init(_ phones: [PocketSphinxDecoder.Segment]) {
        for phone in phones {
            let each = phone.acousticScore / Double(phone.frames.count)
            while sums.count <= phone.frames.lowerBound { sums.append(sums[sums.count - 1]) }
            for _ in phone.frames where sums.count <= phone.frames.upperBound + 1 {
                sums.append(sums[sums.count - 1] + each)
            }
        }
    }

    func sum(over frames: ClosedRange<Int>) -> Double {
        let last = sums.count - 1
        return sums[min(frames.upperBound + 1, last)] - sums[min(frames.lowerBound, last)]
    }
}

// SPDX-License-Identifier: MIT

/// A recovery phrase as a person typed or pasted it.
struct PhraseReading {
    /// The words in their order, without what is around them.
    let words: [String]

    init(_ text: String) {
        var words: [(number: Int?, text: String)] = []
        var number: Int?
        for part in text.split(whereSeparator: { $0.isWhitespace || ",;|".contains($0) }) {
            if let leading = Int(part.prefix { $0.isASCII && $0.isNumber }) { number = leading }
            let word = part.drop { !$0.isLetter }.reversed().drop { !$0.isLetter }.reversed()
            guard !word.isEmpty else { continue }
            words.append((number, String(word)))
            number = nil
        }
        // Numbers in two columns come line by line.
        if words.compactMap(\.number).sorted() == Array(1...PhraseCode.count), words.count == PhraseCode.count {
            words.sort { $0.number ?? 0 < $1.number ?? 0 }
        }
        self.words = words.map(\.text)
    }

    /// The numbers of the words of a valid phrase.
    func symbols() throws(SyncError) -> [Int] {
        let symbols = words.map { WordList.index(of: $0) }
        let unknown = symbols.indices.filter { symbols[$0] == nil }
        guard symbols.count == PhraseCode.count else {
            let count = "A recovery phrase has \(PhraseCode.count) words; this has \(symbols.count)."
            throw .mistyped(([count] + unknown.prefix(3).map { describe($0, fitting: nil) }).joined(separator: " "))
        }
        let known = symbols.map { $0 ?? 0 }
        guard unknown.isEmpty else {
            let fitting = unknown.count == 1 ? word(at: unknown[0], fitting: known) : nil
            throw .mistyped(unknown.prefix(3).map { describe($0, fitting: fitting) }.joined(separator: " "))
        }
        switch PhraseCode.find(in: known) {
        case .valid: return known
        case .wrong(let position, _):
            guard let right = word(at: position, fitting: known) else { throw .severalWords }
            throw .mistyped(
                "Word \(position + 1) is wrong: it is “\(WordList.word(at: known[position]))” and should be “\(right)”. "
                    + "Compare it with the paper.")
        case .swapped(let first, let second):
            throw .mistyped(
                "More than one word is wrong: words \(first + 1) and \(second + 1) seem to have changed places.")
        case .outOfOrder: throw .mistyped("More than one word is wrong, or the words are out of order.")
        case .several: throw .severalWords
        }
    }

    /// The word that makes the phrase valid, if one at this position does.
    private func word(at position: Int, fitting symbols: [Int]) -> String? {
        guard case .wrong(position, let right) = PhraseCode.find(in: symbols) else {
            return PhraseCode.find(in: symbols) == .valid ? WordList.word(at: symbols[position]) : nil
        }
        var mended = symbols
        mended[position] = right
        return RecoveryPhrase.hasNoSpareBits(mended) ? WordList.word(at: right) : nil
    }

    private func describe(_ position: Int, fitting: String?) -> String {
        let word = words[position].count <= 20 ? words[position] : words[position].prefix(20) + "…"
        let unknown = "Word \(position + 1), “\(word)”, is not in the list of words"
        if let fitting { return unknown + "; it should be “\(fitting)”." }
        let nearest = WordList.nearest(to: words[position])
        guard let last = nearest.last else { return unknown + "." }
        let others = nearest.dropLast().map { "“\($0)”" }.joined(separator: ", ")
        return unknown + "; it may be " + (others.isEmpty ? "" : others + " or ") + "“\(last)”."
    }
}

extension SyncError {
    static func mistyped(_ message: String) -> SyncError { SyncError(code: .mistyped, message: message) }

    fileprivate static let severalWords = mistyped(
        "More than one word is wrong. Compare each word with the paper, and their order.")
}

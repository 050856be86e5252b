// SPDX-License-Identifier: MIT

@testable import Echo

/// What a virtual world knows of what was said, whatever becomes of it.
struct WorldRecords {
    /// Something that the user said or made heard.
    struct Utterance {
        /// A cough has none.
        var hasWords: Bool
        /// Frames of it that the machine was given, by block.
        var captured: [Int: Int] = [:]
    }

    /// Frames of a block of an utterance.
    struct Fragment: Hashable {
        var utterance: Int
        var block: Int
        var frames: Int
    }

    /// Something in a conversation.
    struct Item {
        enum Kind { case speech, typed, answer, call, output }

        var id: String
        var kind: Kind
        /// Of speech.
        var content: [Fragment] = []
        /// Of an answer: its number.
        var number = 0
        var text = ""
        /// The answers that read it, and were not lost.
        var answers: [String] = []
        /// Whether nobody has to answer it: it was noise, or an interruption took back the wish.
        var isExcused = false
        var callID: String?
        /// What was made of its sound, in frames.
        var frames = 0
        /// What of it the machine was given.
        var delivered = 0
        /// Whether the machine was told that it is whole.
        var isWhole = false
        var isBad = false
        var responseID: String?
        var isForeign = false
    }

    var utterances: [Utterance] = [Utterance(hasWords: false)]
    var items: [String: Item] = [:]
    /// The answers' items, by number minus one; empty for an answer that has not begun.
    private(set) var answers: [String] = []
    /// Answers that have words and have not begun, by the response.
    private var composed: [String: Item] = [:]
    private var names = 0

    /// Numbers an answer.
    mutating func addAnswer(to response: String, isBad: Bool, isForeign: Bool) -> Int {
        answers.append("")
        var item = Item(id: "", kind: .answer)
        item.number = answers.count
        item.isBad = isBad
        item.isForeign = isForeign
        item.responseID = response
        composed[response] = item
        return item.number
    }

    mutating func beginAnswer(of response: String, item id: String) {
        guard var item = composed.removeValue(forKey: response) else { return }
        item.id = id
        items[id] = item
        answers[item.number - 1] = id
    }

    mutating func name(_ kind: String) -> String {
        names += 1
        return "\(kind)_\(names)"
    }

    /// The utterance that a sample names: the latest that it can be.
    func utterance(_ value: UInt16) -> Int {
        let latest = utterances.count - 1
        let (wanted, has) = (Int(value >> 7 & 127) - 1, latest % 127)
        return latest - (has - wanted + 127) % 127
    }

    func fragments(_ runs: [(value: UInt16, count: Int)]) -> [Fragment] {
        var fragments: [Fragment] = []
        for run in runs where run.value > 0 {
            let fragment = Fragment(utterance: utterance(run.value), block: Int(run.value & 127), frames: run.count)
            if let last = fragments.last, last.utterance == fragment.utterance, last.block == fragment.block {
                fragments[fragments.count - 1].frames += run.count
            } else {
                fragments.append(fragment)
            }
        }
        return fragments
    }

    /// What a transcript of it would be.
    func words(_ content: [Fragment]) -> String {
        var numbers: [Int] = []
        for fragment in content where numbers.last != fragment.utterance { numbers.append(fragment.utterance) }
        return numbers.filter { utterances[$0].hasWords }.map { "word\($0)" }.joined(separator: " ")
    }
}

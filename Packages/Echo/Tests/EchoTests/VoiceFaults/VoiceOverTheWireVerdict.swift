// SPDX-License-Identifier: MIT

@testable import Echo

extension WireTalk {
    /// What is wrong with what became of the conversation.
    ///
    /// - Parameter silences: How many answers the service keeps to itself without a word.
    func faults(of outcome: Outcome, silences: Int) -> [String] {
        var faults: [String] = []
        let messages = outcome.messages
        let ids = messages.map(\.id)
        if Set(ids).count != ids.count { faults.append("ids are there twice: \(ids)") }
        if messages.map(\.sequenceNumber) != Array(messages.indices) { faults.append("numbers are missing") }
        let streamed = outcome.streamed.map(\.id)
        if streamed != ids { faults.append("the stream had \(streamed), not \(ids)") }
        if !outcome.pending.isEmpty { faults.append("these wait: \(outcome.pending.map(\.id))") }
        for message in messages where message.transcriptStatus == .inProgress {
            faults.append("\(message.id) is in progress")
        }
        judgeHistory(outcome, &faults)
        let places = turns.map { place(of: $0, in: messages, &faults) }
        judgeOrder(places, messages, &faults)
        judgeAnswers(places, messages, silences: silences, &faults)
        return faults
    }

    /// What the next session is told is in the same order; but the server may have put something before what was released
    /// by then.
    private func judgeHistory(_ outcome: Outcome, _ faults: inout [String]) {
        let unsure = turns.filter { turn in turns.count { $0.rank == turn.rank } > 1 }
        let ids = outcome.messages.filter { message in
            !unsure.contains { $0.text == message.text || isIn(message, $0.utterance) }
        }.map(\.id)
        let common = outcome.history.filter(ids.contains)
        if common != ids.filter(common.contains) { faults.append("the history has \(common), the messages \(ids)") }
    }

    private func isIn(_ message: Message, _ utterance: Int?) -> Bool {
        WireSound.utterances(in: message.text).contains { $0.utterance == utterance }
    }

    /// The places of the messages that have a turn.
    private func place(of turn: Turn, in messages: [Message], _ faults: inout [String]) -> [Int] {
        guard let utterance = turn.utterance else {
            let places = messages.indices.filter { messages[$0].role == .user && messages[$0].text == turn.text }
            if places.count > 1 { faults.append("\(turn.text) is there \(places.count) times") }
            return places
        }
        var (places, pieces) = ([Int](), 0)
        for (index, message) in messages.enumerated() where message.role == .user {
            for found in WireSound.utterances(in: message.text) where found.utterance == utterance {
                places.append(index)
                pieces += found.pieces
            }
        }
        if pieces > turn.pieces { faults.append("u\(utterance) is there with \(pieces) of \(turn.pieces) pieces") }
        if pieces < turn.pieces, !places.isEmpty, !turn.mayBeMissing {
            faults.append("u\(utterance) has lost \(turn.pieces - pieces) of \(turn.pieces) pieces")
        }
        return places
    }

    /// What was said and written is there in its order; where words are missing, a message without them is.
    private func judgeOrder(_ places: [[Int]], _ messages: [Message], _ faults: inout [String]) {
        var wordless = messages.indices.filter { messages[$0].role == .user && messages[$0].text.isEmpty }
        let sure = zip(turns, places).filter { !$0.0.mayBeMissing || !$0.1.isEmpty }
        for (turn, found) in sure {
            let before = zip(turns, places).filter { $0.0.rank < turn.rank }.flatMap(\.1).max() ?? -1
            let after = zip(turns, places).filter { $0.0.rank > turn.rank }.flatMap(\.1).min() ?? messages.count
            if let first = found.min() {
                if first < before { faults.append("\(turn.text) is at \(first), before \(before)") }
            } else if let index = wordless.firstIndex(where: { $0 > before && $0 < after }), turn.utterance != nil {
                wordless.remove(at: index)
            } else {
                faults.append("\(turn.text) is lost between \(before) and \(after)")
            }
        }
    }

    /// What was to be answered is followed by an answer.
    private func judgeAnswers(_ places: [[Int]], _ messages: [Message], silences: Int, _ faults: inout [String]) {
        let unanswered = zip(turns, places).filter { turn, found in
            guard turn.wantsAnswer, !turn.isTroubled, let last = found.max() else { return false }
            return messages.dropFirst(last + 1).first?.role != .assistant
        }
        if unanswered.count > silences { faults.append("without an answer: \(unanswered.map(\.0.text))") }
    }

    /// What was said, to be read where something is wrong.
    func description(of outcome: Outcome) -> String {
        let turns = turns.map { "\($0.text)\($0.isTroubled ? "!" : "")" }
        let messages = outcome.messages.map {
            "\($0.id) \($0.role): \($0.text)\($0.isInterrupted ? "-" : "")\($0.transcriptFailure == nil ? "" : "?")"
        }
        return "steps \(steps), turns \(turns), messages \(messages)"
    }
}

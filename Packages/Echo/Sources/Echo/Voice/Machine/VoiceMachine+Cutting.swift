// SPDX-License-Identifier: MIT

/// Answers that end before they were heard.
extension VoiceMachine {
    /// The number of cut answers that are remembered.
    private static let remembered = 32

    /// Cuts the answer under way, where it was not heard.
    mutating func cutAnswer(at now: Duration) {
        calls = Calls(orphaned: calls.orphaned.union(calls.running))
        localVoice = nil
        if let id = gate.activeResponseID { forgetResponse(id) }
        for id in outOfBand { forgetResponse(id) }
        if turns.isUserSpeaking {
            let waiting = gate.waiting.map(\.request) + deferred
            for request in waiting where request.response == nil { unanswered.formUnion(request.items) }
        }
        dropDeferred()
        updateGate(.interrupt, at: now)
        // Text and sound that were held back, and answers without sound, were never heard.
        for (id, answer) in answers.sorted(by: { $0.key < $1.key }) where !answer.isCut && !playback.knows(id) {
            if answer.completion == nil || answer.hold.map(\.hasPassed) == false { drop(held: id) }
        }
        performPlayback(playback.cut(at: now))
        finishCuts(at: now)
    }

    mutating func forgetResponse(_ id: String) {
        guard !cutResponses.contains(id) else { return }
        cutResponses.append(id)
        if cutResponses.count > Self.remembered { cutResponses.removeFirst() }
    }

    /// Reports the heard parts of cut answers to the server and the messages.
    mutating func finishCuts(at now: Duration) {
        for cut in playback.takeCuts() {
            let id = cut.part.itemID
            guard let answer = answers[id] else { continue }
            switch cut.verdict {
            case .nothing:
                if answer.completion == nil { end(id, heard: answer.text) }
            // The message is whole, and so was its sound.
            case .truncate where cut.share == 1 && answer.completion != nil: break
            case .truncate(let part, let end):
                let heard = answer.text.spoken(cut.share)
                if spokenHere.contains(id) {
                    send(.itemTruncate(id: id, contentIndex: part.contentIndex, audioEnd: end), as: "truncate")
                } else if cut.share < 1 {
                    replace(id, with: heard)
                }
                self.end(id, heard: heard)
            case .delete: drop(held: id)
            }
        }
        guard !playback.isCutting else { return }
        sendDeferred(at: now)
    }

    /// Replaces an answer of an earlier session, which is text in this one and cannot be truncated.
    private mutating func replace(_ id: String, with text: String) {
        let place = history.place(of: id, in: transcript)
        send(.itemDelete(id: id), as: "delete")
        guard !text.isEmpty else { return }
        let message = MessageItem(id: id, role: .assistant, text: text)
        send(.itemCreate(.message(message), at: place), as: "create")
    }

    private mutating func end(_ id: String, heard text: String) {
        change([.complete(id: id, text: text, isInterrupted: true)])
        retire(id)
    }

    /// Ignores later events about an answer.
    private mutating func retire(_ id: String) {
        guard answers[id]?.responseID == gate.activeResponseID else {
            answers[id] = nil
            return
        }
        answers[id]?.isCut = true
        answers[id]?.completion = nil
    }

    /// Removes an unheard item from the conversation.
    mutating func drop(held id: String) {
        guard answers[id]?.isCut == false else { return }
        send(.itemDelete(id: id), as: "delete")
        change([.remove(id: id)])
        retire(id)
    }
}

extension String {
    /// An estimate of the text that was spoken in that share of the time, by length.
    func spoken(_ share: Double) -> String {
        guard share < 1 else { return self }
        let limit = Int(Double(count) * Swift.max(share, 0))
        let heard = prefix(limit)
        guard limit < count, let next = dropFirst(limit).first, !next.isWhitespace, let last = heard.last,
            !last.isWhitespace
        else { return String(heard).trimmedEnd }
        let space = heard.lastIndex(where: \.isWhitespace)
        return String(space.map { heard[..<$0] } ?? "").trimmedEnd
    }

    private var trimmedEnd: String {
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[...last])
    }
}

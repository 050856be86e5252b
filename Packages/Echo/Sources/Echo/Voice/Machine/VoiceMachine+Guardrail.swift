// SPDX-License-Identifier: MIT

/// Answers that are judged before they are heard.
extension VoiceMachine {
    /// Requests a judgement of the text up to the end of its last sentence, so that a blocked answer is stopped early.
    mutating func judgeSentences(of id: String) {
        guard let answer = answers[id], let hold = answer.hold else { return }
        let characters = Array(answer.text)
        guard let end = characters.lastIndex(where: { ".!?\n".contains($0) }), end + 1 > hold.judged,
            end + 1 < characters.count
        else { return }
        answers[id]?.hold?.judged = end + 1
        judge(String(characters[...end]), of: id)
    }

    mutating func wordsAreWhole(_ text: String, _ place: AnswerPlace, at now: Duration) {
        guard let answer = answers[place.itemID], answer.hold != nil, !answer.isCut else { return }
        if answer.text.count < text.count { answers[place.itemID]?.text = text }
        judgeWhole(place.itemID)
    }

    /// Requests a judgement of the whole text.
    mutating func judgeWhole(_ id: String) {
        guard let text = answers[id]?.text else { return }
        let judgement = judge(text, of: id)
        answers[id]?.hold?.finalJudgement = judgement
    }

    @discardableResult
    private mutating func judge(_ text: String, of id: String) -> Int {
        lastJudgement += 1
        judgements[lastJudgement] = id
        answers[id]?.hold?.open.insert(lastJudgement)
        actions.append(.judge(id: lastJudgement, text: text))
        return lastJudgement
    }

    mutating func judged(_ judgement: Int, _ isAllowed: Bool, at now: Duration) {
        guard let id = judgements.removeValue(forKey: judgement), let answer = answers[id], !answer.isCut else {
            return
        }
        guard isAllowed else { return block(id, answer, at: now) }
        answers[id]?.hold?.open.remove(judgement)
        guard let hold = answers[id]?.hold, hold.hasPassed else { return }
        hasReplaced = false
        let words = hold.words.isEmpty ? answer.text : hold.words
        answers[id]?.hold?.words = ""
        answers[id]?.hold?.sound = []
        change([.append(id: id, delta: words)])
        show(words)
        for (part, bytes) in hold.sound { queue(bytes, of: part, at: now) }
        guard gate.activeResponseID != answer.responseID else { return }
        playback.end(id)
        endHeldTurn(at: now)
    }

    /// True if an answer waits for its judgements.
    var isHeldBack: Bool { answers.values.contains { !$0.isCut && $0.hold.map(\.hasPassed) == false } }

    /// Ends the assistant's turn at the last judgement, if the model has ended before.
    private mutating func endHeldTurn(at now: Duration) {
        guard gate.activeResponseID == nil, calls.running.isEmpty, !isHeldBack else { return }
        updateTurns(.answerEnded, at: now)
    }

    /// Removes a blocked answer, of which nothing was heard; the conversation continues.
    private mutating func block(_ id: String, _ answer: Answer, at now: Duration) {
        emit(.answerBlocked(itemID: id))
        forgetResponse(answer.responseID)
        drop(held: id)
        if gate.activeResponseID == answer.responseID { updateGate(.stop, at: now) }
        replace(at: now)
        endHeldTurn(at: now)
    }

    /// Requests the replacement of a blocked answer. A replacement that is blocked, too, has none.
    private mutating func replace(at now: Duration) {
        guard let replacement = configuration.replacement, !isWindingUp, !hasReplaced else { return }
        hasReplaced = true
        let response = RealtimeResponseRequest(instructions: "Say exactly this, and nothing else: \(replacement)")
        request(ResponseGate.Request(id: nextName("answer"), response: response, goesFirst: true), at: now)
    }
}

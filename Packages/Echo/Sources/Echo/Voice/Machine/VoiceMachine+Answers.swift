// SPDX-License-Identifier: MIT

/// Answers on their way from the model to the user's ear.
extension VoiceMachine {
    /// Gives the gate an event, and performs its actions.
    mutating func updateGate(_ event: ResponseGate.Event, at now: Duration) {
        performGate(gate.handle(event, at: now), at: now)
    }

    mutating func performGate(_ steps: [ResponseGate.Action], at now: Duration) {
        for step in steps {
            switch step {
            case .create(let request): ask(request, at: now)
            case .cancel(let id):
                forgetResponse(id)
                send(.responseCancel(responseID: id), as: "cancel")
            case .answering(let request, _): resolve(request, nil)
            case .dropped(let request, let reason): dropped(request, reason, at: now)
            case .lost(let id, let response): lost(id, response, at: now)
            }
        }
    }

    private mutating func ask(_ request: ResponseGate.Request, at now: Duration) {
        var response = request.response ?? RealtimeResponseRequest()
        if request.response == nil, !mayCall { response.toolChoice = ToolChoice.none }
        response.metadata[ResponseGate.metadataName] = request.id
        guard let number = lifecycle.session else { return }
        actions.append(.send(number, ClientEvent(.responseCreate(response), id: request.id)))
        if request.response?.isInConversation != false { _ = ledger.note(.sent, turn: turnNumber, at: now) }
    }

    private mutating func dropped(_ request: String, _ reason: ResponseGate.Reason, at now: Duration) {
        if fillers.remove(request) != nil { return }
        if gate.activeResponseID == nil { updateTurns(.answerEnded, at: now) }
        switch reason {
        case .interrupted: resolve(request, nil)
        case .timedOut: resolve(request, .timedOut)
        case .refused(let code):
            let failure = APIFailure(code: code, message: "The server refused to answer (\(code ?? "no code")).")
            resolve(request, .api(failure))
        }
        if case .timedOut = reason { actions.append(.report(.timedOut)) }
    }

    /// The session broke, or the server stopped responding, in the middle of an answer.
    private mutating func lost(_ id: String, _ response: RealtimeResponseRequest?, at now: Duration) {
        let items = answers.filter { $0.value.responseID == id }
        // Sound that waits for a judgement was not heard, either.
        let isHeld = !items.isEmpty && items.values.allSatisfy { $0.hold.map(\.hasPassed) == false }
        let hadBegun = begun.remove(id) != nil && !isHeld
        for (item, answer) in items.sorted(by: { $0.key < $1.key }) {
            if !hadBegun || answer.hold.map(\.hasPassed) == false { drop(held: item) }
        }
        if hadBegun || isWindingUp {
            updateTurns(.answerEnded, at: now)
        } else {
            // The user heard nothing of it: request it again.
            let request = ResponseGate.Request(
                id: nextName("answer"), response: response, goesFirst: response != nil)
            updateGate(.request(request), at: now)
        }
    }

    mutating func answerBegan(_ response: RealtimeResponse, at now: Duration) {
        let request = response.metadata[ResponseGate.metadataName]
        _ = ledger.note(.firstEvent, turn: turnNumber, at: now)
        // A server that names no request has answered ours, unless it was about to begin by itself.
        let isPaid = request.map { paid.remove($0) != nil } ?? (gate.serverResponse == nil && gate.asked != nil)
        if !isPaid { rates.charge(tokens: expectedTokens, at: now) }
        updateGate(.created(responseID: response.id, requestID: request), at: now)
        guard gate.activeResponseID == response.id, !cutResponses.contains(response.id) else { return }
        firstPart = nil
        updateTurns(.answerStarted, at: now)
        guard isWindingUp else { return }
        // The server began by itself while all turns were to end.
        mustAnswer = true
        updateTurns(.interrupt, at: now)
    }

    mutating func words(_ delta: String, _ place: AnswerPlace, at now: Duration) {
        guard !isOfCut(place) else { return }
        begin(place)
        answers[place.itemID]?.text += delta
        if answers[place.itemID]?.hold != nil {
            answers[place.itemID]?.hold?.words += delta
            judgeSentences(of: place.itemID)
        } else {
            speak()
            show(delta)
        }
    }

    mutating func sound(_ bytes: [UInt8], _ place: AnswerPlace, at now: Duration) {
        guard !isOfCut(place), !bytes.isEmpty else { return }
        begun.insert(place.responseID)
        spokenHere.insert(place.itemID)
        let part = HeardAudio.Part(itemID: place.itemID, contentIndex: place.contentIndex)
        if firstPart == nil {
            _ = ledger.note(.firstAudio, turn: turnNumber, at: now)
            firstPart = part
        }
        begin(place)
        if let hold = answers[place.itemID]?.hold, !hold.hasPassed {
            answers[place.itemID]?.hold?.sound.append((part, bytes))
        } else {
            queue(bytes, of: part, at: now)
        }
    }

    mutating func queue(_ bytes: [UInt8], of part: HeardAudio.Part, at now: Duration) {
        speak()
        play(bytes, of: part, at: now)
    }

    /// Gives the program and the loudspeaker a piece of sound as it arrived.
    mutating func play(_ bytes: [UInt8], of part: HeardAudio.Part, at now: Duration) {
        emit(.assistantAudioDelta(bytes))
        playback.add(bytes, of: part)
        updateTurns(.answerQueued, at: now)
    }

    private mutating func begin(_ place: AnswerPlace) {
        guard answers[place.itemID] == nil else { return }
        answers[place.itemID] = Answer(
            responseID: place.responseID, hold: configuration.hasGuardrail ? Hold() : nil)
    }

    private func isOfCut(_ place: AnswerPlace) -> Bool {
        cutResponses.contains(place.responseID) || answers[place.itemID]?.isCut == true
    }

    private mutating func speak() {
        guard !isSpeaking else { return }
        isSpeaking = true
        emit(.assistantStartedSpeaking)
        emit(.audioStatusChanged(.speaking))
    }

    /// Gives the program a piece of text. Answers come one at a time: after the server has accepted the request for a
    /// message's answer, the text is that answer's.
    mutating func show(_ delta: String) {
        for wait in turnWaits where wait.isResolved && wait.request != nil {
            actions.append(.deliver(wait.command, delta))
        }
        emit(.assistantTextDelta(delta))
    }

    mutating func answerEnded(_ response: RealtimeResponse, at now: Duration) {
        if let usage = response.usage {
            actions.append(.count(.answer(usage, responseID: response.id)))
            charge(usage, at: now)
        }
        let isActive = gate.activeResponseID == response.id
        let wasCut = cutResponses.contains(response.id)
        if response.status == .failed {
            let failure = response.failure ?? APIFailure(message: "The answer failed, and the server does not say why.")
            actions.append(.report(.api(failure)))
            for index in turnWaits.indices where turnWaits[index].isResolved {
                turnWaits[index].failure = .api(failure)
            }
        }
        let isWhole = response.status == .completed && !wasCut
        if isWhole { call(response.output, at: now) }
        begun.remove(response.id)
        var isHeld = false
        for (item, answer) in answers.sorted(by: { $0.key < $1.key }) where answer.responseID == response.id {
            playback.end(item)
            if answer.isCut {
                answers[item] = nil
            } else if answer.hold.map(\.hasPassed) == false {
                isHeld = true
                if answer.hold?.finalJudgement == nil { judgeWhole(item) }
            }
        }
        if isActive, !isHeld, calls.running.isEmpty {
            updateTurns(.answerEnded, at: now)
        }
        updateGate(.done(responseID: response.id), at: now)
        refuseCalls(at: now)
    }

    // MARK: Messages

    /// Changes messages; the completion of one with unheard sound waits, since the user may cut it.
    mutating func performOrder(_ changes: [Transcript.Change]) {
        var passed: [Transcript.Change] = []
        for change in changes {
            switch change {
            case .complete(let id, "", true) where answers[id] == nil: passed.append(.remove(id: id))
            case .append(let id, _) where itemsToDelete.contains(id): break
            case .complete(let id, _, _) where itemsToDelete.contains(id): passed.append(.remove(id: id))
            case .append(let id, _) where answers[id].map({ $0.isCut || $0.hold != nil }) ?? false: break
            case .complete(let id, let text, let isInterrupted) where answers[id] != nil:
                guard answers[id]?.isCut == false else { break }
                answers[id]?.completion = (text, isInterrupted)
            case .fail(let id, _), .fill(let id, _), .remove(let id):
                if answers[id]?.isCut != true { passed.append(change) }
            default: passed.append(change)
            }
        }
        change(passed)
    }

    /// Completes the messages whose sound was heard.
    mutating func settleMessages() {
        let ready = answers.filter { id, answer in
            answer.completion != nil && !playback.isUnheard(id) && answer.hold.map(\.hasPassed) != false
        }
        for (id, answer) in ready.sorted(by: { $0.key < $1.key }) {
            guard let completion = answer.completion else { continue }
            answers[id] = nil
            playback.end(id)
            change([.complete(id: id, text: completion.text, isInterrupted: completion.isInterrupted)])
        }
    }
}

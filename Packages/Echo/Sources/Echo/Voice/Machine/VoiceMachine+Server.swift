// SPDX-License-Identifier: MIT

/// Handles the session's events.
extension VoiceMachine {
    mutating func receive(_ event: ServerEvent, at now: Duration) {
        let detail = event.detail
        guard late == nil else { return receiveLate(detail, at: now) }
        if let response = detail.responseID, outOfBand.contains(response) { return receiveOutOfBand(detail, at: now) }
        if case .responseCreated(let response) = detail, isOutOfBand(response) {
            outOfBand.insert(response.id)
            return
        }
        guard !history.isOldNews(detail) else { return }
        history.receive(detail)
        dropUnheard(detail, at: now)
        performOrder(order.handle(detail, at: now))
        switch detail {
        case .speechStarted, .speechStopped, .inputAudioCommitted, .idleTimeout, .transcriptDelta,
            .transcriptCompleted, .transcriptFailed:
            receiveFromUser(detail, at: now)
        case .itemAdded(let item, _), .itemCreated(let item, _):
            if let id = item.id { updateGate(.itemAdded(id: id), at: now) }
        case .responseCreated(let response): answerBegan(response, at: now)
        case .responseDone(let response): answerEnded(response, at: now)
        case .textDelta(let place, let delta), .audioTranscriptDelta(let place, let delta):
            words(delta, place, at: now)
        case .audioTranscriptDone(let place, let text): wordsAreWhole(text, place, at: now)
        case .audioDelta(let place, let bytes): sound(bytes, place, at: now)
        case .rateLimits(let limits): follow(limits, at: now)
        case .error(let failure, let name): serverRefused(failure, name, at: now)
        default: break
        }
    }

    /// Removes items of an answer that was cut before any of its sound arrived: it was never heard.
    private mutating func dropUnheard(_ detail: ServerEvent.Detail, at now: Duration) {
        switch detail {
        case .outputItemAdded(.message(let message), let response, _):
            if let id = message.id, isUnheard(id, of: response) { itemsToDelete.insert(id) }
        case .audioTranscriptDelta(let place, _), .textDelta(let place, _):
            // Its item may have arrived before the cut, without any content.
            if isUnheard(place.itemID, of: place.responseID) { itemsToDelete.insert(place.itemID) }
        case .outputItemDone(.message(let message), let response, _):
            guard let id = message.id, isUnheard(id, of: response) else { break }
            itemsToDelete.remove(id)
            send(.itemDelete(id: id), as: "delete")
            performOrder(order.handle(.itemDeleted(id: id), at: now))
        default: break
        }
    }

    private func isUnheard(_ id: String, of response: String) -> Bool {
        cutResponses.contains(response) && answers[id] == nil && !spokenHere.contains(id)
    }

    private mutating func receiveFromUser(_ detail: ServerEvent.Detail, at now: Duration) {
        switch detail {
        case .speechStarted(let id, _):
            localVoice = nil
            emit(.userStartedSpeaking)
            updateTurns(.speechStarted(itemID: id), at: now)
            // Resume after the device's detection, unless the server's pauses now: the answer may just have ended.
            if !turns.isPaused { playback.resume() }
            if isMuted { endSpeech(at: now) }
        case .speechStopped(let id, let end):
            turnNumber += 1
            _ = ledger.note(.endOfSpeech, turn: turnNumber, at: min(sentSound.captured(upTo: end) ?? now, now))
            emit(.userStoppedSpeaking)
            updateTurns(.speechStopped(itemID: id), at: now)
        case .inputAudioCommitted(let id, _):
            updateGate(.itemAdded(id: id), at: now)
            let createsResponse = turns.mode.createsResponse
            if createsResponse { updateGate(.expectServerResponse, at: now) }
            updateTurns(.committed(itemID: id), at: now)
            if createsResponse { expectAnswer(to: id, at: now) }
        case .idleTimeout: updateGate(.expectServerResponse, at: now)
        case .transcriptDelta(let id, _, let delta, _):
            updateTurns(.transcriptPiece(itemID: id, text: delta), at: now)
        case .transcriptCompleted(let transcript):
            if let usage = transcript.usage { actions.append(.count(.transcript(usage, itemID: transcript.itemID))) }
            updateTurns(.transcriptEnded(itemID: transcript.itemID, text: transcript.text), at: now)
        case .transcriptFailed(let id, _, _):
            updateTurns(.transcriptEnded(itemID: id, text: nil), at: now)
        default: break
        }
    }

    /// Requests the answer if the server does not begin by itself, as when it is busy with another answer. The gate
    /// decides that, so the request may not wait for a rate limit.
    private mutating func expectAnswer(to item: String, at now: Duration) {
        guard !isWindingUp else {
            mustAnswer = true
            return
        }
        updateGate(.request(ResponseGate.Request(id: nextName("answer"), items: [item])), at: now)
    }

    private mutating func serverRefused(_ failure: APIFailure, _ name: String?, at now: Duration) {
        if let fatal = SessionLifecycle.Failure(failure), let number = lifecycle.session {
            actions.append(.close(number))
            return sessionFailed(number, fatal, at: now)
        }
        let isOurs = name.map { $0.hasPrefix(configuration.names + ".") } ?? false
        updateGate(.failed(eventID: name, code: failure.code), at: now)
        guard isOurs, let kind = name?.split(separator: ".").dropFirst().first else {
            return actions.append(.report(.api(failure)))
        }
        switch kind {
        // The server was quicker: the item or the answer has ended already.
        case "cancel", "truncate", "delete", "clear": break
        case "answer" where failure.code == ResponseGate.busyCode: break
        case "commit": emit(.turnTooShort)
        default: actions.append(.report(.api(failure)))
        }
    }

    // MARK: Answers outside of the conversation

    private func isOutOfBand(_ response: RealtimeResponse) -> Bool {
        response.metadata[ResponseGate.metadataName].map(fillers.contains) ?? false
    }

    private mutating func receiveOutOfBand(_ detail: ServerEvent.Detail, at now: Duration) {
        switch detail {
        case .audioDelta(let place, let bytes):
            guard !cutResponses.contains(place.responseID) else { return }
            // The result may have arrived, or the user may speak. Without one piece, the rest makes no sense, either.
            guard !calls.running.isEmpty, !turns.isUserSpeaking else { return forgetResponse(place.responseID) }
            play(bytes, of: HeardAudio.Part(itemID: place.itemID, contentIndex: place.contentIndex), at: now)
            playback.end(place.itemID)
        case .responseDone(let response):
            outOfBand.remove(response.id)
            if let usage = response.usage { actions.append(.count(.answer(usage, responseID: response.id))) }
        default: break
        }
    }
}

extension ServerEvent.Detail {
    /// The answer that the event belongs to.
    fileprivate var responseID: String? {
        switch self {
        case .audioDelta(let place, _), .textDelta(let place, _), .audioTranscriptDelta(let place, _),
            .audioDone(let place), .textDone(let place, _), .audioTranscriptDone(let place, _),
            .partAdded(let place, _), .partDone(let place, _), .functionArgumentsDelta(let place, _, _),
            .functionArgumentsDone(let place, _):
            place.responseID
        case .outputItemAdded(_, let id, _), .outputItemDone(_, let id, _): id
        case .responseDone(let response): response.id
        default: nil
        }
    }
}

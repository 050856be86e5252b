// SPDX-License-Identifier: MIT

/// The actions of turns, and the program's commands.
extension VoiceMachine {
    /// Gives the turns an event, and performs their actions.
    mutating func updateTurns(_ event: TurnManager.Event, at now: Duration) {
        performTurns(turns.handle(event, at: now), at: now)
    }

    mutating func performTurns(_ steps: [TurnManager.Action], at now: Duration) {
        var restored: [String: String] = [:]
        for step in steps {
            switch step {
            case .pausePlayback: performPlayback(playback.pause(at: now))
            case .resumePlayback: goOnPlaying(at: now)
            case .cutAnswer: cutAnswer(at: now)
            case .clearInput: send(.inputAudioClear, as: "clear")
            case .commitInput: send(.inputAudioCommit, as: "commit")
            case .requestAnswer(let items): want(items.map { restored[$0] ?? $0 }, at: now)
            case .deleteItem(let id):
                send(.itemDelete(id: id), as: "delete")
                // Its transcript may arrive before the server confirms the deletion.
                performOrder(order.handle(.itemDeleted(id: id), at: now))
            case .restoreItem(let id, let text): restored[id] = restore(text, at: now)
            case .turnBegan(let speaker):
                if speaker == .user {
                    beginCounting()
                    actions.append(.listTools)
                }
                emit(.turnChanged(speaker))
            case .turnEnded(let speaker): turnEnded(speaker, at: now)
            case .interrupted: emit(.assistantInterrupted)
            case .tooShort: emit(.turnTooShort)
            case .idleTimedOut: emit(.idleTimedOut)
            case .timedOut:
                turnNumber += 1
                _ = ledger.note(.endOfSpeech, turn: turnNumber, at: now)
                emit(.turnTimedOut)
            }
        }
    }

    /// Begins to count the model's calls and replacements in a turn of the user.
    private mutating func beginCounting() {
        calls.rounds = 0
        hasReplaced = false
    }

    private mutating func goOnPlaying(at now: Duration) {
        localVoice = nil
        playback.resume()
        emit(.interruptionWasFalse)
        continueAfterTools(at: now)
    }

    mutating func want(_ items: [String], at now: Duration) {
        guard !isWindingUp else {
            mustAnswer = true
            return
        }
        // The server has all earlier items, unless it answers by itself.
        if !turns.mode.createsResponse { unanswered = [] }
        request(ResponseGate.Request(id: nextName("answer"), items: Set(items)), at: now)
    }

    /// Requests an answer to the items of the user that a later turn left unanswered.
    mutating func settleUnanswered(at now: Duration) {
        guard !unanswered.isEmpty, !turns.isUserSpeaking, !turns.isUsersTurn, !turns.isPaused else { return }
        let items = unanswered.sorted()
        unanswered = []
        want(items, at: now)
    }

    /// Restores speech that was taken for noise: its item is deleted, so its text becomes another item.
    ///
    /// - Returns: Its id.
    private mutating func restore(_ text: String, at now: Duration) -> String {
        let id = nextName("item")
        add(.message(MessageItem(id: id, role: .user, text: text)), at: now)
        return id
    }

    /// Inserts an item of ours at once; the session repeats it later.
    mutating func add(_ item: ResponseItem, at now: Duration) {
        send(.itemCreate(item, at: .end), as: "create")
        performOrder(order.handle(.itemAdded(item, at: .end), at: now))
    }

    private mutating func turnEnded(_ speaker: Speaker, at now: Duration) {
        emit(.turnEnded(speaker))
        guard speaker == .assistant else { return }
        if isSpeaking {
            isSpeaking = false
            emit(.assistantStoppedSpeaking)
            emit(.audioStatusChanged(isMuted ? .muted : .listening))
        }
        if let latency = ledger.end(turn: turnNumber) { emit(.turnTimed(latency)) }
        if turns.mode == .manual, !programBeginsTurns, openCaptured > .zero {
            // Sound that the microphone captured meanwhile is not the user's next turn.
            openCaptured = .zero
            send(.inputAudioClear, as: "clear")
        }
    }

    // MARK: Commands

    mutating func obey(_ command: VoiceCommand, at now: Duration) {
        switch command {
        case .say(let number, let id, let text): say(number, id, text, at: now)
        case .submit(let number, let results): submit(number, results, at: now)
        case .mute(let isMuted):
            if isMuted, !self.isMuted { endSpeech(at: now) }
            self.isMuted = isMuted
        case .beginTurn:
            programBeginsTurns = true
            updateTurns(.turnBegins, at: now)
        case .endTurn: endTurn(at: now)
        case .interrupt(let number):
            interrupts.append(number)
            let wasAnswering = turns.isAnswering
            updateTurns(.interrupt, at: now)
            // An answer that was requested, and has not begun.
            if !wasAnswering { cutAnswer(at: now) }
            refusePendingCalls(at: now)
        case .windUp(let number, let time): windUp(number, within: time, at: now)
        case .goOn:
            isWindingUp = false
            if let reason = heldFallback.take() { fallBack(reason, isHeld: false) }
            guard mustAnswer else { break }
            mustAnswer = false
            want([], at: now)
        case .handOver: handOver(at: now)
        case .awaitLateWords(let number, let time): awaitLateWords(number, within: time, at: now)
        case .fill(let id, let text): fill(id, text)
        case .tools(let tools):
            guard tools != session.tools else { break }
            session.tools = tools
            if let number = lifecycle.session { sendTools(to: number) }
        case .stop: stop(at: now)
        }
    }

    mutating func sendTools(to number: Int) {
        actions.append(.send(number, ClientEvent(.sessionUpdate(session), id: nextName("session"))))
    }

    private mutating func say(_ number: Int, _ id: String, _ text: String, at now: Duration) {
        guard pendingCalls.isEmpty else {
            return actions.append(.done(number, .callsPending(pendingCalls.map(\.id))))
        }
        actions.append(.listTools)
        updateTurns(.interrupt, at: now)
        beginCounting()
        turnNumber += 1
        _ = ledger.note(.endOfSpeech, turn: turnNumber, at: now)
        add(.message(MessageItem(id: id, role: .user, text: text)), at: now)
        emit(.turnEnded(.user))
        let name = nextName("answer")
        turnWaits.append(TurnWait(command: number, request: name))
        guard !isWindingUp else {
            mustAnswer = true
            return resolve(name, nil)
        }
        request(ResponseGate.Request(id: name, items: [id]), at: now)
    }

    private mutating func endTurn(at now: Duration) {
        turnNumber += 1
        _ = ledger.note(.endOfSpeech, turn: turnNumber, at: now)
        if turns.mode == .manual, !turns.isUserSpeaking, !programBeginsTurns {
            // The microphone was open: the turn began with its sound.
            performTurns(turns.handle(.turnBegins, at: now).filter { $0 != .clearInput }, at: now)
            updateTurns(.captured(openCaptured), at: now)
            openCaptured = .zero
        }
        updateTurns(.turnEnds, at: now)
    }

    /// Sends the session a message that it did not have, since it had no text.
    private mutating func fill(_ id: String, _ text: String) {
        // The program's queue has the text already.
        guard !text.isEmpty, transcript.fill(id, text) != nil else { return }
        let place = history.place(of: id, in: transcript)
        send(.itemCreate(.message(MessageItem(id: id, role: .user, text: text)), at: place), as: "create")
    }

    private mutating func windUp(_ number: Int, within time: Duration, at now: Duration) {
        isWindingUp = true
        // The interruption cancels the answer that the server is about to begin.
        if gate.serverResponse?.isCancelled == false { mustAnswer = true }
        windUp = WindUp(commands: (windUp?.commands ?? []) + [number], deadline: now + time)
        if turns.isUserSpeaking { updateTurns(.turnEnds, at: now) }
        updateTurns(.interrupt, at: now)
        // No earlier request is answered any more.
        dropDeferred()
        updateGate(.interrupt, at: now)
    }

    mutating func finishWindUp() {
        guard let windUp else { return }
        self.windUp = nil
        finishTurnWaits(nil)
        for command in windUp.commands { actions.append(.done(command, nil)) }
    }

    mutating func finishTurnWaits(_ failure: VoiceFailure?) {
        for wait in turnWaits { actions.append(.done(wait.command, failure)) }
        turnWaits = []
    }

    mutating func resolve(_ request: String, _ failure: VoiceFailure?) {
        for index in turnWaits.indices where turnWaits[index].request == request {
            guard !turnWaits[index].isResolved else { continue }
            turnWaits[index].isResolved = true
            turnWaits[index].failure = failure
        }
    }

    /// Reports the commands that are done.
    mutating func settleCommands(at now: Duration) {
        if !isBusy {
            for wait in turnWaits where wait.isResolved { actions.append(.done(wait.command, wait.failure)) }
            turnWaits.removeAll(where: \.isResolved)
        }
        if !playback.isActive, !turns.isAnswering {
            for interrupt in interrupts { actions.append(.done(interrupt, nil)) }
            interrupts = []
        }
        if windUp != nil, !playback.isActive, !order.awaitsTranscripts, turns.uncommitted.isEmpty,
            history.unnamed.isEmpty
        {
            finishWindUp()
        }
    }
}

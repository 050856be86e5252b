// SPDX-License-Identifier: MIT

/// The change of sessions within a conversation.
extension VoiceMachine {
    /// Gives the lifecycle of sessions an event, and performs its actions.
    mutating func updateLifecycle(_ event: SessionLifecycle.Event, at now: Duration) {
        performLifecycle(lifecycle.handle(event, at: now), at: now)
    }

    mutating func performLifecycle(_ steps: [SessionLifecycle.Action], at now: Duration) {
        for step in steps {
            switch step {
            case .connect(let number):
                openingTools = session.tools
                actions.append(.connect(number))
            case .close(let number): actions.append(.close(number))
            case .status(let status): if late == nil { emit(.connectionStatusChanged(status)) }
            case .started: actions.append(.started)
            case .use(let number): use(number, at: now)
            case .giveUp(let failure): giveUp(failure, at: now)
            }
        }
    }

    mutating func sessionFailed(_ number: Int, _ failure: SessionLifecycle.Failure, at now: Duration) {
        let isCurrent = number == lifecycle.session
        let steps = lifecycle.handle(.failed(number, failure), at: now)
        if isCurrent { leaveSession(at: now) }
        performLifecycle(steps, at: now)
    }

    /// Ends everything that belongs to the session.
    private mutating func leaveSession(at now: Duration) {
        // Complete the messages of the answer under way before the lost part is dropped.
        performOrder(order.sessionEnded(at: now))
        let steps = gate.handle(.disconnected, at: now)
        performGate(steps, at: now)
        updateTurns(.sessionLost, at: now)
        outOfBand = []
        for id in itemsToDelete { history.forget(id) }
        itemsToDelete = []
        // A call that was not carried out by now never will be.
        dropCalls(except: calls.running.union(calls.orphaned))
        for (id, answer) in answers {
            playback.end(id)
            if answer.isCut { answers[id] = nil }
        }
    }

    private mutating func use(_ number: Int, at now: Duration) {
        // At the end of its age a session is left within a turn; one that broke was left already.
        if gate.isConnected { leaveSession(at: now) }
        if openingTools != session.tools { sendTools(to: number) }
        let replay = history.replay(transcript)
        var sound = 0
        for detail in replay {
            if case .inputAudioAppend(let bytes) = detail { sound += bytes.count }
            actions.append(.send(number, ClientEvent(detail, id: nextName("replay"))))
        }
        sentSound.begin(with: sound, at: now)
        spokenHere = []
        let steps = gate.handle(.connected, at: now)
        // The calls that run, or whose results were requested to be answered, belong to the turn.
        let keepsAnswer = isHeldBack || !calls.running.isEmpty || gate.isBusy
        updateTurns(.sessionReplaced(keepsAnswer: keepsAnswer), at: now)
        performGate(steps, at: now)
    }

    private mutating func giveUp(_ failure: SessionLifecycle.Failure, at now: Duration) {
        let isHeld = isWindingUp
        end(.session(failure), at: now)
        guard lifecycle.hasConnected else { return actions.append(.startFailed(failure)) }
        fallBack(.failure(.session(failure)), isHeld: isHeld)
    }

    /// Continues in text, unless another engine is being made, or has taken over.
    mutating func fallBack(_ reason: VoiceFallback, isHeld: Bool) {
        guard !isHeld else {
            heldFallback = reason
            return
        }
        if case .failure(let failure) = reason { actions.append(.report(failure)) }
        actions.append(.fallBack(reason))
    }

    /// Continues in text once a budget is used up, after the answer that is heard or judged.
    mutating func settleBudget() {
        guard !isOverBudget, !isOver, !isSpeaking, !isHeldBack, !isWindingUp,
            let (spent, limit) = spending.exceeded(voice: configuration.voiceBudget)
        else { return }
        isOverBudget = true
        fallBack(.budget(spent: spent, limit: limit), isHeld: false)
    }

    mutating func stop(at now: Duration) {
        end(nil, at: now)
        updateLifecycle(.stop, at: now)
    }

    /// Ends the conversation: messages are released with the text so far, answers as far as they were heard.
    private mutating func end(_ failure: VoiceFailure?, at now: Duration) {
        if late == nil { releaseMessages(at: now) }
        finishCommands(failure)
        isOver = true
    }

    /// Releases all messages: the user's with the text so far, answers as far as they were heard.
    mutating func releaseMessages(at now: Duration) {
        isWindingUp = true
        updateTurns(.interrupt, at: now)
        performPlayback(playback.cut(at: now))
        if playback.isCutting { playback.silence(at: now) }
        finishCuts(at: now)
        performOrder(order.releaseAll(at: now))
        for (id, answer) in answers.sorted(by: { $0.key < $1.key }) where !answer.isCut {
            if let completion = answer.completion, answer.hold.map(\.hasPassed) != false {
                change([.complete(id: id, text: completion.text, isInterrupted: completion.isInterrupted)])
            } else {
                drop(held: id)
            }
        }
        answers = [:]
    }

    private mutating func finishCommands(_ failure: VoiceFailure?) {
        finishTurnWaits(failure)
        for interrupt in interrupts { actions.append(.done(interrupt, nil)) }
        finishWindUp()
        finishLateWords()
        interrupts = []
        pendingCalls = []
    }

    /// The responses to inputs after the end.
    mutating func refusals(of input: VoiceInput) -> [VoiceAction] {
        guard case .command(let command) = input else { return [] }
        switch command {
        case .say(let number, _, _), .submit(let number, _): return [.done(number, .stopped)]
        case .interrupt(let number), .windUp(let number, _), .awaitLateWords(let number, _):
            return [.done(number, nil)]
        case .goOn:
            guard let reason = heldFallback.take() else { return [] }
            fallBack(reason, isHeld: false)
            defer { actions = [] }
            return actions
        case .beginTurn, .endTurn, .fill, .tools, .mute, .handOver, .stop: return []
        }
    }

    /// True if the assistant is at work.
    var isBusy: Bool {
        turns.isAnswering || gate.isBusy || !gate.waiting.isEmpty || !deferred.isEmpty || !calls.running.isEmpty
            || playback.isActive
    }

    /// Allows another session between two turns.
    mutating func settleQuiet(at now: Duration) {
        guard !isOver else { return }
        let isQuiet =
            !isBusy && !turns.isUsersTurn && !turns.isUserSpeaking
        guard isQuiet != self.isQuiet else { return }
        self.isQuiet = isQuiet
        updateLifecycle(isQuiet ? .turnEnded : .turnBegan, at: now)
    }
}

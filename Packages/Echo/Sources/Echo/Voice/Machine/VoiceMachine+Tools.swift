// SPDX-License-Identifier: MIT

/// Calls of tools, and the remark meanwhile.
extension VoiceMachine {
    /// Carries out the calls of an answer.
    mutating func call(_ output: [ResponseItem], at now: Duration) {
        var wanted: [ToolCall] = []
        for case .functionCall(let item) in output where item.status != .incomplete {
            wanted.append(ToolCall(id: item.callID, name: item.name, arguments: item.arguments))
        }
        wanted = wanted.filter { calls.running.insert($0.id).inserted }
        guard !wanted.isEmpty else { return }
        calls.rounds += 1
        for call in wanted { emit(.toolCallRequested(call)) }
        guard mayCall else {
            calls.refused += wanted.map(\.id)
            return
        }
        guard configuration.runsTools else {
            pendingCalls += wanted
            // The program has to submit results, and its calls run one after another.
            return finishTurnWaits(nil)
        }
        for call in wanted { actions.append(.call(call)) }
        if let filler = configuration.filler { calls.filler = now + filler.delay }
    }

    /// True if the model's calls are carried out. Beyond the limit it has to answer in words alone.
    var mayCall: Bool { calls.rounds <= configuration.maximumRounds }

    /// Answers the calls that are not carried out, when the answer that contains them is over.
    mutating func refuseCalls(at now: Duration) {
        let refused = calls.refused
        calls.refused = []
        let reason = "There were too many calls in this turn. Answer without another."
        for id in refused { toolAnswered(ToolResult(callID: id, output: reason, isError: true), at: now) }
    }

    /// Handles results of the program. The command is done when other calls wait, or the turn is over.
    mutating func submit(_ number: Int, _ results: [ToolResult], at now: Duration) {
        if let other = results.first(where: { result in !pendingCalls.contains { $0.id == result.callID } }) {
            return actions.append(.done(number, .notPending(other.callID)))
        }
        pendingCalls.removeAll { call in results.contains { $0.callID == call.id } }
        if pendingCalls.isEmpty {
            turnWaits.append(TurnWait(command: number, request: nil, isResolved: true))
        } else {
            actions.append(.done(number, nil))
        }
        for result in results { toolAnswered(result, at: now) }
    }

    /// Gives each call that waits for the program a result, after its turn was interrupted.
    mutating func refusePendingCalls(at now: Duration) {
        let calls = pendingCalls
        pendingCalls = []
        for call in calls {
            toolAnswered(ToolResult(callID: call.id, output: "The user interrupted.", isError: true), at: now)
        }
    }

    mutating func toolAnswered(_ result: ToolResult, at now: Duration) {
        let isAwaited = calls.running.remove(result.callID) != nil
        guard isAwaited || calls.orphaned.remove(result.callID) != nil else { return }
        let id = nextName("item")
        let output = FunctionCallOutputItem(id: id, callID: result.callID, output: .text(result.output))
        add(.functionCallOutput(output), at: now)
        emit(.toolResultSubmitted(result))
        guard isAwaited else { return }
        calls.results.insert(id)
        guard calls.running.isEmpty else { return }
        calls.filler = nil
        continueAfterTools(at: now)
    }

    /// Lets the model continue when it has all results, unless the user has interrupted or may be doing so.
    mutating func continueAfterTools(at now: Duration) {
        guard calls.running.isEmpty, !calls.results.isEmpty, !turns.isPaused else { return }
        let results = calls.results
        calls.results = []
        guard calls.rounds <= configuration.maximumRounds + 1 else { return endCalling(at: now) }
        want(Array(results), at: now)
    }

    /// Ends the turn if the model calls tools although it had to answer in words alone; otherwise it would go on for
    /// ever.
    private mutating func endCalling(at now: Duration) {
        updateTurns(.answerEnded, at: now)
        let failure = VoiceFailure.tooManyCalls(rounds: calls.rounds, limit: configuration.maximumRounds)
        guard !turnWaits.isEmpty else { return actions.append(.report(failure)) }
        for index in turnWaits.indices { turnWaits[index].failure = failure }
    }

    mutating func sayFiller(at now: Duration) {
        calls.filler = nil
        guard let filler = configuration.filler, lifecycle.session != nil, !calls.running.isEmpty,
            !turns.isUserSpeaking, !turns.isPaused, !playback.isActive
        else { return }
        let name = nextName("filler")
        fillers.insert(name)
        if fillers.count > 16 { fillers = [name] }
        let response = RealtimeResponseRequest(
            instructions: filler.instructions, tools: [], isInConversation: false, input: [])
        updateGate(.request(ResponseGate.Request(id: name, response: response)), at: now)
    }
}

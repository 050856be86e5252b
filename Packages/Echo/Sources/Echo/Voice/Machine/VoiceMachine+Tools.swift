// SPDX-License-Identifier: MIT

/// Calls of tools, and what is said meanwhile.
extension VoiceMachine {
    /// Carries out what an answer asks for.
    mutating func call(_ output: [RealtimeItem], at now: Duration) {
        var wanted: [ToolCall] = []
        for case .functionCall(let item) in output where item.status != .incomplete {
            wanted.append(ToolCall(id: item.callID, name: item.name, arguments: item.arguments))
        }
        guard !wanted.isEmpty else { return }
        for call in wanted where calls.running.insert(call.id).inserted {
            tell(.toolCallRequested(call))
            actions.append(.call(call))
        }
        if let filler = configuration.filler { calls.filler = now + filler.delay }
    }

    mutating func toolAnswered(_ result: ToolResult, at now: Duration) {
        let isAwaited = calls.running.remove(result.callID) != nil
        guard isAwaited || calls.stray.remove(result.callID) != nil else { return }
        let id = nextName("item")
        let output = FunctionCallOutputItem(id: id, callID: result.callID, output: .text(result.output))
        add(.functionCallOutput(output), at: now)
        tell(.toolResultSubmitted(result))
        guard isAwaited else { return }
        calls.results.insert(id)
        guard calls.running.isEmpty else { return }
        calls.filler = nil
        continueAfterTools(at: now)
    }

    /// The model goes on when it has all results, unless the user interrupted, or may be doing so.
    mutating func continueAfterTools(at now: Duration) {
        guard calls.running.isEmpty, !calls.results.isEmpty, !turns.isPaused else { return }
        let results = calls.results
        calls.results = []
        want(Array(results), at: now)
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
        perform(gate.handle(.request(ResponseGate.Request(id: name, response: response)), at: now), at: now)
    }
}

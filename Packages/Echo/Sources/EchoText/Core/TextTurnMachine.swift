// SPDX-License-Identifier: MIT

/// Makes every decision of a conversation in text: a pure state machine over one turn at a time.
///
/// Inputs in, actions out. ``TextEngine`` performs the actions in order and never decides. A caller sends a message or
/// submits results, and its turn runs until ``Action/finish(_:)``; the other inputs may arrive at any time.
struct TextTurnMachine: Sendable {
    private let maximumRounds: Int
    private let isAutomatic: Bool
    private(set) var state = State.idle
    private var rounds = 0
    /// True if the assistant has begun to answer in this turn.
    private(set) var isSpeaking = false
    /// True once the turn in progress has to end.
    private(set) var isStopping = false
    private var holdsLine = false
    private(set) var isClosed = false

    /// - Parameters:
    ///   - maximumRounds: The number of times that the model may request calls in one turn.
    ///   - isAutomatic: True if the engine carries out calls, false if the program does.
    init(maximumRounds: Int, isAutomatic: Bool) {
        self.maximumRounds = maximumRounds
        self.isAutomatic = isAutomatic
    }

    /// True if the engine asks or carries out calls.
    var isWorking: Bool {
        switch state {
        case .asking, .running: true
        case .idle, .pending: false
        }
    }

    /// Calls that wait for a result of the program, in order.
    var pendingCalls: [ToolCall] {
        guard case .pending(let calls, let results) = state else { return [] }
        return calls.filter { results[$0.id] == nil }
    }

    /// Handles an input, and returns the actions to perform, in order.
    mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .send(let text): send(text)
        case .submit(let results): submit(results)
        case .delta: begin()
        case .answered(let calls): answered(calls)
        case .ran(let results): ran(results)
        case .failed(let error, let mayRepeat): failed(error, mayRepeat: mayRepeat)
        case .cancelled: isWorking ? end(isStopping ? .interrupted : .cancelled) : []
        case .interrupt: interrupt()
        case .pause: stop()
        case .paused: hold()
        case .resume: release()
        case .close: close()
        }
    }
}

// MARK: The caller

extension TextTurnMachine {
    private mutating func send(_ text: String) -> [Action] {
        guard !isClosed else { return [.finish(.closed)] }
        if case .pending(let calls, _) = state {
            let ids = calls.map(\.id).joined(separator: ", ")
            return refuse("The calls \(ids) wait for results: submit them first.")
        }
        rounds = 0
        state = .asking
        return [.addMessage(text), .emit(.turnEnded(.user)), .emit(.turnChanged(.assistant)), .ask]
    }

    private mutating func submit(_ results: [ToolResult]) -> [Action] {
        guard !isClosed else { return [.finish(.closed)] }
        var (calls, given) = ([ToolCall](), [String: ToolResult]())
        if case .pending(let pending, let results) = state { (calls, given) = (pending, results) }
        for result in results where !calls.contains(where: { $0.id == result.callID }) {
            return refuse("No call \(result.callID) waits for a result.")
        }
        for result in results { given[result.callID] = result }
        guard !calls.isEmpty else { return [.finish(.returned)] }
        guard calls.allSatisfy({ given[$0.id] != nil }) else {
            state = .pending(calls, given)
            return [.finish(.returned)]
        }
        state = .asking
        return add(calls.compactMap { given[$0.id] }) + [.ask]
    }

    private func refuse(_ reason: String) -> [Action] { [.finish(.failed(EchoError.toolExecutionFailed(reason)))] }
}

// MARK: The work

extension TextTurnMachine {
    private mutating func begin() -> [Action] {
        guard isWorking, !isSpeaking else { return [] }
        isSpeaking = true
        return [.emit(.assistantStartedSpeaking)]
    }

    private mutating func answered(_ calls: [ToolCall]) -> [Action] {
        guard case .asking = state else { return [] }
        guard !isStopping else { return end(.interrupted) }
        guard !calls.isEmpty else { return end(.returned) }
        let requests = calls.map { Action.emit(.toolCallRequested($0)) }
        rounds += 1
        guard rounds <= maximumRounds else {
            return requests + end(.failed(EchoError.tooManyCalls(rounds: rounds, limit: maximumRounds)))
        }
        guard isAutomatic else {
            state = .pending(calls, [:])
            return requests + [.finish(.returned)]
        }
        state = .running
        return requests + [.run(calls)]
    }

    private mutating func ran(_ results: [ToolResult]) -> [Action] {
        guard case .running = state else { return [] }
        guard !isStopping else { return end(.interrupted) }
        state = .asking
        return add(results) + [.ask]
    }

    private mutating func failed(_ error: any Error, mayRepeat: Bool) -> [Action] {
        guard isWorking else { return [] }
        guard !isStopping else { return end(.interrupted) }
        return mayRepeat ? [.askAnew] : end(.failed(error))
    }

    private func add(_ results: [ToolResult]) -> [Action] {
        results.flatMap { [.addResult($0), .emit(.toolResultSubmitted($0))] }
    }

    /// Ends the turn.
    private mutating func end(_ end: End) -> [Action] {
        var actions: [Action] = []
        switch end {
        case .returned, .closed: break
        case .interrupted, .cancelled:
            actions = [.closeCalls("The call was not carried out."), .emit(.assistantInterrupted)]
        case .failed(let error): actions = [.closeCalls("The call was not carried out."), .emit(.error(error))]
        }
        return actions + endTurn() + [.finish(end)]
    }

    private mutating func endTurn() -> [Action] {
        let stopped: [Action] = isSpeaking ? [.emit(.assistantStoppedSpeaking)] : []
        isSpeaking = false
        isStopping = false
        state = .idle
        return stopped + [.emit(.turnEnded(.assistant)), .emit(.turnChanged(.user))]
    }
}

// MARK: The end

extension TextTurnMachine {
    private mutating func stop() -> [Action] {
        guard isWorking, !isStopping else { return [] }
        isStopping = true
        return [.stop]
    }

    private mutating func interrupt() -> [Action] {
        guard case .pending = state else { return stop() }
        return [.closeCalls("The user interrupted."), .emit(.assistantInterrupted)] + endTurn()
    }

    private mutating func hold() -> [Action] {
        holdsLine = true
        return isClosed ? release() : []
    }

    private mutating func release() -> [Action] {
        guard holdsLine else { return [] }
        holdsLine = false
        return [.releaseLine]
    }

    private mutating func close() -> [Action] {
        guard !isClosed else { return [] }
        isClosed = true
        // The calls get a result when another engine continues the conversation.
        guard case .pending = state else { return stop() + release() }
        return [.emit(.assistantInterrupted)] + endTurn() + release()
    }
}

// SPDX-License-Identifier: MIT

import StructuredJSON

/// A conversation in text, over a ``ResponsesService``: drives a ``TextTurnMachine``, which decides everything. Turns run
/// one after another, each in a task of its own, which ``interruptAssistant()``, ``close()`` or the caller's cancellation
/// ends.
actor TextEngine: ConversationEngine {
    nonisolated let mode = EchoMode.text
    let context: ConversationContext
    let service: any ResponsesService
    let configuration: EchoConfiguration
    let executor: ToolExecutor
    private let line = TurnLine()
    /// The answer that the server keeps, and the end of the conversation then.
    var kept: (id: String, mark: Transcript.Mark)?
    let budget: ContextBudget
    private var machine: TextTurnMachine
    private var turn: Task<TextTurnMachine.End, Never>?
    /// Receives the pieces of the answer in the turn in progress.
    var deltas: (@Sendable (String) -> Void)?
    /// The form of the answer in the turn in progress; nil for free text.
    private(set) var form: AnswerFields?
    /// The fields of the last answer in that form.
    var said: JSONValue?

    init(
        context: ConversationContext, service: any ResponsesService, configuration: EchoConfiguration,
        automaticToolExecution: Bool, executor: ToolExecutor
    ) {
        self.context = context
        self.service = service
        self.configuration = configuration
        self.executor = executor
        machine = TextTurnMachine(
            maximumRounds: executor.configuration.maximumRounds, isAutomatic: automaticToolExecution)
        budget = ContextBudget(
            model: configuration.responsesModel, configuration: configuration, scale: context.tokenScale)
    }

    func send(_ text: String, deltas: (@Sendable (String) -> Void)?) async throws {
        try await inLine {
            self.deltas = deltas
            defer { self.deltas = nil }
            // Report an invalid tool before anything is said.
            _ = try await context.tools.all()
            try await run(.send(text))
        }
    }

    func send(_ text: String, fields: JSONObject) async throws -> JSONValue? {
        try await inLine {
            form = AnswerFields(fields)
            defer { (form, said) = (nil, nil) }
            _ = try await context.tools.all()
            try await run(.send(text))
            return said
        }
    }

    func submit(_ results: [ToolResult]) async throws { try await inLine { try await run(.submit(results)) } }

    func pendingToolCalls() -> [ToolCall] { machine.pendingCalls }

    func interruptAssistant() async throws {
        // Calls that wait get their results before the next turn begins.
        let place = machine.pendingCalls.isEmpty ? nil : line.reserveFirst()
        await handle(.interrupt)
        _ = await turn?.value
        guard let place, (try? await line.wait(for: place)) != nil else { return }
        line.leave()
    }

    func beginUserTurn() async throws {
        // A message is a turn: nothing has to begin it.
    }

    func endUserTurn() async throws {
        // A message is a turn: nothing has to end it.
    }

    func setMuted(_ muted: Bool) async throws {
        throw EchoError.unsupported("A conversation in text has no microphone. Switch to the mode .audio first.")
    }

    func fill(_ id: String, transcript: String) {
        // Each request reads the transcript anew.
    }

    func pause() async throws {
        // Before all waiting turns, which then wait for the next engine.
        let place = line.reserveFirst()
        await handle(.pause)
        try await line.wait(for: place)
        await handle(.paused)
    }

    func resume() async { await handle(.resume) }

    func retire() async { await close() }

    func linger(late: @escaping @Sendable (String, String) async -> Void) async {
        // In text no transcript is late.
    }

    func close() async {
        await handle(.close)
        _ = await turn?.value
    }

    // MARK: The driver

    private func inLine<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await line.enter()
        defer { line.leave() }
        guard !machine.isClosed else { throw ConversationEngineClosed() }
        return try await body()
    }

    /// Runs the caller's turn in a task that can be cancelled.
    private func run(_ input: TextTurnMachine.Input) async throws {
        let task = Task { await self.carryOn(from: input) }
        turn = task
        let end = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        turn = nil
        switch end {
        case .returned: break
        case .interrupted: try Task.checkCancellation()
        case .cancelled: throw CancellationError()
        case .failed(let error): throw error
        case .closed: throw ConversationEngineClosed()
        }
    }

    private func carryOn(from first: TextTurnMachine.Input) async -> TextTurnMachine.End {
        var next: TextTurnMachine.Input? = first
        while let input = next {
            next = nil
            for action in machine.handle(input) {
                switch action {
                case .ask: next = await ask()
                case .askAnew:
                    kept = nil
                    next = await ask()
                case .run(let calls): next = await execute(calls)
                case .finish(let end): return end
                default: await perform(action)
                }
            }
            if next != nil, Task.isCancelled { next = .cancelled }
        }
        preconditionFailure("the machine ended a turn without telling its caller")
    }

    private func execute(_ calls: [ToolCall]) async -> TextTurnMachine.Input {
        do {
            let tools = try await context.tools.all()
            return .ran(try await executor.execute(calls) { name in tools.first { $0.name == name } })
        } catch is CancellationError {
            return .cancelled
        } catch {
            return .failed(error, mayRepeat: false)
        }
    }

    /// Gives the machine an input that arrives beside the turn's own, and performs its actions.
    func handle(_ input: TextTurnMachine.Input) async {
        for action in machine.handle(input) { await perform(action) }
    }

    private func perform(_ action: TextTurnMachine.Action) async {
        switch action {
        case .addMessage(let text): await context.queue.enqueue(role: .user, text: text)
        case .addResult(let result): await context.queue.record { $0.append(.output(of: result.callID, result.output)) }
        case .closeCalls(let reason): await context.queue.record { $0.closeCalls(reason) }
        case .emit(let event): await context.emit(event)
        case .stop: turn?.cancel()
        case .releaseLine: line.leave()
        case .ask, .askAnew, .run, .finish: break
        }
    }
}

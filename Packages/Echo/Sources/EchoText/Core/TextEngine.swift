// SPDX-License-Identifier: MIT

/// A conversation in text, over a ``ResponsesService``. Turns run one after another, each in a task of its own, which
/// ``interruptAssistant()``, ``close()`` or the caller's cancellation ends.
actor TextEngine: ConversationEngine {
    nonisolated let mode = EchoMode.text
    let context: ConversationContext
    let service: any ResponsesService
    let configuration: EchoConfiguration
    let executor: ToolExecutor
    private let isAutomatic: Bool
    private let line = TurnLine()
    /// The answer that the server keeps, and the end of the conversation then.
    var kept: (id: String, mark: Transcript.Mark)?
    var budget: ContextBudget
    /// Decides the next step of the turn in progress.
    private var machine: TurnStateMachine
    /// Calls that the program carries out, and the results that it has submitted.
    private var handedOver: [ToolCall] = []
    private var given: [String: ToolResult] = [:]
    private var turn: Task<Void, any Error>?
    private var isInterrupted = false
    private var isClosed = false
    private var isPaused = false
    /// Receives the pieces of the answer in the turn in progress.
    var deltas: (@Sendable (String) -> Void)?
    /// True if the assistant has begun to answer in this turn.
    var isSpeaking = false

    init(
        context: ConversationContext, service: any ResponsesService, configuration: EchoConfiguration,
        automaticToolExecution: Bool, executor: ToolExecutor
    ) {
        self.context = context
        self.service = service
        self.configuration = configuration
        self.executor = executor
        isAutomatic = automaticToolExecution
        machine = TurnStateMachine(
            maximumRounds: executor.configuration.maximumRounds, isAutomatic: automaticToolExecution)
        budget = ContextBudget(model: configuration.responsesModel, configuration: configuration)
    }

    func send(_ text: String, deltas: (@Sendable (String) -> Void)?) async throws {
        try await inLine {
            self.deltas = deltas
            defer { self.deltas = nil }
            guard handedOver.isEmpty else {
                throw EchoError.toolExecutionFailed(
                    "The calls \(handedOver.map(\.id).joined(separator: ", ")) wait for results: submit them first.")
            }
            // Report an invalid tool before anything is said.
            _ = try await context.tools.all()
            await context.queue.enqueue(role: .user, text: text)
            machine = TurnStateMachine(
                maximumRounds: executor.configuration.maximumRounds, isAutomatic: isAutomatic)
            await context.emit(.turnEnded(.user))
            try await run(from: .ask)
        }
    }

    func submit(_ results: [ToolResult]) async throws {
        try await inLine {
            for result in results where !handedOver.contains(where: { $0.id == result.callID }) {
                throw EchoError.toolExecutionFailed("No call \(result.callID) waits for a result.")
            }
            for result in results { given[result.callID] = result }
            guard !handedOver.isEmpty, handedOver.allSatisfy({ given[$0.id] != nil }) else { return }
            let ordered = handedOver.compactMap { given[$0.id] }
            handedOver = []
            given = [:]
            await take(ordered)
            try await run(from: .ask)
        }
    }

    func pendingToolCalls() -> [ToolCall] { handedOver.filter { given[$0.id] == nil } }

    func interruptAssistant() async throws {
        isInterrupted = turn != nil
        turn?.cancel()
        _ = await turn?.result
        guard !handedOver.isEmpty else { return }
        handedOver = []
        given = [:]
        await context.queue.record { $0.closeCalls("The user interrupted.") }
        await context.emit(.assistantInterrupted)
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
        isInterrupted = turn != nil
        turn?.cancel()
        try await line.wait(for: place)
        isPaused = true
    }

    func resume() async {
        guard isPaused else { return }
        isPaused = false
        line.leave()
    }

    func retire() async { await close() }

    func linger(late: @escaping @Sendable (String, String) async -> Void) async {
        // In text no transcript is late.
    }

    func close() async {
        isClosed = true
        turn?.cancel()
        _ = await turn?.result
        await resume()
    }

    private func inLine(_ body: () async throws -> Void) async throws {
        try await line.enter()
        defer { line.leave() }
        guard !isClosed else { throw ConversationEngineClosed() }
        try await body()
    }

    /// Runs the turn in a task that can be cancelled.
    private func run(from action: TurnStateMachine.Action) async throws {
        isInterrupted = false
        let task = Task { try await self.carryOn(from: action) }
        turn = task
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        turn = nil
        let ended = isInterrupted || isClosed
        isInterrupted = false
        do { try result.get() } catch is CancellationError where ended && !Task.isCancelled {
            // The user wanted the answer to end, and it has.
        }
    }

    private func carryOn(from first: TurnStateMachine.Action) async throws {
        await context.emit(.turnChanged(.assistant))
        do {
            var action = first
            loop: while true {
                try Task.checkCancellation()
                switch action {
                case .ask: action = machine.answered(try await ask())
                case .run(let calls):
                    let tools = try await context.tools.all()
                    await take(
                        try await executor.execute(calls) { name in tools.first { $0.name == name } })
                    action = .ask
                case .handOver(let calls):
                    handedOver = calls
                    break loop
                case .finish: break loop
                case .fail(let error): throw error
                }
            }
        } catch {
            await context.queue.record { $0.closeCalls("The call was not carried out.") }
            if error is CancellationError {
                await context.emit(.assistantInterrupted)
            } else {
                await context.emit(.error(error))
            }
            await endTurn()
            throw error
        }
        if handedOver.isEmpty { await endTurn() }
    }

    private func take(_ results: [ToolResult]) async {
        for result in results {
            await context.queue.record { $0.append(.output(of: result.callID, result.output)) }
            await context.emit(.toolResultSubmitted(result))
        }
    }

    private func endTurn() async {
        if isSpeaking {
            isSpeaking = false
            await context.emit(.assistantStoppedSpeaking)
        }
        await context.emit(.turnEnded(.assistant))
        await context.emit(.turnChanged(.user))
    }
}

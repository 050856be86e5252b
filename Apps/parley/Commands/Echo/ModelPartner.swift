// SPDX-License-Identifier: MIT

import Echo

/// A model at a server: keeps what was said, streams its answers, and has its calls of tools carried out.
///
/// The server keeps nothing of it: each request has all that was said. An answer that breaks off or is stopped stays in the
/// history as far as it came; a question that got no answer at all does not.
actor ModelPartner: ChatPartner {
    /// A way to a model, and what counts its tokens.
    struct Access: Sendable {
        let service: any ResponsesService
        let meter: @Sendable () -> UsageMeter
    }

    /// How often in one turn the model may ask for calls.
    private static let roundLimit = 16

    private let open: @Sendable (_ model: String, _ budget: Double?) throws -> Access
    private let instructions: String?
    private let calls: ToolCalls?
    private let budget: Double?
    private var model: ResponsesModel
    private var access: Access
    private var history: [ResponseItem] = []
    /// What was spent on models that are no longer used.
    private var spent = ChatCost()

    /// - Parameters:
    ///   - model: The model at first.
    ///   - budget: In US dollars, for all models together.
    ///   - instructions: What the model is told before everything else.
    ///   - tools: What the model may call.
    ///   - open: Makes the way to a model.
    init(
        model: String, budget: Double?, instructions: String?, calls: ToolCalls?,
        open: @escaping @Sendable (_ model: String, _ budget: Double?) throws -> Access
    ) throws {
        self.model = ResponsesModel(rawValue: model)
        self.budget = budget
        self.instructions = instructions
        self.calls = calls
        self.open = open
        access = try open(model, budget)
    }

    var name: String { model.rawValue }

    func answer(_ question: String, _ tell: @escaping @Sendable (ChatEvent) async throws -> Void) async throws {
        let tools = try await calls?.tools(tell) ?? []
        let mark = history.count
        history.append(.message(.user, question))
        var progress = AnswerProgress()
        do {
            while let pending = try await round(tools, &progress, tell) {
                progress.rounds += 1
                guard progress.rounds <= Self.roundLimit else {
                    throw EchoError.toolExecutionFailed(
                        "the model asked for tools \(progress.rounds) times in one turn, and was stopped.")
                }
                guard let calls else { return }
                for result in try await calls.carryOut(pending, tools, tell) {
                    history.append(
                        .functionCallOutput(
                            FunctionCallOutputItem(callID: result.callID, output: .text(result.output))))
                }
            }
        } catch {
            settle(after: mark, said: progress.said)
            throw error
        }
    }

    /// Asks once.
    ///
    /// - Returns: The calls that the model wants made before it goes on; `nil` at the end.
    private func round(
        _ tools: [Tool], _ progress: inout AnswerProgress, _ tell: @Sendable (ChatEvent) async throws -> Void
    ) async throws -> [ToolCall]? {
        var request = ResponsesRequest(model: model, input: history)
        request.instructions = instructions
        request.store = false
        request.tools = tools.map { tool in
            .function(
                name: tool.name, description: tool.description, parameters: tool.schema.json, isStrict: false)
        }
        progress.said = ""
        let stream = try await access.service.stream(request)
        for try await event in stream {
            switch event {
            case .outputTextDelta(let delta), .refusalDelta(let delta):
                progress.said += delta.text
                try await tell(.text(delta.text))
            default: break
            }
        }
        let response = stream.partial
        history += response.output.compactMap(\.said)
        progress.said = ""
        if let reason = response.incompleteReason { try await tell(.notice("The answer is cut off: \(reason).")) }
        let pending = response.functionCalls.map { ToolCall(id: $0.callID, name: $0.name, arguments: $0.arguments) }
        return pending.isEmpty ? nil : pending
    }

    /// Leaves the history in a state in which it can be sent again.
    private func settle(after mark: Int, said: String) {
        if !said.isEmpty { history.append(.message(.assistant, said)) }
        if history.count == mark + 1 { history.removeLast() }
        let answered = Set(
            history.compactMap { if case .functionCallOutput(let output) = $0 { output.callID } else { nil } })
        for case .functionCall(let call) in history where !answered.contains(call.callID) {
            history.append(
                .functionCallOutput(
                    FunctionCallOutputItem(callID: call.callID, output: .text("The call was interrupted."))))
        }
    }

    func use(model: String) throws {
        let cost = totals()
        let access = try open(model, budget.map { max(0, $0 - cost.cost) })
        (self.access, self.model, spent) = (access, ResponsesModel(rawValue: model), cost)
    }

    func tools() async throws -> [ChatTool] { try await calls?.list() ?? [] }

    func cost() -> ChatCost? { totals() }

    private func totals() -> ChatCost {
        var cost = spent
        let meter = access.meter()
        let totals = meter.totals
        for (model, usage) in totals.usage {
            cost.usage[model, default: Usage()] += usage
            if meter.prices[model] == nil, !cost.unpriced.contains(model) { cost.unpriced.append(model) }
        }
        cost.cost += totals.cost
        cost.unknown += totals.requestsWithoutUsage
        cost.budget = budget
        return cost
    }

    func forget() { history = [] }

    func close() async { await calls?.close() }
}

/// How far an answer has come.
private struct AnswerProgress {
    var said = ""
    var rounds = 0
}

extension ResponseItem {
    /// The item as it may be sent to a server that keeps nothing: without ids; `nil` for what is nothing without them.
    fileprivate var said: ResponseItem? {
        switch self {
        case .message(let item): item.text.isEmpty ? nil : .message(item.role, item.text)
        case .functionCall(let call):
            .functionCall(FunctionCallItem(callID: call.callID, name: call.name, arguments: call.arguments))
        case .functionCallOutput: self
        default: nil
        }
    }
}

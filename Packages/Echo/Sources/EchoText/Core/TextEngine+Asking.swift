// SPDX-License-Identifier: MIT

extension TextEngine {
    /// Asks the model once, and adds its answer to messages and history.
    ///
    /// - Returns: The calls that the model requests.
    func ask() async throws -> [ToolCall] {
        let tools = try await context.tools.all()
        let request = request(with: tools)
        do throws(any Error) {
            return try await answer(to: request)
        } catch let error as EchoError where request.previousResponseID != nil && error.isForgottenResponse {
            history.forget()
            return try await answer(to: self.request(with: tools))
        }
    }

    private func request(with tools: [Tool]) -> ResponsesRequest {
        let fixed = budget.cost(ofInstructions: context.systemMessage, tools: tools)
        // Beyond the model's window the server cannot continue from its own copy: a shorter history has to be sent.
        if history.keptID != nil, !budget.fits(history, fixed: fixed) { history.forget() }
        let input = history.keptID == nil ? budget.fit(history, fixed: fixed) : history.newItems
        var request = ResponsesRequest(
            model: configuration.responsesModel, input: input.filter { !$0.isAwaited },
            instructions: context.systemMessage, previousResponseID: history.keptID)
        request.tools = tools.map(\.responseTool)
        return request
    }

    private func answer(to request: ResponsesRequest) async throws -> [ToolCall] {
        let all = history.items.count { !$0.isAwaited }
        let isWhole = request.previousResponseID != nil || request.input.count == all
        let estimate = budget.estimate(
            history, fixed: budget.cost(ofInstructions: request.instructions, tools: request.tools))
        var answer = AnswerMessage(context: context, deltas: deltas)
        let context = context
        let stream = try await RateLimiter.$listener.withValue(.init { await context.emit(.rateLimited($0)) }) {
            try await service.stream(request)
        }
        do {
            for try await event in stream {
                guard event.kind == .outputTextDelta || event.kind == .refusalDelta,
                    case .text(let piece) = event.detail
                else { continue }
                if !isSpeaking { await startSpeaking() }
                await answer.append(piece.text)
            }
        } catch {
            await answer.breakOff()
            if !answer.text.isEmpty {
                history.append(.message(.assistant, answer.text), id: answer.id, isInterrupted: true)
            }
            throw error
        }
        let response = stream.partial
        if isWhole, let usage = response.usage { budget.learn(estimated: estimate, actual: usage.inputTokens) }
        return try await take(response, answer)
    }

    private func take(_ response: Response, _ answer: AnswerMessage) async throws -> [ToolCall] {
        var answer = answer
        let text = response.spokenText
        if !isSpeaking, !text.isEmpty { await startSpeaking() }
        let isWhole = response.status == .completed || response.status == .inProgress
        await answer.finish(
            text, incompleteReason: isWhole ? nil : response.incompleteReason ?? response.status.rawValue)
        guard isWhole else {
            // Calls may be cut off as well and could not be answered: only the text stays.
            if !text.isEmpty { history.append(.message(.assistant, text), id: answer.id, isInterrupted: true) }
            return []
        }
        history.append(response, isKept: service.keepsResponses, messageID: answer.id)
        let calls = response.functionCalls.map { ToolCall(id: $0.callID, name: $0.name, arguments: $0.arguments) }
        for call in calls { await context.emit(.toolCallRequested(call)) }
        return calls
    }

    private func startSpeaking() async {
        isSpeaking = true
        await context.emit(.assistantStartedSpeaking)
    }
}

extension EchoError {
    /// True if the server does not have the answer that the request continues.
    fileprivate var isForgottenResponse: Bool {
        switch self {
        case .notFound: true
        case .apiError(let failure):
            failure.code == "previous_response_not_found" || failure.parameter == "previous_response_id"
        default: false
        }
    }
}

extension Response {
    /// All text for a person: the answer, or the refusal.
    fileprivate var spokenText: String {
        output.reduce(into: "") { text, item in
            if case .message(let message) = item { text += message.text }
        }
    }
}

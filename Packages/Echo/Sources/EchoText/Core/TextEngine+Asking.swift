// SPDX-License-Identifier: MIT

import StructuredJSON

extension TextEngine {
    /// Asks the model once, and adds its answer to messages and history.
    ///
    /// - Returns: The outcome.
    func ask() async -> TextTurnMachine.Input {
        var question: Question?
        do {
            let asked = await self.question(with: try await context.tools.all())
            question = asked
            try Task.checkCancellation()
            return .answered(try await answer(to: asked))
        } catch is CancellationError {
            return .cancelled
        } catch {
            return .failed(error, mayRepeat: question.map { mayRepeat($0, after: error) } ?? false)
        }
    }

    /// True if the whole history may be sent instead of a question, or less of it.
    private func mayRepeat(_ question: Question, after error: any Error) -> Bool {
        switch error as? EchoError {
        case .contextTooLong?: budget.distrustScale(after: question.estimate)
        case let error?: question.request.previousResponseID != nil && error.isForgottenResponse
        case nil: false
        }
    }

    /// A request, and the estimate of its tokens, those that the server keeps included.
    private struct Question {
        var request: ResponsesRequest
        var estimate: Int
        /// True if the server then has the whole conversation.
        var isWhole: Bool
    }

    private func question(with tools: [Tool]) async -> Question {
        let fixed = budget.cost(ofInstructions: context.systemMessage, tools: tools)
        let mark = kept?.mark
        let history = await context.queue.record { $0.history(after: mark) }
        // Beyond the model's window the server cannot continue from its own copy: a shorter history has to be sent.
        if history.keptCount == nil || !budget.fits(history, fixed: fixed) { kept = nil }
        let (input, estimate) =
            kept == nil
            ? budget.fit(history, fixed: fixed) : (history.newItems, budget.estimate(history, fixed: fixed))
        var request = ResponsesRequest(
            model: configuration.responsesModel, input: input, instructions: context.systemMessage,
            previousResponseID: kept?.id)
        request.tools = tools.map(\.responseTool)
        request.textFormat = form?.format
        return Question(
            request: request, estimate: estimate, isWhole: kept != nil || input.count == history.items.count)
    }

    private func answer(to question: Question) async throws -> [ToolCall] {
        var answer = AnswerMessage(context: context, deltas: deltas)
        var reader = form.map { _ in AnswerTextReader() }
        let context = context
        let stream = try await RateLimiter.$listener.withValue(.init { await context.emit(.rateLimited($0)) }) {
            try await service.stream(question.request)
        }
        do {
            for try await event in stream {
                guard event.kind == .outputTextDelta || event.kind == .refusalDelta,
                    case .text(let piece) = event.detail
                else { continue }
                let text = event.kind == .outputTextDelta ? reader?.feed(piece.text) ?? piece.text : piece.text
                guard !text.isEmpty else { continue }
                await handle(.delta)
                await answer.append(text)
            }
        } catch {
            await answer.breakOff()
            throw error
        }
        var response = stream.partial
        if let reader { said = response.takeFields(of: reader.text) }
        if let usage = response.usage { budget.scale.learn(estimated: question.estimate, actual: usage.inputTokens) }
        return try await take(response, answer, mayContinue: question.isWhole)
    }

    /// - Parameter mayContinue: True if the next request may continue this answer.
    private func take(
        _ response: Response, _ answer: AnswerMessage, mayContinue: Bool
    ) async throws -> [ToolCall] {
        var answer = answer
        let text = response.spokenText
        if !text.isEmpty { await handle(.delta) }
        let isWhole = response.status == .completed || response.status == .inProgress
        await answer.finish(
            text, incompleteReason: isWhole ? nil : response.incompleteReason ?? response.status.rawValue)
        // Calls may be cut off as well and could not be answered: only the text stays.
        guard isWhole else { return [] }
        let id = answer.id
        let end = await context.queue.record { transcript in
            transcript.append(response, message: id)
            return transcript.end
        }
        if service.keepsResponses, mayContinue, !response.id.isEmpty { kept = (response.id, end) }
        return response.functionCalls.map { ToolCall(id: $0.callID, name: $0.name, arguments: $0.arguments) }
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
    /// Leaves the text of an answer with fields, which was read on its way.
    ///
    /// - Returns: The fields; nil if it has none.
    fileprivate mutating func takeFields(of read: String) -> JSONValue? {
        let (text, fields) = AnswerFields.parts(of: outputText, read: read)
        guard text != outputText else { return nil }
        let place = output.firstIndex { if case .message = $0 { true } else { false } }
        output.removeAll { if case .message = $0 { true } else { false } }
        output.insert(.message(.assistant, text), at: place ?? output.startIndex)
        return fields
    }

    /// All text for a person: the answer, or the refusal.
    fileprivate var spokenText: String {
        output.reduce(into: "") { text, item in
            if case .message(let message) = item { text += message.text }
        }
    }
}

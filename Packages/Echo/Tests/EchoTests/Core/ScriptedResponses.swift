// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Echo

/// Answers from a script, and keeps what it was asked.
final class ScriptedResponses: ResponsesService {
    /// One thing that a stream does.
    enum Step: Sendable {
        case event(ResponseStreamEvent)
        /// Sends nothing until the consumer is cancelled.
        case hang
        case fail(any Error)
        /// Tells the test that the stream has come so far.
        case tell(Collected<Void>)
    }

    typealias Answer = @Sendable (ResponsesRequest) async throws -> [Step]

    private struct State {
        var answers: [Answer]
        var requests: [ResponsesRequest] = []
    }

    let keepsResponses: Bool
    private let state: Guarded<State>

    var requests: [ResponsesRequest] { state.withLock { $0.requests } }

    init(keeps: Bool = true, _ answers: [Answer]) {
        keepsResponses = keeps
        state = Guarded(State(answers: answers))
    }

    func stream(_ request: ResponsesRequest) async throws -> ResponseStream {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        guard let answer else { throw EchoError.connectionFailed("The script is at its end.") }
        return ResponseStream(source: Source(try await answer(request)))
    }

    func create(_ request: ResponsesRequest) async throws -> Response { try await stream(request).response() }

    func resume(_ responseID: String, after sequenceNumber: Int?) async throws -> ResponseStream {
        throw EchoError.unsupported("resume")
    }
    func retrieve(_ responseID: String) async throws -> Response { throw EchoError.unsupported("retrieve") }
    func cancel(_ responseID: String) async throws -> Response { throw EchoError.unsupported("cancel") }
    func delete(_ responseID: String) async throws { throw EchoError.unsupported("delete") }

    private final class Source: ResponseStreamSource {
        private let state: Guarded<(steps: ArraySlice<Step>, assembly: ResponseAssembly)>

        init(_ steps: [Step]) { state = Guarded((steps[...], ResponseAssembly())) }

        var partial: Response { state.withLock { $0.assembly.response } }
        var lastSequenceNumber: Int? { nil }

        func next() async throws -> ResponseStreamEvent? {
            while true {
                try Task.checkCancellation()
                let step = state.withLock { $0.steps.popFirst() }
                switch step {
                case .event(let event)?:
                    state.withLock { $0.assembly.apply(event) }
                    return event
                case .hang?:
                    let gate = Gate()
                    await withTaskCancellationHandler {
                        await gate.pass()
                    } onCancel: {
                        gate.open()
                    }
                case .fail(let error)?: throw error
                case .tell(let told)?: told.append(())
                case nil: return nil
                }
            }
        }
    }
}

extension ScriptedResponses.Step {
    static func delta(_ text: String) -> Self {
        .event(ResponseStreamEvent(.outputTextDelta, .text(TextEvent(text, itemID: "msg"))))
    }

    static func completed(_ response: Response) -> Self { .event(ResponseStreamEvent(.completed, .response(response))) }

    /// A whole answer in pieces.
    static func text(_ pieces: [String], id: String, usage: Usage? = nil) -> [Self] {
        let item = ResponseItem.message(
            MessageItem(id: "msg_\(id)", role: .assistant, content: [.outputText(OutputText(pieces.joined()))]))
        return pieces.map(delta) + [
            .completed(Response(id: id, model: "gpt-5", status: .completed, output: [item], usage: usage))
        ]
    }

    /// An answer that wants calls.
    static func calls(_ calls: [ToolCall], id: String) -> [Self] {
        let items = calls.map { call in
            ResponseItem.functionCall(
                FunctionCallItem(id: "fc_\(call.id)", callID: call.id, name: call.name, arguments: call.arguments))
        }
        return [.completed(Response(id: id, model: "gpt-5", status: .completed, output: items))]
    }
}

extension Echo {
    /// One over a script.
    convenience init(
        _ service: ScriptedResponses, automaticToolExecution: Bool = true, executor: ToolExecutor = ToolExecutor(),
        configuration: EchoConfiguration = .default
    ) {
        self.init(
            service: service, embeddings: NoEmbeddings(), configuration: configuration,
            automaticToolExecution: automaticToolExecution, executor: executor)
    }
}

struct NoEmbeddings: EmbeddingsService {
    func create(_ request: EmbeddingsRequest) async throws -> EmbeddingsResponse {
        throw EchoError.unsupported("embeddings")
    }
}

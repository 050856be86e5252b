// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import Echo
import NetworkingTestSupport
import StructuredJSON

@testable import DataAssistant

/// Answers with what it was given, in order, and keeps the requests.
final class ScriptedModel: ResponsesService {
    enum Answer: Sendable {
        case text(String)
        case call(String, String)
        case breakOff(String)
        case refuse(EchoError)
    }

    let answers: Guarded<[Answer]>
    let requests = Guarded<[ResponsesRequest]>([])
    let keepsResponses = false

    init(_ answers: [Answer]) { self.answers = Guarded(answers) }

    func stream(_ request: ResponsesRequest) async throws -> ResponseStream {
        requests.withLock { $0.append(request) }
        let answer = answers.withLock { $0.isEmpty ? .text("nothing left") : $0.removeFirst() }
        switch answer {
        case .text(let text):
            let item = ResponseItem.message(.assistant, text)
            return ResponseStream(
                Self.deltas(text)
                    + [ResponseStreamEvent(.completed, .response(Response(id: "r", output: [item])))])
        case .call(let name, let arguments):
            let item = ResponseItem.functionCall(
                FunctionCallItem(callID: "call-1", name: name, arguments: arguments))
            return ResponseStream([ResponseStreamEvent(.completed, .response(Response(id: "r", output: [item])))])
        case .breakOff(let text): return ResponseStream(source: BrokenStream(Self.deltas(text)))
        case .refuse(let error): throw error
        }
    }

    private static func deltas(_ text: String) -> [ResponseStreamEvent] {
        text.map { ResponseStreamEvent(.outputTextDelta, .text(TextEvent(String($0), itemID: "i"))) }
    }

    func create(_ request: ResponsesRequest) async throws -> Response { Response() }
    func resume(_ id: String, after: Int?) async throws -> ResponseStream { ResponseStream([]) }
    func retrieve(_ id: String) async throws -> Response { Response() }
    func cancel(_ id: String) async throws -> Response { Response() }
    func delete(_ id: String) async throws {}
}

/// Events, and then a lost connection.
private final class BrokenStream: ResponseStreamSource {
    private let events: Guarded<[ResponseStreamEvent]>
    let partial = Response()
    let lastSequenceNumber: Int? = nil

    init(_ events: [ResponseStreamEvent]) { self.events = Guarded(events) }

    func next() async throws -> ResponseStreamEvent? {
        guard let event = events.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
            throw EchoError.streamInterrupted(
                StreamInterruption(reason: .connectionLost, message: "gone", partial: Response()))
        }
        return event
    }
}

private struct NoEmbeddings: EmbeddingsService {
    func create(_ request: EmbeddingsRequest) async throws -> EmbeddingsResponse {
        throw EchoError.unsupported("There are none.")
    }
}

/// One tool, which is allowed or not.
struct OneTool: DataAssistant.ToolSource {
    let isAllowed: Bool

    func tools(_ report: @Sendable (AnswerEvent) async throws -> Void) async throws -> [Tool] {
        [
            Tool(name: "double", description: "", parameters: ["n": ["type": "integer"]]) { arguments in
                "\((arguments["n"] as? Int ?? 0) * 2)"
            }
        ]
    }

    func refusal(
        of call: ToolUse, _ report: @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> ToolRefusal? { isAllowed ? nil : .declined }

    func close() {}
}

extension ScriptedModel {
    /// A conversation with this model.
    func assistant(
        tool: OneTool? = nil, network: ScriptedNetwork = ScriptedNetwork(), asksIfItLasts: Bool = false
    ) throws -> ModelAssistant {
        try ModelAssistant(
            model: "gpt-5", budget: 1, instructions: "Be brief.", tools: tool, mayFallBack: true,
            asksIfItLasts: asksIfItLasts, network: network
        ) { model, api, budget in
            let meter = UsageMeter(budget: budget)
            meter.record(Usage(inputTokens: 80_000), model: "gpt-5")
            var configuration = EchoConfiguration()
            configuration.responsesModel = ResponsesModel(rawValue: model)
            configuration.endpoint.textAPI = api
            return Echo(
                service: self, embeddings: NoEmbeddings(), meter: meter, configuration: configuration,
                automaticToolExecution: false, eventQueueLimit: .max)
        }
    }

    /// The input of each request, an item a line.
    var inputs: [[String]] {
        requests.withLock { $0 }.map { request in
            request.input.map { item in
                switch item {
                case .message(let message): "\(message.role.rawValue): \(message.text)"
                case .functionCall(let call): "call \(call.name)"
                case .functionCallOutput(let output): "result \(output.text)"
                default: "other"
                }
            }
        }
    }

    /// True for each request that asks for fields.
    var schemas: [Bool] {
        requests.withLock { $0.map { if case .jsonSchema = $0.textFormat { true } else { false } } }
    }
}

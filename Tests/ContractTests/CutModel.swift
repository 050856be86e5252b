// SPDX-License-Identifier: MIT

import Concurrency
import DataAssistant
import Domain
import DomainTestSupport
import Echo
import EchoSimulator
import Foundation
import Networking
import NetworkingTestSupport
import TestKit

/// A model behind a network that a test cuts, as a part of an assistant that also knows one thing by itself.
final class CutModel: Sendable {
    /// The question that this machine answers, and its answer.
    static let known = "capital of Texas"
    static let knownAnswer = "The capital of Texas is Austin."
    /// A model's answer in several pieces.
    static let story = "Once upon a time there was a cat that liked to sleep on the warm stove."

    let simulator: EchoSimulator
    let network: NetworkCut
    let model: ModelAssistant
    let repository = InMemoryConversationRepository()
    let ongoing = OngoingConversation(Conversation(startedAt: Date(timeIntervalSince1970: 0)))
    let clock = ManualClock()
    private let events = Guarded<[AnswerEvent]>([])
    private let transport: CurlTransport

    /// - Parameter tool: Runs when the model calls its tool.
    init(_ turns: [Scenario.Turn], tool: (@Sendable (NetworkCut) async -> Void)? = nil) async throws {
        simulator = try await EchoSimulator.start(scenario: Scenario(turns))
        let network = try NetworkCut(before: UInt16(simulator.baseURL.port ?? 0))
        self.network = network
        var connections = CurlTransport.Configuration()
        connections.proxy = .none
        let transport = try CurlTransport(configuration: connections)
        self.transport = transport
        model = try ModelAssistant(
            model: "gpt-5", budget: nil, instructions: nil, tools: tool.map { tool in LookUp { await tool(network) } },
            limit: .seconds(60), clock: clock
        ) { model, api, _ in
            var configuration = EchoConfiguration()
            configuration.endpoint = EchoEndpoint(
                baseURL: "http://127.0.0.1:\(network.port)/v1", textAPI: api, models: [model], allowsPlainHTTP: false)
            configuration.responsesModel = ResponsesModel(rawValue: model)
            configuration.keepsResponses = false
            configuration.retry = nil
            configuration.transport = transport
            return Echo(key: "sk-x", configuration: configuration, automaticToolExecution: false, eventQueueLimit: .max)
        }
    }

    /// Runs `body` with a model, and closes it.
    static func using(
        _ turns: [Scenario.Turn], tool: (@Sendable (NetworkCut) async -> Void)? = nil,
        _ body: (CutModel) async throws -> Void
    ) async throws {
        let world = try await CutModel(turns, tool: tool)
        let result: Result<Void, any Error>
        do { result = .success(try await body(world)) } catch { result = .failure(error) }
        await world.model.close()
        await world.transport.close()
        world.network.close()
        await world.simulator.close()
        try result.get()
    }

    func ask(_ router: AssistantRouter) -> AnswerQuestion {
        let local = ScriptedAssistant { $0 == Self.known ? nil : DomainError.invalidQuery }
        return AnswerQuestion(
            assistant: RoutedAssistant(router, parts: [.states: local, .model: model]), conversations: repository,
            device: "desk", wording: { "words: \($0.code)" })
    }

    /// Asks by text; the events are those of this question alone.
    func answer(_ question: String, by ask: AnswerQuestion) async -> Result<AssistantAnswer, any Error> {
        forget()
        do {
            return .success(
                try await ask(question, of: TurnID(), in: ongoing) { [self] event in note(event) })
        } catch { return .failure(error) }
    }

    func forget() { events.withLock { $0 = [] } }
    func note(_ event: AnswerEvent) { events.withLock { $0.append(event) } }

    /// The text of the pieces that the last question got.
    var pieces: String {
        events.withLock { $0 }.reduce(into: "") { if case .delta(let piece) = $1 { $0 += piece } }
    }

    /// The reports beside the last answer.
    var notices: [AnswerEvent] {
        events.withLock { $0 }.filter {
            switch $0 {
            case .unavailable, .available, .notice: true
            default: false
            }
        }
    }

    func stored() async -> [Domain.Message] { await repository.messages(in: ongoing.conversation.id) }
}

/// One tool, which is always allowed.
private struct LookUp: DataAssistant.ToolSource {
    let run: @Sendable () async -> Void

    func tools(_ report: @Sendable (AnswerEvent) async throws -> Void) async throws -> [Tool] {
        [
            Tool(name: "look_up", description: "Looks up.", parameters: ["n": ["type": "integer"]]) { _ in
                await run()
                return "found"
            }
        ]
    }

    func refusal(
        of call: ToolUse, _ report: @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> ToolRefusal? { nil }

    func close() {}
}

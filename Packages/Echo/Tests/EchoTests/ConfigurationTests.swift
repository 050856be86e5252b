// SPDX-License-Identifier: MIT

import EchoSimulator
import TestKit
import Testing

@testable import Echo

@Suite("Configuration", .timeLimit(.minutes(5)))
struct ConfigurationTests {
    private func withEcho(
        _ configuration: EchoConfiguration, _ scenario: Scenario = Scenario(),
        _ body: (Echo, EchoSimulator) async throws -> Void
    ) async throws {
        let simulator = try await EchoSimulator.start(scenario: scenario)
        var configuration = configuration
        configuration.endpoint.baseURL = "\(simulator.baseURL)"
        let echo = Echo(key: "sk-test", configuration: configuration)
        do { try await body(echo, simulator) } catch {
            await simulator.close()
            throw error
        }
        await echo.close()
        await simulator.close()
    }

    @Test func `the model of vectors is the configuration's, unless a call names one`() async throws {
        try await withEcho(EchoConfiguration(embeddingModel: .textEmbedding3Large)) { echo, simulator in
            #expect(try await echo.embeddings.embedding(from: "a").count == 3_072)
            #expect(try await echo.generate.embedding(from: "b").count == 3_072)
            _ = try await echo.find.similar(to: "a", in: ["b"])
            #expect(try await echo.embeddings.embedding(from: "a", model: .textEmbedding3Small).count == 1_536)
            #expect(
                simulator.requests.compactMap { $0.json?["model"]?.string } == [
                    "text-embedding-3-large", "text-embedding-3-large", "text-embedding-3-small",
                ])
        }
    }

    @Test func `tokens and effort reach a request for text`() async throws {
        let configuration = EchoConfiguration(reasoning: Reasoning(effort: .low), maximumOutputTokens: 500)
        try await withEcho(configuration, Scenario([.init(.message("Hi"))])) { echo, simulator in
            let conversation = try await echo.startConversation(mode: .text)
            try await conversation.send("Hello")
            #expect(simulator.requests.first?.json?["max_output_tokens"] == 500)
            #expect(simulator.requests.first?.json?["reasoning"]?["effort"] == "low")
        }
    }

    private var picture: ResponseItem {
        .message(
            MessageItem(
                role: .user,
                content: [
                    .inputText("What is this?"),
                    .inputImage(url: "data:image/png;base64,iVBORw0KGgo=", fileID: nil, detail: nil),
                ]))
    }

    private func isRefusal(_ error: any Error) -> Bool {
        if case EchoError.invalidConfiguration = error { true } else { false }
    }

    @Test func `a picture goes only to models that read pictures`() async throws {
        #expect(ResponsesModel.gpt5.acceptsImages && ResponsesModel.gpt5Mini.acceptsImages)
        #expect(!ResponsesModel.gpt5Nano.acceptsImages)
        #expect(RealtimeModel.gptRealtime.acceptsImages)
        try await withEcho(EchoConfiguration(), Scenario([.init(.message("A dot"))])) { echo, simulator in
            let nano = ResponsesRequest(model: .gpt5Nano, input: [picture])
            await #expect { try await echo.responses.create(nano) } throws: { isRefusal($0) }
            #expect(simulator.requests.isEmpty)
            let whole = ResponsesRequest(model: .gpt5, input: [picture])
            let answer = try await echo.responses.create(whole)
            #expect(answer.outputText == "A dot")
        }
    }

    @Test func `a picture does not reach a voice session without eyes`() async throws {
        let simulator = try await EchoSimulator.start()
        let configuration = EchoConfiguration(
            endpoint: EchoEndpoint(
                baseURL: "\(simulator.baseURL)", modelsWithoutImages: ["gpt-realtime"]))
        let client = try await RealtimeClient.connect(
            APIConnection(key: "sk-test", configuration: configuration), session: RealtimeSessionConfiguration())
        let image = ContentPart.inputImage(url: "data:image/png;base64,iVBORw0KGgo=", detail: nil)
        let item = ResponseItem.message(MessageItem(role: .user, content: [image]))
        await #expect { try await client.send(.itemCreate(item, at: .end)) } throws: { isRefusal($0) }
        await client.close()
        #expect(simulator.requests.last?.events.contains { $0["type"] == "conversation.item.create" } == false)
        await simulator.close()
    }

    @Test func `each configuration has a labelled initialiser`() {
        let configuration = EchoConfiguration(
            EchoConfiguration(
                responsesModel: .gpt5Mini, realtimeModel: .gptRealtimeMini, budget: 1,
                requestLimits: RequestLimits(requestsPerMinute: 60)),
            voice: VoiceConfiguration(
                speed: 1.2, turns: TurnManager.Options(idleTimeout: .seconds(20)),
                sessions: SessionLifecycle.Limits(attempts: 3), filler: VoiceConfiguration.Filler(delay: .seconds(2)),
                budget: 2))
        #expect(configuration.responsesModel == .gpt5Mini)
        #expect(configuration.voice.turns.idleTimeout == .seconds(20))
        #expect(configuration.voice.turns.longestTurn == .seconds(300))
        #expect(configuration.voice.sessions.attempts == 3)
        #expect(ToolExecutor.Configuration(maximumRounds: 2).maximumRounds == 2)
        #expect(EmbeddingsClient.Configuration(cacheBytes: 0).cacheBytes == 0)
        #expect(VoiceDeviceOptions(gatesEcho: false).cancelsEcho)
    }
}

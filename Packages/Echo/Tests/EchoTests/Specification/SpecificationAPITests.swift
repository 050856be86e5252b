// SPDX-License-Identifier: MIT

import Echo
import Observation
import TestKit
import Testing

/// The declarations of the specification's section 5, each used with the types that it states, and the samples of
/// section 8. Those of section 7 are in ``SpecificationTests``, those of 8.3 in ``MessageQueueTests``.
///
/// Lines that are left out, each with its reason:
///
/// - 7.1, `url: "https://github.com/davidgeere/swift-echo.git"`: the original's address; the package here is this one.
/// - 7.4, `struct ChatView: View` with its body: SwiftUI is Apple's alone. `ChatViewModel` is below, on the main actor,
///   without which Swift 6 refuses the sample on every system; `EchoObservation` has the same ready-made.
/// - 8.5, `MockAudioCapture: AudioCaptureProtocol`: AVAudioEngine's capture, which is Apple's alone. The device's port
///   here is `VoiceDevice`, its double `VirtualVoiceDevice`.
/// - 8.5, `MockWebSocketClient: WebSocketClientProtocol`: URLSession's socket, which FoundationNetworking lacks. The
///   double here is `EchoSimulator`, a server.
/// - 8.6, `VCR`, `HTTPClient(apiKey:)`, `VCRHTTPClient`: test helpers that the specification names and does not
///   define. `EchoSimulator` plays scenarios instead of cassettes.
@Suite("The specification's declarations", .timeLimit(.minutes(5)))
struct SpecificationAPITests {
    private let echo = Echo(ScriptedResponses([]))

    @Test func `5.1 and 5.2: Echo`() async throws {
        let plain: (String) -> Echo = { Echo(key: $0) }
        let whole: (String, EchoConfiguration, Bool) -> Echo = {
            Echo(key: $0, configuration: $1, automaticToolExecution: $2)
        }
        await plain("test-key").close()
        await whole("test-key", .default, true).close()
        let start: (EchoMode, String?) async throws -> Conversation = {
            try await echo.startConversation(mode: $0, systemMessage: $1)
        }
        let startTurns: (EchoMode, TurnDetection, String?) async throws -> Conversation = {
            try await echo.startConversation(mode: $0, turnMode: $1, systemMessage: $2)
        }
        await (try await start(.text, nil)).close()
        await (try await startTurns(.text, .manual, "Be kind.")).close()
    }

    @Test func `5.3: Conversation`() async throws {
        let conversation = try await echo.startConversation(mode: .text)
        let mode: EchoMode = await conversation.mode
        let messages: AsyncStream<Message> = conversation.messages
        let all: [Message] = await conversation.allMessages
        let send: (String) async throws -> Void = conversation.send
        let switchMode: (EchoMode) async throws -> Void = conversation.switchMode(to:)
        let mute: (Bool) async throws -> Void = conversation.setMuted
        try await conversation.endUserTurn()
        try await conversation.interruptAssistant()
        #expect(mode == .text)
        #expect(all.isEmpty)
        try await switchMode(.text)
        await #expect(throws: EchoError.self) { try await mute(true) }
        await #expect(throws: EchoError.self) { try await send("Hello") }
        await conversation.close()
        var count = 0
        for await _ in messages { count += 1 }
        #expect(count == 1)
    }

    @Test func `5.4: events`() {
        echo.when(.userStartedSpeaking) { (_: EchoEvent) in }
        echo.when(.userStartedSpeaking, handler: { (_: EchoEvent) -> Void in })
        echo.when(.userStartedSpeaking, asyncHandler: { (_: EchoEvent) async -> Void in })
        let types: [EventType] = [
            .userStartedSpeaking, .userStoppedSpeaking, .userTranscriptionCompleted, .assistantStartedSpeaking,
            .assistantStoppedSpeaking, .assistantTextDelta, .assistantAudioDelta, .audioLevelChanged, .turnChanged,
            .toolCallRequested, .messageFinalized, .error,
        ]
        #expect(Set(types).count == 12)
    }

    @Test func `5.5: tools`() {
        let handler: @Sendable ([String: Any]) async throws -> String = { _ in "" }
        let tool = Tool(
            name: "name", description: "description", parameters: ["a": ["type": "string"]], handler: handler)
        echo.registerTool(tool)
        let register: (MCPServer) -> Void = { echo.registerMCPServer($0) }
        register(.stdio(name: "files", command: "mcp-server-files", arguments: []))
    }

    @Test func `5.6: embeddings`() {
        let one: (String, EmbeddingModel, Int?) async throws -> [Float] = {
            try await echo.embeddings.embedding(from: $0, model: $1, dimensions: $2)
        }
        let many: ([String], EmbeddingModel, Int?) async throws -> [[Float]] = {
            try await echo.embeddings.embeddings(from: $0, model: $1, dimensions: $2)
        }
        let similar:
            (String, [String], Int, EmbeddingModel) async throws -> [(index: Int, text: String, similarity: Float)] = {
                try await echo.find.similar(to: $0, in: $1, topK: $2, model: $3)
            }
        _ = (one, many, similar)
    }

    @Test func `5.7: structured output`() {
        let value: (String, ResponsesModel?, String?) async throws -> [String] = {
            try await echo.generate.structured([String].self, from: $0, model: $1, instructions: $2)
        }
        let json: (JSONSchema, String, ResponsesModel?, String?) async throws -> String = {
            try await echo.generate.structuredJSON(schema: $0, from: $1, model: $2, instructions: $3)
        }
        _ = (value, json)
    }

    @Test func `5.8: the seven errors match, and others need a default`() {
        func text(_ error: EchoError) -> String {
            switch error {
            case .unsupportedModel(let model): "model \(model)"
            case .connectionFailed(let reason): "connection \(reason)"
            case .transcriptionFailed(let reason): "transcription \(reason)"
            case .audioError(let reason): "audio \(reason)"
            case .toolExecutionFailed(let reason): "tool \(reason)"
            case .rateLimitExceeded: "rate"
            case .invalidConfiguration(let reason): "configuration \(reason)"
            default: "another"
            }
        }
        let errors: [any Error] = [EchoError.rateLimitExceeded, EchoError.conversationClosed]
        #expect(errors.compactMap { $0 as? EchoError }.map(text) == ["rate", "another"])
    }

    @Observable
    @MainActor
    final class ChatViewModel {
        var messages: [Message] = []
        private var conversation: Conversation?
        private let echo: Echo

        init(_ echo: Echo) { self.echo = echo }

        func startChat() async throws {
            conversation = try await echo.startConversation(mode: .text)

            // Subscribe to messages
            Task {
                // swift-format-ignore: NeverForceUnwrap
                for await message in conversation!.messages {
                    await MainActor.run {
                        messages.append(message)
                    }
                }
            }
        }

        func send(_ text: String) async throws { try await conversation?.send(text) }
        func close() async { await conversation?.close() }
    }

    @MainActor
    @Test func `7.4: a view's model`() async throws {
        let echo = Echo(ScriptedResponses([{ _ in ScriptedResponses.Step.text(["Hello!"], id: "r1") }]))
        let viewModel = ChatViewModel(echo)
        try await viewModel.startChat()
        try await viewModel.send("Hi")
        try await eventually { await MainActor.run { viewModel.messages.map(\.text) == ["Hi", "Hello!"] } }
        await viewModel.close()
    }

    @Test func `8.4: context preserved when switching`() async throws {
        try await VoiceStage.run(text: [{ _ in ScriptedResponses.Step.text(["Yes."], id: "r1") }]) { stage in
            let echo = stage.echo
            let conversation = try await echo.startConversation(mode: .text)

            // Send in text mode
            try await conversation.send("Remember: Blue")

            // Switch to audio
            try await conversation.switchMode(to: .audio)

            // Verify context available
            let messages = await conversation.allMessages
            #expect(messages.contains { $0.text.contains("Blue") })
            await conversation.close()
        }
    }
}

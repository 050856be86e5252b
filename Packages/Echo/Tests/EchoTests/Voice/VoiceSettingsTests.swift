// SPDX-License-Identifier: MIT

import EchoSimulator
import TestKit
import Testing

@testable import Echo
@testable import EchoText

/// Settings of the configuration, and of which a voice session has to be told.
@Suite("Settings of a voice session", .timeLimit(.minutes(5)))
struct VoiceSettingsTests {
    private let device = VirtualVoiceDevice()

    private func withEcho(
        _ scenario: Scenario = Scenario(), _ configuration: EchoConfiguration,
        _ body: (Echo, EchoSimulator) async throws -> Void
    ) async throws {
        let simulator = try await EchoSimulator.start(scenario: scenario)
        var configuration = configuration
        configuration.endpoint = EchoEndpoint(
            baseURL: "\(simulator.baseURL)", models: configuration.endpoint.models)
        configuration.voice.device = device
        let echo = Echo(key: "sk-test", configuration: configuration)
        do { try await body(echo, simulator) } catch {
            await echo.close()
            await simulator.close()
            throw error
        }
        await echo.close()
        await simulator.close()
    }

    /// The session that the server is asked for.
    private func session(_ configuration: EchoConfiguration) async throws -> JSONValue? {
        var session: JSONValue?
        try await withEcho(Scenario(), configuration) { echo, simulator in
            let conversation = try await echo.startConversation(mode: .audio)
            session = simulator.requests.last?.events.first { $0["type"] == "session.update" }?["session"]
            await conversation.close()
        }
        return session
    }

    @Test func `the limit of an answer's tokens reaches the session`() async throws {
        #expect(try await session(EchoConfiguration(maximumOutputTokens: 500))?["max_output_tokens"] == 500)
        #expect(try await session(EchoConfiguration(maximumOutputTokens: 8_000))?["max_output_tokens"] == 4_096)
        #expect(
            try await session(EchoConfiguration(realtimeModel: .gptRealtimeMini))?["max_output_tokens"] == 2_048)
    }

    @Test func `the effort of reasoning reaches models that reason`() async throws {
        var configuration = EchoConfiguration(reasoning: Reasoning(effort: .low))
        #expect(try await session(configuration)?["reasoning"] == nil)
        configuration.endpoint.models = ["gpt-realtime-2"]
        configuration.realtimeModel = RealtimeModel(rawValue: "gpt-realtime-2")
        try await VoiceStage.run(configure: {
            $0.endpoint.models = configuration.endpoint.models
            $0.realtimeModel = configuration.realtimeModel
            $0.reasoning = configuration.reasoning
        }) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            let session = stage.service.sent("session.update").first?["session"]
            #expect(session?["reasoning"]?["effort"] == "low")
            await conversation.close()
        }
    }

    @Test func `the model of transcripts is one setting`() async throws {
        var configuration = EchoConfiguration()
        configuration.transcriptionModel = TranscriptionModel(rawValue: "whisper-large")
        #expect(configuration.voice.transcription.model.rawValue == "whisper-large")
        configuration.voice.transcription = RealtimeTranscription(model: .whisper1, language: "en")
        #expect(configuration.transcriptionModel == .whisper1)
        let transcription = try await session(configuration)?["audio"]?["input"]?["transcription"]
        #expect(transcription?["model"] == "whisper-1")
        #expect(transcription?["language"] == "en")
    }

    private static let history: [ResponseItem] = (0..<100).flatMap { number -> [ResponseItem] in
        let words = Array(repeating: "word", count: 50).joined(separator: " ")
        return [.message(.user, "question \(number) \(words)"), .message(.assistant, "answer \(number) \(words)")]
    }

    @Test func `a history that is too long is cut as in text`() async throws {
        let configuration = EchoConfiguration(
            maximumOutputTokens: 1_000, contextWindow: 5_000, keepsResponses: false)
        let scenario = Scenario([.init(.message("Yes")), .init(.message("Yes"))])
        try await withEcho(scenario, configuration) { echo, simulator in
            let spoken = try await echo.startConversation(mode: .audio, history: Self.history)
            try await spoken.send("So?")
            let created = simulator.requests.last?.events.filter { $0["type"] == "conversation.item.create" } ?? []
            let texts = created.compactMap { $0["item"]?["content"]?.array?.first?["text"]?.string }
            #expect(texts.count < Self.history.count / 2)
            #expect(texts.first?.hasPrefix("question") == true)
            #expect(texts.suffix(2).first?.hasPrefix("answer 99") == true)
            #expect(texts.last == "So?")
            // Nothing of it is forgotten for the other mode.
            #expect(await spoken.history.count == Self.history.count + 2)
            await spoken.close()

            let written = try await echo.startConversation(mode: .text, history: Self.history)
            try await written.send("And?")
            let input = simulator.requests.last?.json?["input"]?.array ?? []
            // The question takes a little of the budget, so one turn less may fit.
            #expect((texts.count - 2...texts.count).contains(input.count))
            await written.close()
        }
    }

    @Test func `voice is given the history by the measure of the text before it`() async throws {
        let answer: ScriptedResponses.Answer = { request in
            let estimate = request.input.reduce(0) { $0 + ContextBudget.cost(of: $1) }
            return ScriptedResponses.Step.text(
                ["Yes"], id: "r", usage: Usage(inputTokens: estimate / 3, outputTokens: 1))
        }
        try await VoiceStage.run(
            text: [answer],
            configure: { configuration in
                configuration.maximumOutputTokens = 1_000
                configuration.contextWindow = 18_000
            }
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .text, history: Self.history)
            try await conversation.send("So?")
            #expect(try #require(stage.text.requests.last).input.count < Self.history.count)
            try await conversation.switchMode(to: .audio)
            _ = try await stage.service.first(Self.history.count + 2, "conversation.item.create")
            await conversation.close()
        }
    }

    @Test func `a forgotten turn ends and is answered`() async throws {
        var configuration = EchoConfiguration()
        configuration.voice.turns.longestTurn = .milliseconds(300)
        let scenario = Scenario([.init(.message("It is noon."), speech: .init(transcript: "What time is it?"))])
        try await withEcho(scenario, configuration) { echo, _ in
            let conversation = try await echo.startConversation(mode: .audio, turnMode: .manual)
            let events = conversation.events(of: [.turnTimedOut])
            try await conversation.beginUserTurn()
            device.stream?.speak(milliseconds: 600)
            for await _ in events { break }
            var texts: [String] = []
            for await message in conversation.messages {
                texts.append(message.text)
                if texts.count == 2 { break }
            }
            #expect(texts == ["What time is it?", "It is noon."])
            await conversation.close()
        }
    }

    @Test func `a turn without sound that is forgotten ends without an answer`() {
        var script = MachineScript {
            $0.session.turnDetection = .manual
            $0.turns.longestTurn = .seconds(10)
        }
        script.input(.command(.beginTurn))
        script.pass(.seconds(9))
        #expect(script.machine.turns.isUserSpeaking)
        script.pass(.seconds(2))
        #expect(!script.machine.turns.isUserSpeaking)
        #expect(script.requests.isEmpty)
        #expect(script.events.contains(.turnTimedOut))
        #expect(script.events.contains(.turnTooShort))
        // A turn that was ended in time is left alone.
        script.input(.command(.beginTurn))
        script.input(.captured([UInt8](repeating: 1, count: 48_000)))
        script.input(.command(.endTurn))
        script.pass(.seconds(20))
        #expect(script.events.count { $0 == .turnTimedOut } == 1)
    }

    @Test func `a session that replaces another is given what fits`() {
        let items = Self.history.enumerated().map { number, item in
            var item = item
            item.id = "i\(number)"
            return item
        }
        var script = MachineScript({ $0.contextLimit = 2_000 }, history: items)
        let first = script.sent.count { if case .itemCreate = $0 { true } else { false } }
        #expect((1..<100).contains(first))
        script.input(.failed(1, .broken(retryAfter: nil)))
        script.pass(.seconds(5))
        script.input(.opened(2))
        let both = script.sent.count { if case .itemCreate = $0 { true } else { false } }
        #expect(both == 2 * first)
        #expect(script.machine.transcript.items.count == items.count)
    }
}

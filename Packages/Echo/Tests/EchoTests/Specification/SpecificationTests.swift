// SPDX-License-Identifier: MIT

// `import Echo` alone is what the specification's samples have; `EchoSimulator` is only the server.
import Echo
import EchoSimulator
import TestKit
import Testing

/// The samples of the specification's sections 5 and 7, as they stand there, against a server.
@Suite("The specification's samples", .timeLimit(.minutes(5)))
struct SpecificationTests {
    private let device = VirtualVoiceDevice()

    private func withEcho(
        _ scenario: Scenario = Scenario(), _ body: (Echo, EchoSimulator) async throws -> Void
    ) async throws {
        let simulator = try await EchoSimulator.start(scenario: scenario)
        var configuration = EchoConfiguration.default
        configuration.endpoint = EchoEndpoint(baseURL: "\(simulator.baseURL)")
        configuration.voice.device = device
        let echo = Echo(key: "sk-test", configuration: configuration)
        do { try await body(echo, simulator) } catch {
            await simulator.close()
            throw error
        }
        await echo.close()
        await simulator.close()
    }

    @Test("7.2.1: basic set-up")
    func basicSetup() async throws {
        try await withEcho(Scenario([.init(.message("Hello! How can I help?"))])) { echo, _ in
            // Start conversation
            let conversation = try await echo.startConversation(
                mode: .text,
                systemMessage: "You are a helpful assistant"
            )

            // Send message
            try await conversation.send("Hello!")

            // Receive messages
            var lines: [String] = []
            for await message in conversation.messages {
                lines.append("\(message.role): \(message.text)")
                if lines.count == 2 { break }
            }
            #expect(lines == ["user: Hello!", "assistant: Hello! How can I help?"])
        }
    }

    @Test("7.2.2: voice conversations")
    func voice() async throws {
        let scenario = Scenario([
            .init(.message("It is noon."), speech: .init(transcript: "What time is it?"))
        ])
        try await withEcho(scenario) { echo, _ in
            // Start in audio mode with VAD
            let conversation = try await echo.startConversation(
                mode: .audio,
                turnMode: .automatic(
                    VADConfiguration(
                        threshold: 0.5,
                        silenceDuration: .milliseconds(500)
                    )
                )
            )

            // Audio I/O handled automatically
            // User speaks → AI responds → User speaks...
            device.stream?.speak(milliseconds: 600)
            var lines: [String] = []
            for await message in conversation.messages {
                lines.append("\(message.role): \(message.text)")
                if lines.count == 2 { break }
            }
            #expect(lines == ["user: What time is it?", "assistant: It is noon."])
            #expect(device.stream?.heard.isEmpty == false)
            await conversation.close()
        }
        #expect(device.openCount == 0)
    }

    @Test("7.2.3: mode switching")
    func modeSwitching() async throws {
        let scenario = Scenario([
            .init(.message("It is a language.")), .init(.message("By voice now.")), .init(.message("In text again.")),
        ])
        try await withEcho(scenario) { echo, _ in
            // Start in text
            let conversation = try await echo.startConversation(mode: .text)
            try await conversation.send("Let's discuss Swift")

            // Switch to voice
            try await conversation.switchMode(to: .audio)
            // Continue with voice...
            try await conversation.send("Go on")

            // Switch back to text
            try await conversation.switchMode(to: .text)
            // Context preserved throughout
            try await conversation.send("And on")
            #expect(
                await conversation.allMessages.map(\.text) == [
                    "Let's discuss Swift", "It is a language.", "Go on", "By voice now.", "And on", "In text again.",
                ])
            await conversation.close()
        }
        #expect(device.openCount == 0)
    }

    @Test("7.3.1: embeddings and search")
    func embeddings() async throws {
        try await withEcho { echo, _ in
            // Generate embedding
            let embedding = try await echo.generate.embedding(
                from: "Swift is powerful"
            )
            #expect(embedding.count == 1536)

            // Find similar texts
            let corpus = ["programming languages", "cats and dogs", "programming languages of today", "the weather"]
            let results = try await echo.find.similar(
                to: "programming languages",
                in: corpus,
                topK: 5
            )
            #expect(results.count == 4)
            #expect(results[0].index == 0)
            #expect(results[0].text == "programming languages")
            #expect(results[0].similarity > 0.999)
            #expect(zip(results, results.dropFirst()).allSatisfy { $0.similarity >= $1.similarity })
            #expect(try await echo.embeddings.embeddings(from: ["a", "b"], dimensions: 8).map(\.count) == [8, 8])
        }
    }

    struct UserProfile: Codable {
        let name: String
        let age: Int
    }

    @Test("7.3.2: structured output")
    func structuredOutput() async throws {
        try await withEcho(Scenario([.init(.message(#"{"name":"John","age":30}"#))])) { echo, _ in
            let profile = try await echo.generate.structured(
                UserProfile.self,
                from: "Create profile for John, 30 years old"
            )
            #expect(profile.name == "John")
            #expect(profile.age == 30)
        }
    }

    @Test("7.3.3: tool calling")
    func toolCalling() async throws {
        let scenario = Scenario([
            .init(.functionCall("get_weather", arguments: #"{"location":"Bonn"}"#)), .init(.message("It is sunny.")),
        ])
        try await withEcho(scenario) { echo, simulator in
            let weatherTool = Tool(
                name: "get_weather",
                description: "Get weather for location",
                parameters: ["location": ["type": "string"]]
            ) { args in
                let location = args["location"] as? String ?? ""
                return "Sunny, 72°F in \(location)"
            }

            echo.registerTool(weatherTool)

            let conversation = try await echo.start.conversation(mode: .text)
            try await conversation.send("How is the weather in Bonn?")
            #expect(await conversation.allMessages.last?.text == "It is sunny.")
            let bodies = simulator.requests.compactMap(\.json)
            #expect(bodies.count == 2)
            #expect(bodies.last?.text.contains("Sunny, 72°F in Bonn") == true)
        }
    }

    @Test("5.4: events")
    func events() async throws {
        try await withEcho(Scenario([.init(.message("One two three four"))])) { echo, _ in
            let deltas = Collected<String>()
            let finals = Collected<Message>()
            echo.when(.assistantTextDelta) { event in
                deltas.append(event.text ?? "")
            }
            echo.when(.messageFinalized) { event in
                await disturbOrder()
                if let message = event.message { finals.append(message) }
            }
            let both = echo.when([.turnChanged, .turnEnded]) { _ in }
            let conversation = try await echo.startConversation(mode: .text)
            try await conversation.send("Count")
            #expect(try await finals.first(2).map(\.text) == ["Count", "One two three four"])
            #expect(try await finals.first(2).map(\.sequenceNumber) == [0, 1])
            _ = try await deltas.first(2)
            both.cancel()
        }
    }

    @Test("7.5: error handling")
    func errorHandling() async throws {
        try await withEcho { _, simulator in
            var configuration = EchoConfiguration.default
            configuration.endpoint = EchoEndpoint(baseURL: "\(simulator.baseURL)")
            configuration.responsesModel = ResponsesModel(rawValue: "gpt-3.5-turbo")
            let echo = Echo(key: "sk-test", configuration: configuration)
            var caught = ""
            do {
                let conversation = try await echo.startConversation(mode: .text)
                try await conversation.send("Hello")
            } catch EchoError.unsupportedModel(let model) {
                caught = "Model not supported: \(model)"
            } catch EchoError.connectionFailed(let reason) {
                caught = "Connection failed: \(reason)"
            } catch {
                caught = "Unexpected error: \(error)"
            }
            #expect(caught == "Model not supported: gpt-3.5-turbo")
            #expect(simulator.requests.isEmpty)
        }
    }

    @Test("The server forgets what it kept, and the conversation goes on with its whole history")
    func forgotten() async throws {
        let scenario = Scenario([.init(.message("One")), .init(.message("Two"))])
        try await withEcho(scenario) { echo, simulator in
            let conversation = try await echo.startConversation(mode: .text)
            try await conversation.send("1")
            simulator.inject(
                .status(
                    400,
                    body: [
                        "error": [
                            "message": "Previous response not found.", "type": "invalid_request_error",
                            "param": "previous_response_id", "code": "previous_response_not_found",
                        ]
                    ]))
            try await conversation.send("2")
            #expect(await conversation.allMessages.map(\.text) == ["1", "One", "2", "Two"])
            #expect(simulator.requests.last?.json?["previous_response_id"] == nil)
            #expect(simulator.requests.last?.json?["input"]?.array?.count == 3)
        }
    }
}

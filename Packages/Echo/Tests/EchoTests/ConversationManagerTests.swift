// SPDX-License-Identifier: MIT

import Echo
import EchoObservation
import EchoSimulator
import Observation
import TestKit
import Testing

@Suite("A conversation that is observed", .timeLimit(.minutes(5)))
@MainActor
struct ConversationManagerTests {
    /// Returns as soon as the condition holds, by observation alone.
    private func until(_ condition: @escaping @MainActor () -> Bool) async {
        while true {
            let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
            let holds = withObservationTracking(condition) { continuation.yield() }
            if holds { return }
            for await _ in changes { break }
        }
    }

    @Test func `messages, status and mode are observed`() async throws {
        let simulator = try await EchoSimulator.start(
            scenario: Scenario([.init(.message("Hello!")), .init(.message("By voice"))]))
        let device = VirtualVoiceDevice()
        let configuration = EchoConfiguration(
            EchoConfiguration(endpoint: EchoEndpoint(baseURL: "\(simulator.baseURL)")),
            voice: VoiceConfiguration(device: device))
        let echo = Echo(key: "sk-test", configuration: configuration)
        let conversation = try await echo.startConversation(mode: .text)
        let manager = ConversationManager(conversation)
        await until { manager.mode == .text }
        try await conversation.send("Hi")
        await until { manager.messages.map(\.text) == ["Hi", "Hello!"] }
        await until { manager.answer.isEmpty && !manager.isAssistantSpeaking && manager.speaker == .user }

        try await conversation.switchMode(to: .audio)
        await until { manager.mode == .audio && manager.connection == .connected }
        device.stream?.tell(.status(.listening, route: "virtual"))
        await until { manager.audio == .listening }
        device.stream?.tell(.level(input: 0.5, output: 0.25))
        await until { manager.inputLevel == 0.5 && manager.outputLevel == 0.25 }
        try await conversation.send("And now?")
        await until { manager.messages.count == 4 }
        try await conversation.switchMode(to: .text)
        await until { manager.mode == .text && manager.inputLevel == 0 && manager.connection == nil }
        #expect(manager.audio == .idle)

        // A voice session that failed to open does not show as a lost connection in text.
        device.fail(.audioError("The microphone is taken."))
        await #expect(throws: EchoError.self) { try await conversation.switchMode(to: .audio) }
        await until { manager.failure is EchoError }
        #expect(manager.connection == nil)

        // The scenario has no third answer.
        simulator.inject(.status(400))
        await #expect(throws: EchoError.self) { try await conversation.send("More") }
        await until { manager.messages.count == 5 && manager.failure is EchoError }
        await conversation.close()
        await manager.close()
        await echo.close()
        await simulator.close()
    }

    @Test func `it does not keep itself alive`() async throws {
        let conversation = try await Echo(ScriptedResponses([])).startConversation(mode: .text)
        weak var weakManager: ConversationManager?
        do {
            let manager = ConversationManager(conversation)
            await until { manager.mode == .text }
            weakManager = manager
        }
        try await eventually { await MainActor.run { weakManager == nil } }
    }
}

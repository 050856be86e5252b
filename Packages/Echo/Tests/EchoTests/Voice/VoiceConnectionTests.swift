// SPDX-License-Identifier: MIT

import Diagnostics
import EchoSimulator
import FoundationEssentials
import StructuredJSON
import TestKit
import Testing

@testable import Echo
@testable import EchoText

@Suite("Voice sessions that break", .timeLimit(.minutes(5)))
struct VoiceConnectionTests {
    /// Sessions are replaced at once, so that tests do not wait.
    private func quick(_ configuration: inout EchoConfiguration) {
        configuration.voice.sessions.firstPause = .milliseconds(1)
        configuration.voice.sessions.longestPause = .milliseconds(5)
        configuration.voice.sessions.stable = .zero
    }

    @Test(
        "After each code that is worth it, another session goes on: no turn is lost, none is there twice",
        arguments: [1000, 1001, 1006, 1011, 1012, 1013, 1014])
    func reconnecting(number: Int) async throws {
        try await VoiceStage.run(
            [.speech("One.", milliseconds: 60), .speech("Two.", milliseconds: 60)], configure: quick
        ) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio)
            try await conversation.send("1")
            await stage.service.simulator.closeSessions(code: number, reason: "over")
            try await stage.service.simulator.waitForRequests { $0.count == 2 }
            try await conversation.send("2")
            #expect(await conversation.allMessages.map(\.text) == ["1", "One.", "2", "Two."])
            let replayed = stage.service.sent("conversation.item.create").compactMap {
                $0["item"]?["content"]?[0]?["text"]?.string
            }
            #expect(replayed == ["1", "1", "One.", "2"])
            var statuses: [ConnectionStatus] = []
            var count = 0
            while statuses.count < 4 {
                count += 1
                _ = try await stage.events.first(count)
                statuses = stage.events.values.compactMap { event in
                    if case .connectionStatusChanged(let status) = event { status } else { nil }
                }
            }
            #expect(statuses == [.connecting, .connected, .reconnecting, .connected])
            await conversation.close()
        }
    }

    @Test("What the user says while there is no session is heard by the next")
    func speechMeanwhile() async throws {
        let answer = ScriptedAnswer.speech("Yes.", milliseconds: 60, to: "Are you there?")
        try await VoiceStage.run([answer], configure: quick) { stage in
            let conversation = try await stage.echo.startConversation(mode: .audio, turnMode: .manual)
            let stream = try #require(stage.device.stream)
            try await conversation.beginUserTurn()
            stream.capture(milliseconds: 200)
            try await eventually { stage.service.appended >= 10 }
            stage.service.setConfirming(false)
            await stage.service.simulator.closeSessions(code: 1001)
            _ = try await stage.event {
                if case .connectionStatusChanged(.reconnecting) = $0 { true } else { false }
            }
            stream.capture(milliseconds: 200)
            stream.tell(.level(input: 0, output: 0))
            _ = try await stage.first(.audioLevelChanged)
            try await conversation.endUserTurn()
            stage.service.setConfirming(true)
            // The attempt that hangs is given up by the service.
            await stage.service.simulator.closeSessions(code: 1001)
            let messages = try await stage.messages(2, of: conversation)
            #expect(messages.map(\.text) == ["Are you there?", "Yes."])
            await conversation.close()
        }
    }

    @Test(
        "A service that does not take the key is an error at once, and nothing stays open", arguments: [401, 403, 404])
    func refused(status: Int) async throws {
        let device = VirtualVoiceDevice()
        try await ScriptedRealtimeServer.run(
            status: status, { await $0.listen() }
        ) { server in
            var configuration = server.configuration
            configuration.voice.device = device
            let echo = Echo(key: "sk-test-1234", configuration: configuration)
            await #expect {
                _ = try await echo.startConversation(mode: .audio)
            } throws: { error in
                switch (status, error as? EchoError) {
                case (404, .notFound), (401, .unauthorized), (403, .unauthorized): true
                default: false
                }
            }
            #expect(server.requests.values.count == 1)
            await echo.close()
        }
        #expect(device.openCount == 0)
    }

    @Test("A service that is busy is asked again, and is an error after the third time")
    func busy() async throws {
        let device = VirtualVoiceDevice()
        try await ScriptedRealtimeServer.run(
            status: 503, { await $0.listen() }
        ) { server in
            var configuration = server.configuration
            configuration.voice.device = device
            quick(&configuration)
            let echo = Echo(key: "sk-test-1234", configuration: configuration)
            await #expect(throws: EchoError.self) { _ = try await echo.startConversation(mode: .audio) }
            #expect(server.requests.values.count == 3)
            await echo.close()
        }
        #expect(device.openCount == 0)
    }

    @Test("Starting can be cancelled, and leaves nothing open")
    func cancelledStart() async throws {
        try await VoiceStage.run { stage in
            stage.service.setConfirming(false)
            let starting = Task { try await stage.echo.startConversation(mode: .audio) }
            _ = try await stage.device.opened.first(1)
            starting.cancel()
            await #expect(throws: CancellationError.self) { _ = try await starting.value }
            #expect(stage.device.openCount == 0)
        }
    }

    @Test("Closing at any moment returns, ends whoever waits, and leaves nothing open", arguments: 0..<6)
    func closing(moment: Int) async throws {
        try await VoiceStage.run(
            [.unfinished("One two three", milliseconds: 600)], pace: .manual, configure: quick
        ) { stage in
            stage.echo.registerTool(Tool(name: "wait", description: "", parameters: [:]) { _ in "never" })
            let conversation = try await stage.echo.startConversation(mode: .audio)
            let stream = try #require(stage.device.stream)
            let sending = Task { try await conversation.send("Count") }
            switch moment {
            case 0: break
            case 1: _ = try await stage.service.first(1, "response.create")
            case 2: _ = try await stream.plays.first(2)
            case 3:
                _ = try await stream.plays.first(3)
                stream.hear(2_400)
            case 4:
                _ = try await stream.plays.first(1)
                await stage.service.simulator.closeSessions(code: 1001)
            default:
                _ = try await stage.service.first(1, "response.create")
                await stage.service.hearSpeech("u1")
                _ = try await stage.first(.userStartedSpeaking)
            }
            let closers = (0..<3).map { _ in Task { await conversation.close() } }
            for closer in closers { await closer.value }
            do { try await sending.value } catch is EchoError {}
            #expect(stage.device.openCount == 0)
            #expect(await conversation.pendingMessages.isEmpty)
            for await _ in conversation.messages {}
        }
    }

    @Test("A conversation that nobody holds any more ends by itself")
    func dropped() async throws {
        try await VoiceStage.run { stage in
            var conversation: Conversation? = try await stage.echo.startConversation(mode: .audio)
            #expect(stage.device.openCount == 1)
            conversation = nil
            _ = conversation
            try await eventually { stage.device.openCount == 0 }
        }
    }

    @Test("No descriptor is left after conversations that come, change and go", .timeLimit(.minutes(5)))
    func descriptors() async throws {
        func open() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        try await VoiceStage.run(configure: quick) { stage in
            let before = try open()
            for _ in 0..<30 {
                let conversation = try await stage.echo.startConversation(mode: .audio)
                try await conversation.switchMode(to: .text)
                try await conversation.switchMode(to: .audio)
                await conversation.close()
            }
            #expect(stage.service.simulator.requests.count == 60)
            try await eventually { stage.service.simulator.sessionCount == 0 }
            // Other tests open and close what they need meanwhile.
            try await eventually { try open() <= before + 20 }
        }
    }
}

@Suite("What waits to be sent", .timeLimit(.minutes(5)))
struct OutgoingEventsTests {
    @Test("A line that takes nothing has failed after 15 s; one that takes something has not")
    func stall() {
        let outgoing = OutgoingEvents()
        #expect(outgoing.deadline == nil)
        #expect(outgoing.add(ClientEvent(.inputAudioCommit), at: .seconds(1)))
        #expect(outgoing.add(ClientEvent(.inputAudioCommit), at: .seconds(9)))
        #expect(outgoing.deadline == .seconds(16))
        outgoing.sent(at: .seconds(12))
        #expect(outgoing.deadline == .seconds(27))
        outgoing.sent(at: .seconds(13))
        #expect(outgoing.deadline == nil)
    }

    @Test("Sound that nobody takes has an end, and what was said before does not count")
    func bound() {
        let outgoing = OutgoingEvents()
        let repeated = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<16 { #expect(outgoing.add(ClientEvent(.inputAudioAppend(repeated)), at: .zero)) }
        let piece = ClientEvent(.inputAudioAppend([UInt8](repeating: 0, count: 960)))
        var count = 0
        while outgoing.add(piece, at: .zero) { count += 1 }
        #expect(count == OutgoingEvents.maximumSound / 960)
        // A megabyte may take its time on a slow line.
        #expect(outgoing.deadline == .seconds(31))
        outgoing.end()
        #expect(outgoing.deadline == nil)
    }
}

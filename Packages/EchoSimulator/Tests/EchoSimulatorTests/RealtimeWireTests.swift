// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import Networking
import StructuredJSON
import Testing

/// Voice sessions over the wire: opening, faults, the end.
@Suite(.timeLimit(.minutes(5))) struct RealtimeWireTests {
    private static let ask: JSONValue = ["type": "response.create", "response": ["output_modalities": ["text"]]]

    @Test func whatIsNoSessionIsRefused() async throws {
        var configuration = SimulatorConfiguration()
        configuration.key = "test"
        let scenario = Scenario([.init(match: .init(path: "/v1/realtime"), faults: [.status(503, retry: .seconds(1))])])
        try await withSimulator(scenario, configuration) { simulator, client in
            func status(_ query: String, key: String? = "test") async -> Int? {
                do {
                    _ = try await PlainRealtimeClient(simulator, query: query, key: key)
                    return nil
                } catch {
                    return (error as? NetworkError)?.status
                }
            }
            #expect(await status("?model=gpt-realtime", key: nil) == 401)
            #expect(await status("?model=gpt-realtime", key: "wrong") == 401)
            #expect(await status("?model=gpt-4") == 404)
            #expect(await status("") == 400)
            #expect(await status("?model=gpt-realtime") == 503)
            #expect(await status("?model=gpt-realtime") == nil)
            let plain = try await client.send(.get, "/realtime?model=gpt-realtime")
            #expect(plain.status == 426)
        }
    }

    @Test func garbageComesAsItIs() async throws {
        let scenario = Scenario([
            .init(
                .message("Hi"),
                faults: [.binary(atEvent: 1, count: 4), .malformed(atEvent: 2, data: "{"), .duplicate(atEvent: 3)])
        ])
        try await withSimulator(scenario) { simulator, _ in
            let client = try await PlainRealtimeClient(simulator)
            _ = try await client.until("conversation.created")
            try await client.send(Self.ask)
            var messages: [WebSocketMessage] = []
            while messages.count < 6, let message = try await client.connection.receive() { messages.append(message) }
            try #require(messages.count == 6)
            #expect(messages[1] == .binary([0, 37, 74, 111]))
            #expect(messages[3] == .text("{"))
            #expect(messages[4] == messages[5])
            await client.connection.close()
        }
    }

    @Test func aStalledSessionStillHears() async throws {
        try await withSimulator(Scenario([.init(.message("Hi"), faults: [.stall(afterEvents: 2)])])) { simulator, _ in
            let client = try await PlainRealtimeClient(simulator)
            try await client.send(Self.ask)
            let first = try await client.until("response.output_item.added")
            #expect(first.count == 4)
            try await client.send(["type": "response.cancel"])
            try await simulator.waitForRequests { $0.first?.events.count == 2 }
            #expect(simulator.sessionCount == 1)
            // The end of everything is the end of a stall, too.
            await simulator.closeSessions(code: 1013, reason: "busy")
            _ = try await client.until("never")
            let closure = await client.connection.closure
            #expect(closure?.code == .tryAgainLater)
            #expect(closure?.reason == "busy")
        }
    }

    @Test func sessionsEndFromOutside() async throws {
        try await withSimulator { simulator, _ in
            let client = try await PlainRealtimeClient(simulator)
            _ = try await client.until("conversation.created")
            await simulator.sendToSessions(["type": "rate_limits.updated", "rate_limits": []])
            let told = try await client.until("rate_limits.updated")
            #expect(told.last?["event_id"]?.string != nil)
            await simulator.expireSessions()
            let events = try await client.until("never")
            #expect(events.map { $0["error"]?["code"] } == ["session_expired"])
            #expect(await client.connection.closure?.code == .goingAway)
            let other = try await PlainRealtimeClient(simulator)
            _ = try await other.until("conversation.created")
            await simulator.closeSessions(code: 1006)
            await #expect(throws: NetworkError.self) { _ = try await other.until("never") }
            #expect(await other.connection.closure?.code == .abnormal)
            try await simulator.waitForRequests { $0.allSatisfy { $0.outcome == .answered } }
        }
    }

    @Test func aSessionEndsWithTheSimulator() async throws {
        let simulator = try await EchoSimulator.start()
        let client = try await PlainRealtimeClient(simulator)
        _ = try await client.until("conversation.created")
        async let closing: Void = simulator.close()
        _ = try await client.until("never")
        #expect(await client.connection.closure?.code == .goingAway)
        await closing
        #expect(simulator.sessionCount == 0)
        #expect(simulator.requests.map(\.outcome) == [.abandoned])
    }

    @Test func earsMindAndVoiceCanBeLent() async throws {
        var configuration = SimulatorConfiguration()
        configuration.transcribe = { "I heard \($0.count / 24) ms" }
        configuration.answer = { $0.contains("heard") ? "So you said “\($0)”" : nil }
        configuration.speak = { [Int16](repeating: 7, count: $0.count * 240) }
        try await withSimulator(Scenario(), configuration) { simulator, _ in
            let client = try await PlainRealtimeClient(simulator)
            try await client.send([
                "type": "session.update",
                "session": [
                    "type": "realtime",
                    "audio": ["input": ["turn_detection": nil, "transcription": ["model": "whisper-1"]]],
                ],
            ])
            let second = Data(count: 48_000).base64EncodedString()
            try await client.send(["type": "input_audio_buffer.append", "audio": .string(second)])
            try await client.send(["type": "input_audio_buffer.commit"])
            try await client.send(["type": "response.create"])
            let events = try await client.until("response.done")
            let heard = events.first { $0["type"] == "conversation.item.input_audio_transcription.completed" }
            #expect(heard?["transcript"] == "I heard 1000 ms")
            let said = events.first { $0["type"] == "response.output_audio_transcript.done" }?["transcript"]?.string
            #expect(said == "So you said “I heard 1000 ms”")
            let sound = events.filter { $0["type"] == "response.output_audio.delta" }.compactMap { event in
                event["delta"]?.string.flatMap { Data(base64Encoded: $0) }
            }
            #expect(sound.reduce(0) { $0 + $1.count } == (said?.count ?? 0) * 480)
            #expect(simulator.requests.first?.events.count == 3)
            #expect(simulator.requests.first.map { $0.bodySize > 64_000 } == true)
        }
    }

    @Test func whatCannotBeHeardOrSaidFails() async throws {
        struct Deaf: Error {}
        var configuration = SimulatorConfiguration()
        configuration.transcribe = { _ in throw Deaf() }
        configuration.speak = { _ in throw Deaf() }
        try await withSimulator(Scenario(), configuration) { simulator, _ in
            let client = try await PlainRealtimeClient(simulator)
            try await client.send([
                "type": "session.update",
                "session": [
                    "type": "realtime",
                    "audio": ["input": ["turn_detection": nil, "transcription": ["model": "whisper-1"]]],
                ],
            ])
            let second = Data(count: 48_000).base64EncodedString()
            try await client.send(["type": "input_audio_buffer.append", "audio": .string(second)])
            try await client.send(["type": "input_audio_buffer.commit"])
            try await client.send(["type": "response.create"])
            let events = try await client.until("response.done")
            #expect(events.contains { $0["type"] == "conversation.item.input_audio_transcription.failed" })
            #expect(events.last?["response"]?["status"] == "failed")
            #expect(events.last?["response"]?["status_details"]?["error"]?["code"] == "server_error")
        }
    }
}

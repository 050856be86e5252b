// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPServer
import Networking
import StructuredJSON
import TestKit
import Testing

@testable import Echo

@Suite("A voice session over a WebSocket", .timeLimit(.minutes(5)))
struct RealtimeClientTests {
    @Test("It opens with the key and the model, and the session is as was asked for before it is used")
    func opens() async throws {
        try await ScriptedRealtimeServer.run { peer in
            await peer.confirm()
            await peer.send(["type": "rate_limits.updated", "event_id": "s4", "rate_limits": []])
            await peer.listen()
        } body: { server in
            var session = RealtimeSessionConfiguration()
            session.voice = .marin
            let client = try await server.connect(session)
            #expect(client.session.json == session.json)
            let request = try #require(server.requests.values.first)
            #expect(request.path == ["v1", "realtime"])
            #expect(request.headers["Authorization"] == "Bearer sk-test-1234")
            #expect(request.query["model"] == "gpt-realtime")
            #expect(server.received.values == [ClientEvent(.sessionUpdate(session), id: "echo-session").json])
            // What came before the session was confirmed is not lost, and in order.
            var types: [String?] = []
            for _ in 0..<3 { types.append(try await client.receive()?.id) }
            #expect(types == ["s1", "s2", "s4"])
            #expect(await client.failure == nil)
            await client.close()
            #expect(try await client.receive() == nil)
        }
    }

    @Test("Events go out in order, each with a name of its own")
    func sends() async throws {
        try await ScriptedRealtimeServer.run { peer in
            await peer.confirm()
            await peer.listen()
        } body: { server in
            let client = try await server.connect()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<20 { group.addTask { try await client.send(.itemDelete(id: "\(index)")) } }
                try await group.waitForAll()
            }
            let name = try await client.send(ClientEvent(.inputAudioCommit, id: "mine"))
            #expect(name == "mine")
            let all = try await server.received.first(1 + 20 + 1).dropFirst()
            #expect(all.last?["event_id"] == "mine")
            #expect(Set(all.compactMap { $0["event_id"]?.string }).count == all.count)
            await client.close()
        }
    }

    @Test("What the server would refuse is not sent")
    func refused() async throws {
        try await ScriptedRealtimeServer.run { peer in
            await peer.confirm()
            await peer.listen()
        } body: { server in
            let client = try await server.connect()
            await #expect(throws: EchoError.self) {
                try await client.send(.itemTruncate(id: "a", contentIndex: 0, audioEnd: 0))
            }
            var session = RealtimeSessionConfiguration()
            session.speed = 9
            await #expect(throws: EchoError.self) { try await client.send(.sessionUpdate(session)) }
            await client.close()
            #expect(server.received.values.count == 1)
            await #expect(throws: EchoError.self) { try await client.send(.inputAudioCommit) }
        }
    }

    @Test("A model that is not listed, or a session that cannot be, opens nothing")
    func unsupported() async throws {
        try await ScriptedRealtimeServer.run({ _ in }) { server in
            var configuration = server.configuration
            configuration.realtimeModel = RealtimeModel(rawValue: "gpt-4o-realtime")
            await #expect(throws: EchoError.self) {
                _ = try await RealtimeClient.connect(
                    APIConnection(key: "k", configuration: configuration), session: RealtimeSessionConfiguration())
            }
            var session = RealtimeSessionConfiguration()
            session.maximumOutputTokens = 0
            await #expect(throws: EchoError.self) { _ = try await server.connect(session) }
            #expect(server.requests.values.isEmpty)
        }
    }

    @Test("A handshake that is declined says why", arguments: [401, 403, 404, 429, 500])
    func declined(status: Int) async throws {
        try await ScriptedRealtimeServer.run(status: status, { _ in }) { server in
            do {
                _ = try await server.connect(key: "sk-secret-9999")
                Issue.record("connected")
            } catch let error as EchoError {
                switch (status, error) {
                case (401, .unauthorized), (403, .unauthorized), (404, .notFound), (429, .rateLimitExceeded),
                    (500, .apiError):
                    break
                default: Issue.record("\(status): \(error)")
                }
                #expect(!"\(error)".contains("9999"))
            }
        }
    }

    @Test("A session that the server refuses, or closes before it began, is an error without the key in it")
    func notConfirmed() async throws {
        try await ScriptedRealtimeServer.run { peer in
            await peer.send(["type": "session.created", "session": ["type": "realtime"]])
            _ = await peer.next()
            let error: JSONValue = [
                "type": "invalid_request_error", "code": "invalid_api_key", "message": "Wrong key sk-test-1234.",
                "event_id": "echo-session",
            ]
            await peer.send(["type": "error", "event_id": "e", "error": error])
            await peer.listen()
        } body: { server in
            do {
                _ = try await server.connect()
                Issue.record("connected")
            } catch EchoError.unauthorized(let failure) {
                #expect(failure.message == "Wrong key <redacted>.")
            }
        }
        try await ScriptedRealtimeServer.run { peer in
            await peer.connection.close(.policyViolation, reason: "not you, sk-test-1234")
        } body: { server in
            do {
                _ = try await server.connect()
                Issue.record("connected")
            } catch EchoError.connectionFailed(let reason) {
                #expect(reason.contains("1008") && !reason.contains("1234"))
            }
        }
    }

    @Test("A server that says nothing is given up when its time is over")
    func stalled() async throws {
        try await ScriptedRealtimeServer.run { peer in
            await peer.listen()
        } body: { server in
            let clock = ManualClock()
            let outcome = Collected<String>()
            await withTaskGroup { group in
                group.addTask {
                    do {
                        _ = try await server.connect(clock: clock)
                        outcome.append("connected")
                    } catch EchoError.timedOut {
                        outcome.append("timed out")
                    } catch {
                        outcome.append("\(error)")
                    }
                }
                // Any time-out of the handshakes', be it of the WebSocket or of the session, whenever it begins.
                while outcome.values.isEmpty {
                    clock.advance(by: .seconds(1))
                    await disturbOrder()
                }
            }
            #expect(outcome.values == ["timed out"])
        }
    }

    @Test("What is no JSON ends the session with an error; what lacks a field is passed on; unknown kinds are kept")
    func garbage() async throws {
        try await ScriptedRealtimeServer.run { peer in
            await peer.confirm()
            await peer.send(["type": "response.output_audio.delta", "delta": "%%%"])
            await peer.send(["type": "hologram", "event_id": "h"])
            await peer.send(["no": "type"])
            try? await peer.connection.send("{\"type\": \"respon")
            await peer.listen()
        } body: { server in
            let client = try await server.connect()
            for _ in 0..<2 { _ = try await client.receive() }
            let broken: JSONValue = ["type": "response.output_audio.delta", "delta": "%%%"]
            #expect(try await client.receive()?.detail == .unknown(type: "response.output_audio.delta", broken))
            #expect(try await client.receive()?.id == "h")
            #expect(try await client.receive()?.detail == .unknown(type: "", ["no": "type"]))
            for _ in 0..<2 {
                await #expect(throws: EchoError.self) { _ = try await client.receive() }
            }
            #expect(await client.failure == .broken(retryAfter: nil))
        }
    }

    @Test("Bytes where text belongs end the session")
    func binary() async throws {
        try await ScriptedRealtimeServer.run { peer in
            await peer.confirm()
            try? await peer.connection.send([1, 2, 3])
            await peer.listen()
        } body: { server in
            let client = try await server.connect()
            for _ in 0..<2 { _ = try await client.receive() }
            await #expect(throws: EchoError.self) { _ = try await client.receive() }
        }
    }

    @Test(
        "The end says whether another session would do better",
        arguments: [1000, 1001, 1008, 1011, 1012, 1013, 4000] as [UInt16])
    func closeCodes(number: UInt16) async throws {
        let code = WebSocketCloseCode(rawValue: number)
        try await ScriptedRealtimeServer.run { peer in
            await peer.confirm()
            await peer.connection.close(code, reason: "over")
        } body: { server in
            let client = try await server.connect()
            for _ in 0..<2 { _ = try await client.receive() }
            #expect(try await client.receive() == nil)
            #expect(await client.failure == SessionLifecycle.Failure(code, reason: "over"))
        }
    }

    @Test("An expired session says so before its end, and may be replaced whatever the code")
    func expired() async throws {
        try await ScriptedRealtimeServer.run { peer in
            await peer.confirm()
            let error: JSONValue = [
                "type": "invalid_request_error", "code": "session_expired", "message": "60 minutes.",
            ]
            await peer.send(["type": "error", "event_id": "e", "error": error])
            await peer.connection.close(WebSocketCloseCode(rawValue: 4000))
        } body: { server in
            let client = try await server.connect()
            var last: ServerEvent?
            while let event = try await client.receive() { last = event }
            #expect(last?.id == "e")
            #expect(await client.failure == .broken(retryAfter: nil))
        }
    }

    @Test("A task that waits to send leaves the line when it is cancelled, and the others go on")
    func line() async throws {
        let line = TurnLine()
        try await line.enter()
        let waiting = Task { try await line.enter() }
        let cancelled = Task { try await line.enter() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        line.leave()
        try await waiting.value
        line.leave()
        try await line.enter()
    }
}

// SPDX-License-Identifier: MIT

import EchoSimulator
import Networking
import TestKit
import Testing

@testable import Echo
@testable import EchoText

@Suite("Rate limits over the wire", .timeLimit(.minutes(5)))
struct RateLimitTests {
    private func withEcho(
        _ scenario: Scenario, _ limits: RequestLimits, device: VirtualVoiceDevice = VirtualVoiceDevice(),
        _ body: (Echo, EchoSimulator) async throws -> Void
    ) async throws {
        let simulator = try await EchoSimulator.start(scenario: scenario)
        var voice = VoiceConfiguration(device: device)
        // Beside a thousand simulated conversations an answer may take longer than a person would wait for it.
        voice.limits.answers.request = .seconds(300)
        let configuration = EchoConfiguration(
            EchoConfiguration(endpoint: EchoEndpoint(baseURL: "\(simulator.baseURL)"), requestLimits: limits),
            voice: voice)
        let echo = Echo(key: "sk-test", configuration: configuration)
        do { try await body(echo, simulator) } catch {
            await echo.close()
            await simulator.close()
            throw error
        }
        await echo.close()
        await simulator.close()
    }

    private func waits(_ events: AsyncStream<EchoEvent>) async -> [RateLimitWait] {
        var waits: [RateLimitWait] = []
        for await event in events {
            if case .rateLimited(let wait) = event { waits.append(wait) }
        }
        return waits
    }

    @Test func `a wait that is too long is an event and a typed error`() async throws {
        let limits = RequestLimits(requestsPerMinute: 1, longestWait: .seconds(1))
        try await withEcho(Scenario([.init(.message("One")), .init(.message("Two"))]), limits) { echo, simulator in
            let conversation = try await echo.startConversation(mode: .text)
            let events = conversation.events(of: [.rateLimited])
            try await conversation.send("1")
            await #expect {
                try await conversation.send("2")
            } throws: { error in
                if case EchoError.rateLimitExceeded = error { true } else { false }
            }
            await conversation.close()
            let waits = await waits(events)
            #expect(waits.map(\.limit) == [.requests])
            #expect(waits.map(\.isTooLong) == [true])
            #expect(simulator.requests.count == 1)
        }
    }

    @Test func `a request leaves when its share has come`() async throws {
        let clock = ManualClock()
        let simulator = try await EchoSimulator.start(
            scenario: Scenario([.init(.message("One")), .init(.message("Two"))]))
        let configuration = EchoConfiguration(
            endpoint: EchoEndpoint(baseURL: "\(simulator.baseURL)"),
            requestLimits: RequestLimits(requestsPerMinute: 1, longestWait: .seconds(60)))
        let client = ResponsesClient(key: "sk-test", configuration: configuration, clock: ClientClock(clock))
        _ = try await client.create(ResponsesRequest(model: .gpt5, text: "1"))
        async let second = client.create(ResponsesRequest(model: .gpt5, text: "2"))
        await clock.waitForSleepers()
        #expect(simulator.requests.count == 1)
        clock.advance(by: .seconds(60))
        #expect(try await second.outputText == "Two")
        await simulator.close()
    }

    @Test func `a refusal's limits hold the next request back`() async throws {
        try await withEcho(Scenario([.init(.message("One"))]), RequestLimits(longestWait: .milliseconds(1))) {
            echo, simulator in
            simulator.inject(.status(429, retry: .reset(requests: "6m0s", tokens: "6m0s")), times: 1)
            let conversation = try await echo.startConversation(mode: .text)
            let events = conversation.events(of: [.rateLimited])
            await #expect(throws: EchoError.self) { try await conversation.send("1") }
            await conversation.close()
            #expect(await waits(events).last?.isTooLong == true)
            #expect(simulator.requests.count == 1)
        }
    }

    @Test func `headers of an answer are followed, for each model alone`() async throws {
        let server = try await ResponsesServer { _, _ in
            ResponsesServer.json(
                Sample.response("Hi"),
                headers: [
                    "x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "0",
                    "x-ratelimit-reset-requests": "1m0s",
                ])
        }
        let client = ResponsesClient(
            key: "sk-test",
            configuration: server.configuration { $0.requestLimits.longestWait = .milliseconds(10) })
        _ = try await client.create(ResponsesRequest(model: .gpt5, text: "1"))
        await #expect(throws: EchoError.self) {
            _ = try await client.create(ResponsesRequest(model: .gpt5, text: "2"))
        }
        _ = try await client.create(ResponsesRequest(model: .gpt5Mini, text: "3"))
        #expect(server.requests.count == 2)
        #expect(client.rateLimits?.requestReset == .seconds(60))
        await server.stop()
    }

    @Test func `voice follows the session's limits`() async throws {
        let limits: [JSONValue] = [["name": "requests", "limit": 10, "remaining": 0, "reset_seconds": 1]]
        let scenario = Scenario([
            .init(session: .init(rateLimits: limits)), .init(.message("One")), .init(.message("Two")),
            .init(.message("Three")),
        ])
        try await withEcho(scenario, RequestLimits()) { echo, _ in
            let conversation = try await echo.startConversation(mode: .audio)
            let events = conversation.events(of: [.rateLimited])
            try await conversation.send("1")
            try await conversation.send("2")
            // The limits follow the answer that they count, so the second request may still be before them.
            try await conversation.send("3")
            #expect(await conversation.allMessages.map(\.text) == ["1", "One", "2", "Two", "3", "Three"])
            await conversation.close()
            let waits = await waits(events)
            #expect(!waits.isEmpty)
            #expect(waits.allSatisfy { $0.limit == .requests && !$0.isTooLong })
        }
    }

    @Test func `voice refuses a wait that is too long`() async throws {
        let limits: [JSONValue] = [["name": "tokens", "limit": 1_000, "remaining": 0, "reset_seconds": 1_000]]
        let scenario = Scenario([
            .init(session: .init(rateLimits: limits)), .init(.message("One")), .init(.message("Two")),
        ])
        try await withEcho(scenario, RequestLimits(longestWait: .milliseconds(1))) { echo, _ in
            let conversation = try await echo.startConversation(mode: .audio)
            let events = conversation.events(of: [.rateLimited])
            var refused = 0
            for text in ["1", "2", "3"] {
                do { try await conversation.send(text) } catch EchoError.rateLimitExceeded { refused += 1 }
            }
            // The limits follow the answer that they count, so the second request may still be before them.
            #expect((1...2).contains(refused))
            await conversation.close()
            let waits = await waits(events)
            #expect(waits.count == refused)
            #expect(waits.allSatisfy { $0.limit == .tokens && $0.isTooLong })
        }
    }
}

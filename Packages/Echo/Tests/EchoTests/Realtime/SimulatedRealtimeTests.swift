// SPDX-License-Identifier: MIT

import EchoSimulator
import FoundationEssentials
import Networking
import StructuredJSON
import Testing

@testable import Echo

/// The client of voice sessions against the simulator.
@Suite("A voice session with the simulator", .timeLimit(.minutes(5)))
struct SimulatedRealtimeTests {
    /// A client for the time of `body`.
    private static func run(
        _ scenario: Scenario = Scenario(), session: RealtimeSessionConfiguration = RealtimeSessionConfiguration(),
        clock: any Clock<Duration> = ContinuousClock(), _ body: (EchoSimulator, RealtimeClient) async throws -> Void
    ) async throws {
        var settings = SimulatorConfiguration()
        settings.clock = clock
        let simulator = try await EchoSimulator.start(scenario: scenario, configuration: settings)
        do {
            var configuration = EchoConfiguration()
            configuration.endpoint = EchoEndpoint(baseURL: simulator.baseURL.absoluteString)
            var curl = CurlTransport.Configuration()
            curl.plainHTTPHosts = ["127.0.0.1"]
            curl.proxy = .none
            configuration.transport = try CurlTransport(configuration: curl)
            let client = try await RealtimeClient.connect(
                APIConnection(key: "sk-test", configuration: configuration), session: session)
            try await body(simulator, client)
            await client.close()
        } catch {
            await simulator.close()
            throw error
        }
        await simulator.close()
    }

    /// The events up to the answer's end.
    private static func answer(_ client: RealtimeClient) async throws -> [ServerEvent.Detail] {
        var events: [ServerEvent.Detail] = []
        while let event = try await client.receive() {
            events.append(event.detail)
            if case .unknown(let type, let json) = event.detail { Issue.record("\(type): \(json.text)") }
            if case .responseDone = event.detail { break }
        }
        return events
    }

    @Test("Every setting that a session can have is taken as it is")
    func settings() async throws {
        var session = RealtimeSessionConfiguration()
        session.instructions = "Be kind."
        session.voice = .cedar
        session.speed = 1.25
        session.noiseReduction = .nearField
        session.maximumOutputTokens = 500
        session.tools = [.function(name: "f", description: "d", parameters: ["type": "object"])]
        var semantic = VADConfiguration()
        semantic.detector = .semantic(.low)
        for turns in [TurnDetection.automatic(semantic), .manual, .disabled] {
            session.turnDetection = turns
            try await Self.run(session: session) { simulator, client in
                #expect(client.session.instructions == "Be kind.")
                #expect(client.session.id?.isEmpty == false)
                #expect(simulator.requests.first?.events.first?["session"] == session.json)
            }
        }
    }

    @Test("Speech is heard, written down and answered in sound, and what was not heard is cut off")
    func speech() async throws {
        let turn = Scenario.Turn(.message("Austin, of course."), speech: .init(transcript: "The capital of Texas?"))
        var session = RealtimeSessionConfiguration()
        var detection = VADConfiguration()
        detection.createsResponse = true
        session.turnDetection = .automatic(detection)
        try await Self.run(Scenario([turn]), session: session) { _, client in
            let voice = (0..<24_000).map { Int16(($0 % 120) * 200 - 12_000) }
            let silence = [Int16](repeating: 0, count: 36_000)
            let spoken = (voice + silence).flatMap {
                [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
            }
            try await client.send(.inputAudioAppend(spoken))
            let events = try await Self.answer(client)
            var (transcript, sound, item) = ("", 0, "")
            for event in events {
                switch event {
                case .transcriptCompleted(let heard): transcript = heard.text
                case .audioDelta(let place, let bytes): (sound, item) = (sound + bytes.count, place.itemID)
                default: break
                }
            }
            #expect(transcript == "The capital of Texas?")
            #expect(sound > 24_000)
            guard case .responseDone(let response)? = events.last else {
                Issue.record("no end")
                return
            }
            #expect(response.output.compactMap(\.id) == [item])
            #expect((response.usage?[.audio].outputTokens ?? 0) > 0)
            try await client.send(.itemTruncate(id: item, contentIndex: 0, audioEnd: 120))
            while let event = try await client.receive() {
                guard case .itemTruncated(item, 0, 120) = event.detail else { continue }
                break
            }
        }
    }

    @Test("A function is called, and what it answers is told")
    func functions() async throws {
        var session = RealtimeSessionConfiguration()
        session.tools = [
            .function(
                name: "get_weather", description: nil,
                parameters: ["type": "object", "properties": ["place": ["type": "string"]], "required": ["place"]])
        ]
        try await Self.run(session: session) { _, client in
            let question = MessageItem(role: .user, text: "Please get_weather in Oslo")
            try await client.send(.itemCreate(.message(question), at: .end))
            try await client.send(.responseCreate(nil))
            var call: ToolCall?
            for case .functionArgumentsDone(_, let done) in try await Self.answer(client) { call = done }
            let id = try #require(call?.id)
            #expect(call?.name == "get_weather")
            let output = FunctionCallOutputItem(callID: id, output: .text("Snow"))
            try await client.send(.itemCreate(.functionCallOutput(output), at: .end))
            try await client.send(.responseCreate(nil))
            var text = ""
            for case .audioTranscriptDelta(_, let delta) in try await Self.answer(client) { text += delta }
            #expect(text == "get_weather answered: Snow")
        }
    }

    @Test(
        "Each end of a session means what it should", arguments: [1000, 1001, 1005, 1006, 1011, 1012, 1013, 1014, 1015])
    func ends(code: Int) async throws {
        try await Self.run { simulator, client in
            await simulator.closeSessions(code: code, reason: "later")
            while let event = try? await client.receive() { _ = event }
            #expect(await client.failure == .broken(retryAfter: nil))
        }
    }

    @Test("A session that is too old ends as such")
    func expiry() async throws {
        try await Self.run { simulator, client in
            await simulator.expireSessions()
            while let event = try? await client.receive() { _ = event }
            #expect(await client.failure == .broken(retryAfter: nil))
        }
    }

    @Test("An hour, a pause and a late transcript pass by the simulator's clock, not by the wall's")
    func clock() async throws {
        let clock = ManualClock()
        let slow = Scenario.Turn(
            .message("An answer"), pace: .init(delay: .seconds(30)),
            speech: .init(transcript: "Hello", delay: .seconds(600)))
        var session = RealtimeSessionConfiguration()
        session.turnDetection = .manual
        try await Self.run(Scenario([slow]), session: session, clock: clock) { _, client in
            try await client.send(.inputAudioAppend([UInt8](repeating: 1, count: 48_000)))
            try await client.send(.inputAudioCommit)
            try await client.send(.responseCreate(nil))
            while let event = try await client.receive() {
                guard case .responseCreated = event.detail else { continue }
                break
            }
            // The session's end, and the transcript.
            await clock.waitForSleepers(2)
            clock.advance(by: .seconds(599))
            await clock.waitForSleepers(2)
            clock.advance(by: .seconds(1))
            var details: [ServerEvent.Detail] = []
            while details.count < 20, let event = try await client.receive() {
                details.append(event.detail)
                if case .transcriptCompleted = event.detail { break }
            }
            #expect(details.count == 2)
            // Each step of the answer takes half a minute.
            await clock.waitForSleepers(2)
            clock.advance(by: .seconds(3_600))
            while try await client.receive() != nil {}
            #expect(await client.failure == .broken(retryAfter: nil))
        }
    }
}

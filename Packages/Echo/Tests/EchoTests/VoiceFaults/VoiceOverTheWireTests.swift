// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import TestKit
import Testing

@testable import Echo
@testable import EchoText

@Suite("A voice conversation over the wire, whatever goes wrong", .timeLimit(.minutes(5)))
struct VoiceOverTheWireTests {
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }

    /// How many conversations each of the twenty parts holds.
    private static let runs = max(number("ECHO_WIRE_RUNS") ?? 20, 20) / 20
    private static let first = number("ECHO_WIRE_FIRST") ?? 0
    private static let replayed = number("ECHO_WIRE_SEED")
    /// Where the traces of conversations go that went wrong: how tasks are scheduled is no matter of the seed.
    private static let traces = ProcessInfo.processInfo.environment["ECHO_WIRE_TRACES"]

    @Test(
        "Nothing is lost, doubled or out of order, and nothing is left open",
        arguments: 0..<20 as Range<UInt64>)
    func random(part: UInt64) async throws {
        for seed in 0..<Self.runs { try await talk(Self.first + part << 32 + seed) }
    }

    @Test("One conversation again", .enabled(if: replayed != nil, "it replays a seed by hand"))
    func replay() async throws { try await talk(try #require(Self.replayed)) }

    @Test("No descriptor is left")
    func descriptors() async {
        // In a process of its own, where nobody else opens any.
        await #expect(processExitsWith: .success) {
            func open() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
            try await VoiceOverTheWireTests().talk(100)
            let before = try open()
            for seed in 101..<109 as Range<UInt64> { try await VoiceOverTheWireTests().talk(seed) }
            try await eventually("descriptors are closed") { try open() <= before }
        }
    }

    /// In the middle of an answer.
    private static let endings =
        [1000, 1001, 1005, 1006, 1011, 1012, 1013, 1014, 1015].map { Scenario.Fault.close(afterEvents: 12, code: $0) }
        + ["{", "[1]", #"{"type": 7}"#].map { .malformed(atEvent: 12, data: $0) }
        + [.binary(atEvent: 12, count: 3), .expire(afterEvents: 12), .cut(afterEvents: 12)]

    @Test("Whatever ends a session in mid-answer, the next one goes on", arguments: endings)
    func ends(fault: Scenario.Fault) async throws {
        let scenario = Scenario([Scenario.Turn(faults: [fault], session: .init())])
        let simulator = try await EchoSimulator.start(scenario: scenario)
        let stage = WireStage(simulator, VirtualVoiceDevice(.instant))
        let conversation = try await stage.echo.startConversation(mode: .audio)
        try await conversation.send("One")
        try await conversation.send("Two")
        let messages = await conversation.allMessages
        #expect(messages.filter { $0.role == .user }.map(\.text) == ["One", "Two"])
        #expect(messages.last?.role == .assistant)
        #expect(messages.last?.isInterrupted == false)
        #expect(await conversation.mode == .audio)
        #expect(simulator.requests.count == 2)
        await conversation.close()
        await stage.echo.close()
        await simulator.close()
    }

    @Test("An event that is none stands for one that is lost: what was said is not said twice, and is answered")
    func lostEvent() async throws {
        let turn = Scenario.Turn(.message("Yes."), faults: [.malformed(atEvent: 0, data: "null")], speech: .init())
        var settings = SimulatorConfiguration()
        settings.transcribe = { WireSound.words(of: $0) }
        let simulator = try await EchoSimulator.start(scenario: Scenario([turn]), configuration: settings)
        let device = VirtualVoiceDevice(.instant)
        let stage = WireStage(simulator, device)
        let conversation = try await stage.echo.startConversation(mode: .audio, turnMode: .manual)
        for utterance in 0..<2 {
            try await conversation.beginUserTurn()
            for _ in 0..<20 { device.stream?.tell(.captured(WireSound.piece(of: utterance))) }
            let engine = try #require(conversation.current as? VoiceEngine)
            try await eventually { await engine.machine.turns.captured >= .milliseconds(400) }
            try await conversation.endUserTurn()
            var count = 0
            for await message in conversation.messages {
                count += 1
                if message.role == .assistant, count == utterance * 2 + 2 { break }
            }
        }
        // The next session is told all of it once.
        await simulator.closeSessions(code: 1012)
        try await conversation.send("Three")
        let messages = await conversation.allMessages
        #expect(messages.map(\.role) == [.user, .assistant, .user, .assistant, .user, .assistant])
        #expect(messages.filter { $0.role == .user }.map(\.text) == ["u0:20", "u1:20", "Three"])
        await conversation.close()
        await stage.echo.close()
        await simulator.close()
    }

    // MARK: By chance

    fileprivate func talk(_ seed: UInt64) async throws {
        var scenario = Scenario.randomRealtime(seed: seed, turns: 8, sessions: 2, longestWait: .milliseconds(60))
        // The sound says what is heard.
        for index in scenario.turns.indices { scenario.turns[index].speech?.transcript = nil }
        var settings = SimulatorConfiguration()
        settings.transcribe = { WireSound.words(of: $0) }
        settings.speak = { WireSound.answer($0) }
        let simulator = try await EchoSimulator.start(scenario: scenario, configuration: settings)
        let port = try #require(simulator.baseURL.port)
        do {
            try await hold(seed, scenario, simulator, port: port)
        } catch {
            await simulator.close()
            throw error
        }
        await simulator.close()
        // What is closed goes when the system has seen to it.
        try await eventually("seed \(seed): sockets are closed") { try WireStage.sockets(of: port) == 0 }
    }

    private func hold(_ seed: UInt64, _ scenario: Scenario, _ simulator: EchoSimulator, port: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let device = VirtualVoiceDevice(Bool.random(using: &random) ? .instant : .clock(FastClock(factor: 10)))
        let isManual = Int.random(in: 0...9, using: &random) < 3
        let stage = WireStage(simulator, device, traces: Self.traces != nil)
        let (remains, faults) = try await converse(seed, scenario, stage, device, isManual: isManual, port: port)
        if let faults {
            Issue.record("ECHO_WIRE_SEED=\(seed): \(faults)")
            if let folder = Self.traces { try stage.tracer.write(to: "\(folder)/\(seed).jsonl") }
        }
        await stage.echo.close()
        #expect(device.openCount == 0)
        try await eventually("seed \(seed): engines and sessions are gone") { remains.isEmpty }
    }

    /// Holds the conversation, and lets go of it.
    private func converse(
        _ seed: UInt64, _ scenario: Scenario, _ stage: WireStage, _ device: VirtualVoiceDevice, isManual: Bool,
        port: Int
    ) async throws -> (WireTalk.Leftovers, faults: String?) {
        let conversation = try await stage.echo.startConversation(
            mode: .audio, turnMode: isManual ? .manual : .automatic(VADConfiguration()))
        #expect(try WireStage.sockets(of: port) > 0)
        let talk = WireTalk(conversation, device, stage.events, isManual: isManual, seed: seed)
        do {
            let outcome = try await talk.hold()
            let faults = talk.faults(of: outcome, silences: WireStage.silences(in: scenario))
            return (talk.remains, faults.isEmpty ? nil : "\(faults)\n\(talk.description(of: outcome))")
        } catch {
            await conversation.close()
            return (talk.remains, "\(error)")
        }
    }
}

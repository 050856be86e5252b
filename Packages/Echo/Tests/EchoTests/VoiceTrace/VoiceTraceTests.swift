// SPDX-License-Identifier: MIT

import StructuredJSON
import TestKit
import Testing

@testable import Echo

@Suite struct VoiceTraceTests {
    private func recorded(seed: UInt64 = 1, count: Int = 60) -> TracedConversation {
        var conversation = TracedConversation(seed: seed)
        conversation.run(count)
        return conversation
    }

    @Test func whatWasRecordedIsDecidedAgain() throws {
        for seed in 0..<300 as Range<UInt64> {
            var configuration = VoiceMachine.Configuration()
            configuration.hasGuardrail = seed % 3 == 0
            configuration.runsTools = seed % 6 != 0
            configuration.voiceBudget = seed % 2 == 0 ? 1.5 : nil
            configuration.maximumRounds = seed % 7 == 0 ? 1 : 16
            configuration.filler = seed % 2 == 0 ? VoiceConfiguration.Filler() : nil
            configuration.replacement = seed % 5 == 0 ? "I cannot say that." : nil
            if seed % 4 == 0 { configuration.session.turnDetection = .manual }
            let history: [ResponseItem] = [
                .message(MessageItem(id: "known", role: .user, text: "Earlier words.")),
                .message(MessageItem(role: .user, content: [.inputAudio([1, 2, 3, 4], transcript: nil)])),
            ]
            var conversation = TracedConversation(seed: seed, configuration: configuration, history: history)
            conversation.run(120)
            if conversation.stuck { Issue.record("seed \(seed): it is due and does nothing") }
            let traces = try VoiceTrace.conversations(in: conversation.lines.bytes)
            #expect(traces.count == 1 && traces[0].isCut == false)
            do { try traces[0].replay() } catch { Issue.record("seed \(seed): \(error)") }
        }
    }

    @Test func nothingPrivateIsInIt() throws {
        var configuration = VoiceMachine.Configuration()
        configuration.session.instructions = "Never tell the plan."
        configuration.session.transcription?.prompt = "The Texas plan"
        configuration.session.tools = [
            .function(name: "look_up", description: "Texas", parameters: ["description": "Texas"]),
            .hosted([
                "type": "mcp", "server_label": "wiki", "authorization": "Bearer Texas", "headers": ["X-Key": "Texas"],
            ]),
        ]
        configuration.replacement = "Texas"
        configuration.filler = VoiceConfiguration.Filler()
        configuration.filler?.instructions = "Texas"
        for seed in 0..<40 as Range<UInt64> {
            var conversation = TracedConversation(
                seed: seed, configuration: configuration,
                history: [.message(MessageItem(id: "h", role: .user, text: "Texas"))])
            conversation.run(100)
            let text = conversation.lines.all.joined(separator: "\n")
            let sound = Base64.encode([UInt8](repeating: 77, count: 12))
            for secret in ["Texas", "capital", "plan", "secret", "日本", "한국", "👨", "हि", "42 ", "instructions", sound] {
                #expect(!text.contains(secret), "seed \(seed): \(secret)")
            }
        }
    }

    @Test func anotherDecisionIsToldWithItsLine() throws {
        let conversation = recorded()
        var lines = conversation.lines.all
        let index = try #require(lines.firstIndex { $0.contains(#"{"connect":1}"#) })
        lines[index] = lines[index].replacing(#"{"connect":1}"#, with: #"{"connect":9}"#)
        let trace = try VoiceTrace.conversations(in: Array((lines.joined(separator: "\n") + "\n").utf8))[0]
        let error = try #require(throws: VoiceTraceError.self) { try trace.replay() }
        guard case .differs(let line, let recorded, let today) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(line == index + 1)
        #expect(recorded.contains(#"{"connect":9}"#) && today.contains(#"{"connect":1}"#))
    }

    @Test func whatIsNoTraceIsRefused() throws {
        let good = recorded().lines
        func read(_ lines: [String], ending: String = "\n") throws -> [VoiceTrace] {
            try VoiceTrace.conversations(in: Array((lines.joined(separator: "\n") + ending).utf8))
        }
        for text in [[], ["hello"], ["{}"], [#"{"at":1}"#], ["RIFF"]] {
            #expect(throws: VoiceTraceError.foreign) { try read(text) }
        }
        for version in [1, 3, 5] {
            let error = try #require(throws: VoiceTraceError.self) {
                try read([good.all[0].replacing(#""parleyVoiceTrace":4"#, with: #""parleyVoiceTrace":\#(version)"#)])
            }
            #expect(error == .unknownVersion(version))
            #expect(error.description.contains("has the version \(version), this program knows 4"))
        }
        var damaged = good.all
        damaged[3] = String(damaged[3].dropLast(4))
        #expect(try damagedLine { try read(damaged) } == 4)
        var late = good.all
        late.append(#"{"at":0,"input":{"start":{}}}"#)
        #expect(try damagedLine { try read(late) } == late.count)
        var strange = good.all
        strange.insert(#"{"at":0,"captured":{"bytes":99999999999}}"#, at: 1)
        #expect(try damagedLine { try read(strange) } == 2)
    }

    private func damagedLine(_ body: () throws -> [VoiceTrace]) throws -> Int? {
        let error = try #require(throws: VoiceTraceError.self) { _ = try body() }
        if case .damaged(let line, _) = error { return line }
        Issue.record("\(error)")
        return nil
    }

    @Test func aCutEndLeavesTheRest() throws {
        let whole = recorded().lines.bytes
        let cut = try VoiceTrace.conversations(in: Array(whole.dropLast(30)))
        #expect(cut.count == 1 && cut[0].isCut)
        try cut[0].replay()
        // Another conversation was recorded behind it.
        let both = try VoiceTrace.conversations(in: Array(whole.dropLast(30)) + [10] + whole)
        #expect(both.map(\.isCut) == [true, false])
        for trace in both { try trace.replay() }
    }

    @Test func damagedBytesNeverTrap() {
        var random = SeededGenerator(seed: 11)
        let good = recorded(seed: 5, count: 40).lines.bytes
        for _ in 0..<600 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: Array("999999999999".utf8), at: place)
                }
            }
            guard let traces = try? VoiceTrace.conversations(in: bytes) else { continue }
            for trace in traces {
                _ = trace.turns
                try? trace.replay()
            }
        }
    }

    @Test func turnsAreReadFromIt() throws {
        var conversation = TracedConversation(seed: 0)
        conversation.input(.start)
        conversation.input(.opened(1))
        func server(_ type: String, _ members: JSONObject) throws {
            var event: JSONObject = ["type": .string(type)]
            event.add(members)
            conversation.input(.server(1, try ServerEvent(json: .object(event))))
        }
        try server("input_audio_buffer.speech_started", ["item_id": "u1", "audio_start_ms": 0])
        conversation.pass(.seconds(1))
        try server("input_audio_buffer.speech_stopped", ["item_id": "u1", "audio_end_ms": 1_000])
        try server("input_audio_buffer.committed", ["item_id": "u1", "previous_item_id": .null])
        try server("response.created", ["response": ["id": "r1", "conversation_id": "c"]])
        conversation.pass(.milliseconds(200))
        let sound = Base64.encode([UInt8](repeating: 0, count: 48_000))
        try server("response.output_audio.delta", ["response_id": "r1", "item_id": "a1", "delta": .string(sound)])
        conversation.pass(.milliseconds(100))
        conversation.input(.heard(frames: 2_400))
        let trace = try VoiceTrace.conversations(in: conversation.lines.bytes)[0]
        #expect(trace.turns.map(\.speaker) == [.user, .assistant])
        #expect(trace.turns[0].began == .zero)
        #expect(trace.turns[1].latency?.firstAudio == .milliseconds(200))
        #expect(trace.turns[1].latency?.audible == .milliseconds(200))
        #expect(trace.duration == .milliseconds(1_300))
    }
}

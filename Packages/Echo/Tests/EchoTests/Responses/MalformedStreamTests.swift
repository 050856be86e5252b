// SPDX-License-Identifier: MIT

import Networking
import TestKit
import Testing

@testable import EchoText

/// Damaged events of either API: a typed error or something ignored, never a crash. `Scripts/fuzz echo-event` goes on
/// where this stops.
@Suite struct MalformedStreamTests {
    private static let chunks = [
        #"{"id":"c","model":"m","created":1,"choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}]}"#,
        #"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]}}]}"#,
        #"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}],"reasoning_content":"hm"}}]}"#,
        #"{"choices":[{"message":{"content":[{"type":"text","text":"x"}],"refusal":"no"},"finish_reason":"length"}]}"#,
        #"{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}}"#, "[DONE]",
        #"{"error":{"message":"x","code":400}}"#,
    ]

    @Test(arguments: UInt64(1)...8) func chatChunks(seed: UInt64) throws {
        try damage(Self.chunks, seed: seed) {
            ChatDialect(
                machine: ChatStreamStateMachine(
                    request: ResponsesRequest(model: .gpt5, text: "x"), identifier: { $0 + "1" }))
        }
    }

    @Test(arguments: UInt64(1)...8) func responsesEvents(seed: UInt64) throws {
        try damage(EventSamples.texts, seed: seed) { ResponsesDialect() }
    }

    private func damage(_ samples: [String], seed: UInt64, dialect: () -> any StreamDialect) throws {
        var random = SeededGenerator(seed: seed)
        var read = 0
        for _ in 0..<400 {
            var dialect = dialect()
            var machine = ResponseStreamStateMachine(maximumResumptions: 1)
            var events: [ResponseStreamEvent] = []
            for _ in 0..<8 {
                let text = damaged(samples.randomElement(using: &random) ?? "", using: &random)
                do {
                    try dialect.decode(ServerSentEvent(data: text), into: &events)
                } catch {
                    #expect(error is WireError || error is JSONParsingError, "seed \(seed): \(text)")
                }
            }
            dialect.end(into: &events)
            for event in events {
                if case .deliver = machine.receive(event) { read += 1 }
            }
            guard case .fail = machine.ended(.malformedEvent, message: "", mayResume: true) else { continue }
            #expect(machine.assembly.interrupted.status.isFinal)
        }
        #expect(read > 100, "seed \(seed)")
    }

    /// A text with some of its bytes or some of its values replaced; now and then as it was.
    private func damaged(_ text: String, using random: inout SeededGenerator) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
            case 2:
                bytes.insert(
                    contentsOf: ["null", "7", "[]", "{}", "\"\"", "-1e308"].randomElement(using: &random)?.utf8
                        ?? "".utf8, at: place)
            default:
                let values = ["null", "9223372036854775807", "[7]", "{\"type\":7}", "\"x\"", "true"]
                if let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")),
                    let comma = bytes[colon...].firstIndex(of: UInt8(ascii: ",")),
                    let value = values.randomElement(using: &random)
                {
                    bytes.replaceSubrange((colon + 1)..<comma, with: value.utf8)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

// SPDX-License-Identifier: MIT

import Testing

@testable import Echo

@Suite("What a turn takes and costs")
struct LedgerTests {
    @Test("A turn is told when it can be heard, once")
    func audible() {
        var ledger = LatencyLedger()
        for (index, step) in LatencyLedger.Step.allCases.dropLast().enumerated() {
            #expect(ledger.note(step, turn: 1, at: .milliseconds(1_000 + index * 100)) == nil)
        }
        #expect(ledger.note(.firstAudio, turn: 1, at: .seconds(9)) == nil)
        let expected = TurnLatency(
            turnID: 1, sent: .milliseconds(100), firstEvent: .milliseconds(200), firstAudio: .milliseconds(300),
            audible: .milliseconds(400))
        #expect(ledger.note(.audible, turn: 1, at: .milliseconds(1_400)) == expected)
        #expect(ledger.end(turn: 1) == nil)
    }

    @Test("A turn without an answer that can be heard tells what is known; steps may come in any order")
    func partial() {
        var ledger = LatencyLedger()
        _ = ledger.note(.sent, turn: 2, at: .milliseconds(90))
        _ = ledger.note(.endOfSpeech, turn: 2, at: .milliseconds(100))
        _ = ledger.note(.firstEvent, turn: 2, at: .milliseconds(150))
        #expect(ledger.end(turn: 2) == TurnLatency(turnID: 2, sent: .zero, firstEvent: .milliseconds(50)))
        _ = ledger.note(.sent, turn: 3, at: .zero)
        #expect(ledger.end(turn: 3) == nil)
    }

    @Test("Turns that never end do not pile up")
    func bounded() {
        var ledger = LatencyLedger(capacity: 2)
        for turn in 0..<5 { _ = ledger.note(.endOfSpeech, turn: turn, at: .zero) }
        #expect((0..<5).map { ledger.end(turn: $0) != nil } == [false, false, false, true, true])
    }

    @Test("Text, sound and pictures have prices of their own, dated models those of their names")
    func cost() throws {
        let prices = PriceTable.publishedRealtime
        let usage = Usage(
            text: Usage(inputTokens: 1_000, cachedInputTokens: 400, outputTokens: 100),
            audio: Usage(inputTokens: 2_000, cachedInputTokens: 1_000, outputTokens: 500), image: Usage(inputTokens: 10)
        )
        let cost = try #require(prices.cost(of: usage, model: RealtimeModel(rawValue: "gpt-realtime-2025-08-28")))
        #expect(abs(cost.text - (600 * 4 + 400 * 0.4 + 100 * 16) / 1e6) < 1e-12)
        #expect(abs(cost.audio - (1_000 * 32 + 1_000 * 0.4 + 500 * 64) / 1e6) < 1e-12)
        #expect(abs(cost.image - 50 / 1e6) < 1e-12)
        #expect(abs(cost.total - (cost.text + cost.audio + cost.image)) < 1e-12)
        #expect(prices.cost(of: usage, model: RealtimeModel(rawValue: "own")) == nil)
        // Text that was answered before is counted with it, at the price of text.
        let both = Usage(inputTokens: 1_000) + usage
        #expect(both.inputTokens == 4_010 && both[.text].inputTokens == 2_000 && both[.audio] == usage[.audio])
        let more = try #require(prices.cost(of: both, model: "gpt-realtime"))
        #expect(abs(more - cost.total - 1_000 * 4 / 1e6) < 1e-12)
        let minute = try #require(prices.cost(of: .seconds(60), model: .whisper1))
        #expect(abs(minute.transcription - 0.006) < 1e-12)
    }
}

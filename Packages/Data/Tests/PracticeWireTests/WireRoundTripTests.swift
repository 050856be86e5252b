// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Foundation
import PracticeWire
import TestKit
import Testing

/// What goes over the wire comes back as it went.
@Suite struct WireRoundTripTests {
    private func there<Value: Codable & Equatable>(_ value: Value) throws -> Value {
        let bytes = try WireJSON.encode(value)
        let back = try WireJSON.decode(Value.self, from: bytes)
        #expect(try WireJSON.encode(back) == bytes)
        return back
    }

    @Test func cues() throws {
        let cues =
            try CueSamples.cues(5) + [
                CueSamples.cue(
                    "Wie geht's? 😀 \"gut\" <&>\n/\\", language: "de-AT", topic: "small talk", level: 6, hint: ""),
                CueSamples.cue("e\u{301}te\u{301}", language: "zh-Hant-TW", hint: "été", at: -1.999),
                CueSamples.cue(String(repeating: "長", count: Cue.textLimit), language: "ja", at: 1_700_000_000.001),
            ]
        for cue in cues { #expect(try there(CueDTO(cue)).cue() == cue) }
        for next in [CueCursor?.none, CueCursor(after: cues[1], in: .shuffled(seed: 7))] {
            let page = CuePage(cues: cues, next: next)
            #expect(try there(CuePageDTO(page)).page() == page)
        }
    }

    @Test func results() throws {
        let results = [
            try PracticeSamples.result(
                at: 1_700_000_000.123, evaluation: PracticeSamples.evaluation(), recording: .init()),
            try PracticeSamples.result(day: "0004-02-29", language: "pt-BR", rating: .again),
            try PracticeSamples.result(rating: .easy, evaluation: PracticeSamples.bareEvaluation),
        ]
        for result in results { #expect(try there(PracticeResultDTO(result)).result() == result) }
        let page = PracticePage(results: results, next: PracticeCursor(after: results[0]))
        #expect(try there(PracticePageDTO(page)).page() == page)
        #expect(try there(PracticeBatchDTO(results)).results() == results)
    }

    @Test(arguments: Recording.Format.allCases) func recordings(_ format: Recording.Format) throws {
        let recording = Recording(
            cue: .init(), createdAt: Date(timeIntervalSince1970: 1_700_000_000.987), duration: 12.345, format: format,
            sampleRate: 48_000, byteCount: 123_456, contentHash: String(repeating: "0f", count: 32))
        #expect(try there(RecordingDTO(recording)).recording() == recording)
        #expect(try Recording(uploadMetadata: recording.uploadMetadata, byteCount: 123_456) == recording)
        let page = try there(RecordingPageDTO([recording], hasMore: true))
        #expect(
            page.recordings().recordings == [recording] && page.next == RecordingCursor(after: recording).description)
    }

    @Test func evaluationStates() throws {
        for stage in EvaluationStateDTO.Stage.allCases where stage != .done {
            let state = try there(EvaluationStateDTO(stage, reason: "because"))
            #expect(try state.stage == stage && state.finished() == nil && state.reason == "because")
        }
        let evaluation = PracticeSamples.evaluation(source: .server)
        #expect(try there(EvaluationStateDTO(.done, evaluation: evaluation)).finished() == evaluation)
    }

    @Test func measuresThatAreNotFiniteAreLeftOut() throws {
        var evaluation = PracticeSamples.evaluation()
        (evaluation.loudness, evaluation.truePeak, evaluation.clippedShare) = (-.infinity, .nan, .nan)
        let back = try there(EvaluationDTO(evaluation)).evaluation()
        #expect(back.loudness == nil && back.truePeak == nil && back.clippedShare == 0)
    }

    @Test func session() throws {
        let profile = Profile(account: "a", email: "ada@example.org", createdAt: Date(timeIntervalSince1970: 1.5))
        #expect(try there(ProfileDTO(profile)).profile() == profile)
        for place in [DeletionReceipt.Place.device, .server] {
            let receipt = DeletionReceipt(
                id: "r", place: place, deletedAt: Date(timeIntervalSince1970: 2.25), counts: ["recordings": 3])
            #expect(try there(DeletionReceiptDTO(receipt)).receipt() == receipt)
        }
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let config = RuntimeConfig(
            rules: [
                "a": .init(value: .boolean(true), rollout: 2_500, expiresAt: now), "b": .init(value: .integer(1)),
                "c": .init(value: .number(0.25)), "d": .init(value: .text("true")), "e": .init(value: .boolean(false)),
            ], fetchedAt: now)
        #expect(try there(AppConfigDTO(config)).config(at: now) == config)
    }

    @Test func queries() throws {
        var generator = SeededGenerator(seed: 20_261_122)
        for _ in 0..<200 {
            func maybe<Value>(_ value: Value) -> Value? { Bool.random(using: &generator) ? value : nil }
            let cues = CueQuery(
                language: maybe(LanguageTag("pt-BR")).flatMap(\.self), topic: maybe("small & talk"),
                level: maybe(Int.random(in: 1...6, using: &generator)), words: maybe("é = \"?\""),
                order: maybe(.shuffled(seed: generator.next())) ?? .catalogue,
                limit: Int.random(in: 1...200, using: &generator))
            let cursor = maybe(CueCursor(sortKey: Int64.random(in: .min ... .max, using: &generator), id: .init()))
            let read = try QueryParameters(cues, after: cursor).cueQuery()
            #expect(read.query == cues && read.after == cursor)

            let practice = PracticeQuery(
                cue: maybe(.init()), language: maybe(LanguageTag("de")).flatMap(\.self),
                ratings: Set(ReviewRating.allCases.filter { _ in Bool.random(using: &generator) }),
                since: maybe(CalendarDate(dayNumber: 9)).flatMap(\.self),
                until: maybe(CalendarDate("2024-02-29")) ?? nil,
                limit: Int.random(in: 1...200, using: &generator))
            let place = maybe(PracticeCursor(time: Int64.random(in: .min ... .max, using: &generator), id: .init()))
            let other = try QueryParameters(practice, after: place).practiceQuery()
            #expect(other.query == practice && other.after == place)
        }
    }

    @Test func milliseconds() throws {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<2_000 {
            let milliseconds = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &generator)
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
            #expect(WireTime.date(WireTime.text(of: date)) == date, "\(milliseconds)")
        }
        #expect(WireTime.text(of: Date(timeIntervalSince1970: 1_700_000_000.123)) == "2023-11-14T22:13:20.123Z")
        #expect(WireTime.text(of: Date(timeIntervalSince1970: -0.001)) == "1969-12-31T23:59:59.999Z")
        #expect(WireTime.text(of: Date(timeIntervalSince1970: .infinity)) == "9999-12-31T23:59:59.999Z")
        #expect(WireTime.text(of: Date(timeIntervalSince1970: .nan)) == "1970-01-01T00:00:00.000Z")
    }
}

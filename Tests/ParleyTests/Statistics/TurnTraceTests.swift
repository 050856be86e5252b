// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain
import Echo
import Foundation
import Testing

@testable import parley

@Suite struct TurnTraceTests {
    private static let start = Date(timeIntervalSince1970: 1_000)

    private func trace(
        _ measurement: TurnMeasurement, spans: [TraceSpan] = [], wokenAt: Date? = nil, after seconds: TimeInterval = 0
    ) -> Trace {
        Trace(of: measurement, spans: spans, wokenAt: wokenAt, endedAt: Self.start.addingTimeInterval(seconds))
    }

    /// Name, start and length of each span in milliseconds since the turn's start.
    private func spans(_ trace: Trace) -> [String: [Int]] {
        let start = Double(Self.start.nanoseconds)
        return Dictionary(
            uniqueKeysWithValues: trace.spans.map { span in
                let times = [Double(span.start) - start, Double(span.end - span.start)]
                return (span.name, times.map { Int(($0 / 1_000_000).rounded()) })
            })
    }

    @Test func `a spoken turn has a span from stage to stage`() {
        var turn = TurnMeasurement(
            turn: TurnID(), startedAt: Self.start, modality: .voice, outcome: .answered,
            latencies: [.wholeAnswer: .milliseconds(90)])
        for (index, stage) in TurnStage.allCases.dropFirst().enumerated() {
            turn.stages[stage] = .milliseconds(index * 100)
        }
        let trace = trace(turn)
        #expect(
            spans(trace) == [
                "turn": [0, 700], "speech": [0, 100], "end of speech": [100, 100], "recognition": [200, 100],
                "answer": [300, 100], "whole answer": [300, 90], "first sentence": [400, 100],
                "first sound": [500, 100], "speaking": [600, 100],
            ])
        #expect(trace.id.grouped == turn.turn.description)
        #expect(trace.ordered.map(\.depth) == [0] + Array(repeating: 1, count: 8))
    }

    @Test func `a typed turn has its answer and the requests in its time`() {
        let turn = TurnMeasurement(
            turn: TurnID(), startedAt: Self.start, modality: .text, outcome: .failed("server"),
            latencies: [.answer: .milliseconds(20), .wholeAnswer: .milliseconds(50)])
        let request = TraceSpan(
            "model request", parent: SpanID(7), kind: .client, start: Self.start.nanoseconds,
            end: Self.start.nanoseconds + 60_000_000)
        let trace = trace(turn, spans: [request])
        #expect(
            spans(trace) == ["turn": [0, 60], "answer": [0, 20], "whole answer": [0, 50], "model request": [0, 60]])
        let root = trace.spans[0]
        #expect(root.isFailed && root.attributes["error.code"] == .text("server") && root.parent == nil)
        #expect(trace.spans.dropFirst().allSatisfy { $0.parent == root.id })
    }

    @Test func `a turn begins with its wake word`() {
        var turn = TurnMeasurement(turn: TurnID(), startedAt: Self.start, modality: .voice, outcome: .answered)
        turn.stages = [.speechStarted: .zero, .speechEnded: .milliseconds(300)]
        let trace = trace(turn, wokenAt: Self.start.addingTimeInterval(-0.25), after: 1)
        #expect(spans(trace) == ["turn": [-250, 1_250], "speech": [0, 300], "wake word": [-250, 250]])
        #expect(trace.ordered.map(\.span.name) == ["turn", "wake word", "speech"])
    }

    @Test func `a wake word belongs to the turn that it opened the listener for`() {
        let spans = TurnSpans()
        let (first, second) = (TurnID(), TurnID())
        let opened = RoomEvent.turn(first, .reached(.listening, at: .now))
        spans.note(opened, at: Self.start)
        #expect(spans.take(for: first).wokenAt == nil, "a follow-up needs none")
        spans.note(.wakeWord, at: Self.start)
        spans.note(.wakeWord, at: Self.start.addingTimeInterval(2))
        // An event of the turn before, which the wake word cut off, may come late.
        spans.note(.turn(second, .reached(.answerSpoken, at: .now)), at: Self.start.addingTimeInterval(3))
        spans.note(opened, at: Self.start.addingTimeInterval(3))
        spans.note(.turn(second, .reached(.listening, at: .now)), at: Self.start.addingTimeInterval(9))
        #expect(spans.take(for: first).wokenAt == Self.start.addingTimeInterval(2))
        #expect(spans.take(for: first).wokenAt == Self.start.addingTimeInterval(2), "it is noted again when spoken")
        #expect(spans.take(for: second).wokenAt == nil)
    }

    @Test func `spans are taken once, and a tool's call has its time`() async throws {
        struct Broken: Error {}
        let spans = TurnSpans()
        let use = ToolUse(id: "1", name: "add", arguments: "{}")
        spans.note(.toolReturned(use, output: "42", isError: true, took: .milliseconds(40)))
        spans.note(.toolCalled(use))
        try await spans.measure("model request", .client) {}
        await #expect(throws: Broken.self) { try await spans.measure("model request", .client) { throw Broken() } }
        let taken = spans.take(for: TurnID()).spans
        #expect(taken.map(\.name) == ["tool call", "model request", "model request"])
        #expect(taken.map(\.isFailed) == [true, false, true] && taken[0].duration == .milliseconds(40))
        for _ in 0...TurnSpans.mostSpans { spans.add(taken[0]) }
        #expect(spans.take(for: TurnID()).spans.count == TurnSpans.mostSpans)
        #expect(spans.take(for: TurnID()).spans.isEmpty)
    }

    @Test func `a voice answer has spans up to its first sound`() {
        let tracing = VoiceTracing(spans: TurnSpans(), keep: nil)
        let audible = Self.start.addingTimeInterval(0.9)
        func taken(_ latency: EchoText.TurnLatency) -> [String: [Int]] {
            tracing.note(.turnTimed(latency), at: audible)
            return spans(Trace(TraceID(), spans: tracing.spans.take(for: TurnID()).spans))
        }
        var latency = EchoText.TurnLatency(
            turnID: 1, sent: .milliseconds(100), firstEvent: .milliseconds(300), firstAudio: .milliseconds(600),
            audible: .milliseconds(900))
        #expect(
            taken(latency) == ["response request": [100, 200], "first audio": [300, 300], "first sound": [600, 300]])
        latency.sent = nil
        #expect(taken(latency)["response request"] == [0, 300], "the server detects the end by itself")
        latency.audible = nil
        #expect(taken(latency).isEmpty)
    }

    @Test func `connecting is a trace, failed or not`() async throws {
        struct Broken: Error {}
        let kept = Guarded<[TraceSpan]>([])
        let tracing = VoiceTracing(spans: TurnSpans()) { span in kept.withLock { $0.append(span) } }
        try await tracing.connecting {}
        await #expect(throws: Broken.self) { try await tracing.connecting { throw Broken() } }
        #expect(kept.withLock { $0.map(\.name) } == ["connect", "connect"])
        #expect(kept.withLock { $0.map(\.isFailed) } == [false, true])
    }

    @Test func `the same turn later gives the same spans and more`() {
        var turn = TurnMeasurement(
            turn: TurnID(), startedAt: Self.start, modality: .voice, outcome: .answered)
        turn.stages = [.speechStarted: .zero, .speechEnded: .seconds(1), .endpointDetected: .seconds(2)]
        let first = trace(turn, after: 2)
        turn.stages[.transcriptReady] = .seconds(3)
        let second = trace(turn, after: 4)
        #expect(Set(first.spans.map(\.id)).isStrictSubset(of: second.spans.map(\.id)))
    }
}

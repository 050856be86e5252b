// SPDX-License-Identifier: MIT

import Diagnostics
import Domain
import Foundation
import Testing

@testable import parley

@Suite struct TurnTraceTests {
    private static let start = Date(timeIntervalSince1970: 1_000)

    private func trace(
        _ measurement: TurnMeasurement, requests: [TraceSpan] = [], after seconds: TimeInterval = 0
    ) -> Trace {
        Trace(of: measurement, requests: requests, endedAt: Self.start.addingTimeInterval(seconds))
    }

    /// Name, start and length of each span in milliseconds since the turn's start.
    private func spans(_ trace: Trace) -> [String: [Int]] {
        let start = Self.start.nanoseconds
        return Dictionary(
            uniqueKeysWithValues: trace.spans.map {
                ($0.name, [Int(($0.start - start) / 1_000_000), Int(($0.end - $0.start) / 1_000_000)])
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
        let trace = trace(turn, requests: [request])
        #expect(
            spans(trace) == ["turn": [0, 60], "answer": [0, 20], "whole answer": [0, 50], "model request": [0, 60]])
        let root = trace.spans[0]
        #expect(root.isFailed && root.attributes["error.code"] == .text("server") && root.parent == nil)
        #expect(trace.spans.dropFirst().allSatisfy { $0.parent == root.id })
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

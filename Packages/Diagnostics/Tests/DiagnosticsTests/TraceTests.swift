// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct TraceTests {
    private static let id = TraceID(high: 0x4bf9_2f35_77b3_4da6, low: 0xa3ce_929d_0e0e_4736)

    private static func trace(_ id: TraceID = id, _ names: String...) -> Trace {
        let spans = names.enumerated().map { index, name in
            TraceSpan(name, id: SpanID(UInt64(index + 1)), start: 1, end: 2)
        }
        return Trace(id, service: "parley", version: "1", spans: spans)
    }

    @Test func `a traceparent is written and read`() throws {
        let context = TraceContext(trace: Self.id, span: SpanID(0xf0_67aa_0ba9_02b7))
        #expect(context.traceparent == "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
        #expect(TraceContext(traceparent: context.traceparent) == context)
        #expect(Self.id.grouped == "4bf92f35-77b3-4da6-a3ce-929d0e0e4736")
    }

    @Test(arguments: [
        "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "0-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-g1",
    ])
    func `an invalid traceparent is ignored`(_ text: String) { #expect(TraceContext(traceparent: text) == nil) }

    @Test func `a later version is read as far as it is known`() {
        let text = "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes"
        #expect(TraceContext(traceparent: text)?.trace == Self.id)
    }

    @Test func `OTLP keeps a trace`() throws {
        let spans = [
            TraceSpan("turn", id: SpanID(1), start: 5, end: 9, attributes: ["outcome": .text("answered")]),
            TraceSpan(
                "server request", id: SpanID(2), parent: SpanID(1), kind: .client, start: 6, end: 7,
                attributes: ["http.response.status_code": .number(503)], isFailed: true),
        ]
        let trace = Trace(Self.id, service: "parley", version: "1.2.3", spans: spans)
        #expect(OTLPTraces.traces(in: try OTLPTraces.json(of: [trace])) == [trace])
        #expect(OTLPTraces.traces(in: Data("{}".utf8)) == nil)
    }

    @Test func `spans are ordered below their parents`() {
        var trace = Self.trace(Self.id, "root", "second", "first", "inner", "stranger")
        for (index, parent) in [1: 1, 2: 1, 3: 3, 4: 99] as [Int: UInt64] { trace.spans[index].parent = SpanID(parent) }
        (trace.spans[1].start, trace.spans[1].end, trace.spans[4].start) = (3, 4, 2)
        #expect(trace.ordered.map(\.span.name) == ["root", "first", "inner", "second", "stranger"])
        #expect(trace.ordered.map(\.depth) == [0, 1, 2, 1, 0])
    }

    @Test func `the newest traces are kept, private, and what was added later joins`() throws {
        let folder = try TemporaryFolder()
        let file = TraceFile(path: folder.file("logs/traces.jsonl"), mostTraces: 5)
        #expect(try file.traces() == [])
        for number in 1...200 {
            try file.append(Self.trace(TraceID(high: 0, low: UInt64(number)), "turn"))
            let lines = try folder.bytes("logs/traces.jsonl").count { $0 == UInt8(ascii: "\n") }
            #expect(lines <= 5 && lines >= min(number, 3))
        }
        #expect(try file.traces().map(\.id.low).suffix(3) == [198, 199, 200])
        #expect(try folder.bytes("logs/traces.jsonl").count <= 5 * 4_096)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try file.append(Self.trace(TraceID(high: 0, low: 199), "whole turn", "playback"))
        let joined = try file.traces().first { $0.id.low == 199 }
        #expect(joined?.spans.map(\.name) == ["whole turn", "playback"])
        try Data((try folder.bytes("logs/traces.jsonl")) + Array("{damaged\n".utf8)).write(to: URL(filePath: file.path))
        #expect(try file.traces().last?.id.low == 200)
    }

    @Test func `no time is too far`() {
        #expect(Date.distantFuture.nanoseconds == 9_000_000_000_000_000_000 && Date.distantPast.nanoseconds == 0)
        var span = TraceSpan("a", start: 2, end: 3)
        span.end = 1
        #expect(span.duration == .zero)
    }

    @Test func `a recorder gives one trace at a time`() {
        let recorder = TraceRecorder()
        let (first, second) = (recorder.begin("a", .client), recorder.begin("b", .client))
        #expect(first.context.trace == second.context.trace && first.context.span != second.context.span)
        recorder.end(first, status: 200)
        recorder.end(second, status: 404)
        let taken = recorder.take()
        #expect(taken.trace == first.context.trace && taken.spans.map(\.isFailed) == [false, true])
        #expect(taken.spans.allSatisfy { $0.parent == taken.root && $0.end >= $0.start })
        #expect(recorder.take().spans.isEmpty && recorder.take().trace != taken.trace)
    }
}

// SPDX-License-Identifier: MIT

import EchoSimulator
import Foundation
import Networking
import TestKit
import Testing

/// Traces of turns and of requests to one's server, through the real programs.
@Suite(.timeLimit(.minutes(10))) struct TraceTests {
    private static let python = URL(filePath: #filePath).appending(path: "../../../.venv-peers/bin/python").standardized
        .path

    /// The spans of a file of `parley trace export`, as OpenTelemetry's messages in Python read it: trace, name, parent.
    private static func exported(_ parley: ParleyProcess, environment: [String: String] = [:]) async throws
        -> [[String]]
    {
        let file = parley.path("traces-\(UUID()).json")
        let result = try await parley.run("trace", "export", file, environment: environment)
        #expect(result.code == 0, "\(result)")
        try #require(FileManager.default.isExecutableFile(atPath: python), "run Scripts/test-peers")
        // OTLP writes ids in hexadecimal, protobuf's JSON in base 64.
        let script = """
            import base64, json, sys
            from google.protobuf import json_format
            from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
            data = json.load(open(sys.argv[1]))
            for resource in data["resourceSpans"]:
                for scope in resource["scopeSpans"]:
                    for span in scope["spans"]:
                        for key in ("traceId", "spanId", "parentSpanId"):
                            if key in span:
                                span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
            request = json_format.ParseDict(data, ExportTraceServiceRequest())
            rows = []
            for resource in request.resource_spans:
                facts = {a.key: a.value.string_value for a in resource.resource.attributes}
                assert facts["service.name"] == "parley" and facts["service.version"], facts
                for scope in resource.scope_spans:
                    for span in scope.spans:
                        assert len(span.trace_id) == 16 and len(span.span_id) == 8 and len(span.parent_span_id) in (0, 8)
                        assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano
                        rows.append([span.trace_id.hex(), span.name, span.parent_span_id.hex()])
            print(json.dumps(rows))
            """
        let reader = await (try ChildProcess(python, ["-c", script, file], errors: .captured)).finished()
        try #require(reader.code == 0, "\(reader.errors)")
        return try JSONDecoder().decode([[String]].self, from: Data(reader.output.utf8))
    }

    @Test func `a question leaves one trace, without a word of it, within the width`() async throws {
        let parley = try ParleyProcess()
        #expect(try await parley.run("trace", "last").errors.contains("No turn is kept yet."))
        #expect(try await parley.run("ask", "What is the capital of Texas?").code == 0)
        #expect(try await parley.run("ask", "--no-history", "What is the capital of Ohio?").code == 0)
        let shown = try await parley.run("trace", "last", "5")
        let lines = shown.output.split(separator: "\n")
        #expect(
            shown.code == 0 && lines.count == 4 && lines[1].contains("turn") && lines[1].hasSuffix(" ms"), "\(shown)")
        #expect(lines.allSatisfy { $0.count <= 80 })
        let spans = try await Self.exported(parley)
        #expect(Set(spans.map { $0[0] }).count == 1 && Set(spans.map { $0[1] }) == ["turn", "answer", "whole answer"])
        let path = parley.path("home/data/logs/traces.jsonl")
        let text = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        #expect(text.split(separator: "\n").count == 1, "one line for a question")
        for word in ["Texas", "Austin", "capital", "states"] { #expect(!text.contains(word), "\(text)") }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `data export has the traces, and data delete leaves none`() async throws {
        let parley = try ParleyProcess()
        #expect(try await parley.run("ask", "What is the capital of Texas?").code == 0)
        let exported = try await parley.run("data", "export", parley.path("all.tar"), "--offline", "--json")
        #expect((exported.events.first?["counts"] as? [String: Int])?["traces"] == 1, "\(exported)")
        #expect(try await parley.run("data", "delete", "--yes", "--offline").code == 0)
        #expect(!FileManager.default.fileExists(atPath: parley.path("home/data/logs/traces.jsonl")))
    }

    @Test func `a model's request is a span, and its server learns no trace`() async throws {
        try await ChatFixture.withModelInUse([.init(.message("It is Paris."))]) { chat in
            #expect(try await chat.parley.run("ask", "capital of France").output == "It is Paris.\n")
            let names = try await Self.exported(chat.parley).map { $0[1] }
            #expect(names.contains("model request"), "\(names)")
            let requests = chat.simulator.requests
            #expect(!requests.isEmpty && requests.allSatisfy { $0.headers["traceparent"] == nil })
        }
    }

    /// The names of the spans of each of the last traces, as they are shown.
    private static func shown(_ parley: ParleyProcess) async throws -> [[String]] {
        let result = try await parley.run("trace", "last", "9", "--json")
        let traces = try #require(result.events.first?["traces"] as? [[String: Any]], "\(result)")
        return traces.map { ($0["spans"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String } }
    }

    @Test func `a turn after the wake word has it, a follow-up does not`() async throws {
        let parley = try ParleyProcess()
        let scene = try ListenTests.scene(
            [("hey jarvis, what is the capital of texas", 1), ("what is the state bird of utah", 8)], end: 4, in: parley
        )
        let run = try await parley.run(
            "listen", "--input", scene, "--output", parley.path("a.wav"), "--no-notifications", "--json")
        #expect(run.code == 0 && run.events.filter { $0["event"] as? String == "answer" }.count == 2, "\(run)")
        let turns = try await Self.shown(parley)
        // In one breath the question begins before the wake word is certain.
        #expect(turns.map { $0.first } == ["turn", "turn"], "\(turns)")
        #expect(turns.map { $0.contains("wake word") } == [true, false], "\(turns)")
    }

    @Test func `a conversation by voice leaves how it connected and how the answer came`() async throws {
        let fixture = try await RealtimeFixture()
        let words = [
            "talk", "--mode", "realtime", "--input", RealtimeFixture.question, "--output",
            fixture.parley.path("answer.wav"),
        ]
        for more in [["--no-history"], []] {
            let talk = try await fixture.parley.start(words + more, environment: fixture.environment).finished()
            #expect(talk.code == 0, "\(talk)")
        }
        let traces = try await Self.shown(fixture.parley)
        #expect(traces == [["connect"], ["turn", "response request", "first audio", "first sound"]])
        let rows = try await Self.exported(fixture.parley)
        #expect(Set(rows.map { $0[0] }).count == 2, "\(rows)")
    }

    @Test func `one's own server logs and keeps the same trace`() async throws {
        let parley = try ParleyProcess()
        let (log, spans) = (parley.path("server.log"), parley.path("spans.jsonl"))
        let server = try SignInServer(home: parley.path("server"), log: log, arguments: ["--traces", spans])
        defer { server.kill() }
        let environment = ["PARLEY_SERVER": server.address]
        let asked = try await parley.run("sign-in", "ada@example.org", "--no-wait", environment: environment)
        #expect(asked.code == 0, "\(asked)")
        let rows = try await Self.exported(parley)
        #expect(
            rows.map { $0[1] }.contains("parley sign-in") && rows.map { $0[1] }.contains("server request"), "\(rows)")
        let trace = try #require(rows.first?[0])
        let kept = String(decoding: try #require(FileManager.default.contents(atPath: spans)), as: UTF8.self)
        #expect(kept.contains(trace) && kept.contains("\"name\":\"POST /otp\""), "\(kept)")
        let logged = String(decoding: try #require(FileManager.default.contents(atPath: log)), as: UTF8.self)
        let shown = try await parley.run("trace", "last")
        let grouped = try #require(shown.output.split(separator: "\n").first?.split(separator: " ").last)
        #expect(grouped.replacing("-", with: "") == trace && logged.contains(grouped), "\(logged)")
    }
}

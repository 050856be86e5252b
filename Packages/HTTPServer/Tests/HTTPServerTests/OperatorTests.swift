// SPDX-License-Identifier: MIT

import Diagnostics
import HTTPServer
import Networking
import TestKit
import Testing

/// Metrics, the log and health.
@Suite(.timeLimit(.minutes(5))) struct OperatorTests {
    @Test func metricsCountByRouteMethodAndStatus() async throws {
        let metrics = ServerMetrics()
        var router = Router()
        router.get("/sessions/{id}") { _ in .text("x") }
        router.get("/metrics", name: "metrics", handler: StandardRoutes.metrics(metrics))
        try await withServer(metrics: metrics, handler: router.handler) { server in
            for id in 1...3 {
                _ = try await server.answer(to: "GET /sessions/\(id) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            }
            _ = try await server.answer(to: "BREW /sessions/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            _ = try await server.answer(to: "GET / HTTP/1.1\r\nHost: x/y\r\nConnection: close\r\n\r\n")
            try await eventually { metrics.openConnections == 0 }
            let answer = try await server.answer(to: "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(
                answer.headers["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
            let lines = answer.text.split(separator: "\n")
            for line in [
                "http_requests_total{route=\"/sessions/{id}\",method=\"GET\",status=\"2xx\"} 3",
                "http_requests_total{route=\"(none)\",method=\"other\",status=\"4xx\"} 1",
                "http_requests_total{route=\"(refused)\",method=\"other\",status=\"4xx\"} 1",
                "http_request_duration_seconds_count{route=\"/sessions/{id}\"} 3",
                "http_request_duration_seconds_bucket{route=\"/sessions/{id}\",le=\"+Inf\"} 3",
                "http_requests_in_flight 1", "http_connections_open 1", "http_connections_total 6", "# EOF",
            ] {
                #expect(lines.contains { $0 == line }, "\(line) is missing in \(answer.text)")
            }
        }
    }

    @Test func theLogHasNoSecrets() async throws {
        let ring = RingSink()
        var router = Router()
        router.get("/links/{token}") { _ in .noContent }
        router.use(StandardRoutes.requestLog(Logger(category: "http", sink: ring)))
        try await withServer(handler: router.handler) { server in
            _ = try await server.answer(to: "GET /links/hunter2?code=hunter2 HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await server.answer(to: "GET /hunter2 HTTP/1.1\r\nHost: x\r\n\r\n")
        }
        let texts = ring.snapshot().map(\.message.text)
        #expect(texts.count == 2)
        #expect(texts[0].hasPrefix("GET /links/{token} 204 in "))
        #expect(texts[1].hasPrefix("GET (none) 404 in "))
        #expect(texts.allSatisfy { !$0.contains("hunter2") && !$0.contains("127.0.0.1") })
        #expect(ring.snapshot().map(\.level) == [.info, .notice])
    }

    @Test func `a request with a traceparent is a span, and its log line names the trace`() async throws {
        let ring = RingSink()
        let (spans, noted) = AsyncStream.makeStream(of: TraceSpan.self)
        let context = TraceContext(trace: TraceID(high: 0xabc, low: 0xdef), span: SpanID(7))
        var router = Router()
        router.get("/links/{token}") { _ in throw ServerProblem(status: 503, detail: "later") }
        router.use(StandardRoutes.requestLog(Logger(category: "http", sink: ring)))
        router.use(
            StandardRoutes.requestSpans { trace, span in
                #expect(trace == context.trace)
                noted.yield(span)
            })
        try await withServer(handler: router.handler) { server in
            for field in ["traceparent: \(context.traceparent)", "traceparent: 00-x", "x: y"] {
                _ = try await server.answer(to: "GET /links/hunter2 HTTP/1.1\r\nHost: x\r\n\(field)\r\n\r\n")
            }
        }
        noted.finish()
        let all = await spans.reduce(into: []) { $0.append($1) }
        let span = try #require(all.count == 1 ? all.first : nil)
        #expect(span.name == "GET /links/{token}" && span.parent == context.span && span.isFailed)
        #expect(span.attributes == ["http.response.status_code": .number(503)] && span.kind == .server)
        let traces = ring.snapshot().map { $0.metadata["trace"]?.text }
        #expect(traces == [context.trace.grouped, nil, nil])
    }

    @Test func healthSaysYesOrNo() async throws {
        #expect(try await StandardRoutes.health()(ServerRequest()).status == 200)
        let sick = await #expect(throws: ServerProblem.self) {
            try await StandardRoutes.health { false }(ServerRequest())
        }
        #expect(sick?.status == 503)
    }
}

// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import Networking
import NetworkingTestSupport
import Testing

/// The place in a trace that a server is told, as a real nginx gets it.
struct TraceparentTests {
    private let server: NginxServer

    init() throws { server = try NginxServer.shared.get() }

    /// The field that the server got; empty without one.
    private func field(_ traces: TraceRecorder?, _ path: String = "/traceparent") async throws -> String {
        var configuration = server.configuration
        configuration.traces = traces
        let transport = try CurlTransport(configuration: configuration)
        let response = try await transport.send(HTTPRequest(.get, server.plain(path)))
        let text = String(decoding: try await response.body.collect(), as: UTF8.self)
        await transport.close()
        return text
    }

    @Test func `a request tells its place where that is wanted`() async throws {
        let traces = TraceRecorder()
        let field = try await field(traces)
        let span = try #require(traces.take().spans.first)
        #expect(TraceContext(traceparent: field)?.span == span.id)
        #expect(span.attributes == ["http.response.status_code": .number(200)] && span.kind == .client)
    }

    @Test func `without a recorder no server learns it`() async throws {
        #expect(try await field(nil).isEmpty)
    }

    @Test func `another server that the request is sent on to does not learn it`() async throws {
        #expect(try await field(TraceRecorder(), "/traceparent-elsewhere").isEmpty)
    }

    @Test func `a request without an answer is a failed span`() async throws {
        let traces = TraceRecorder()
        var configuration = CurlTransport.Configuration()
        configuration.traces = traces
        let transport = try CurlTransport(configuration: configuration)
        let url = try #require(URL(string: "http://127.0.0.1:\(refusingPort)/"))
        await #expect(throws: NetworkError.self) { try await transport.send(HTTPRequest(.get, url)) }
        #expect(traces.take().spans.map(\.isFailed) == [true])
        await transport.close()
    }
}

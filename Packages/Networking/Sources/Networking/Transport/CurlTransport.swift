// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
public import FoundationEssentials

/// The real transport: HTTP/1.1 and HTTP/2 over libcurl, on one thread of its own for all requests.
///
/// Make one for the whole program: connections are kept for later requests to the same host. Requests run in parallel.
/// Responses that are still being read outlive the transport; its thread ends with the last of them.
public final class CurlTransport: HTTPTransport {
    /// The configuration of connections.
    public let configuration: Configuration
    /// The thread of all connections, those of other protocols included.
    let loop: CurlEventLoop
    let proxies: ProxyRules

    /// A transport with a thread of its own.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of connections.
    ///   - environment: The variables for `Configuration.Proxy.environment`; they are read once, here.
    /// - Throws: `NetworkError` with the code `other` if the system has no thread or memory left.
    public init(
        configuration: Configuration = Configuration(),
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        self.configuration = configuration
        proxies = ProxyRules(configuration.proxy, environment: environment)
        loop = try CurlEventLoop(
            maximumConnectionsPerHost: configuration.maximumConnectionsPerHost,
            maximumIdleConnections: configuration.maximumIdleConnections)
    }

    /// Ends every request with the code `closed` and returns when all connections are closed. Later requests fail the
    /// same way. A transport that is dropped closes itself.
    public func close() async {
        await loop.close()
    }

    /// Sends a request, follows redirects, and returns when the final response's header has arrived.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let traces = configuration.traces else { return try await follow(request) }
        let span = traces.begin("server request", .client)
        var request = request
        request.headers[TraceContext.headerName] = span.context.traceparent
        do {
            let response = try await follow(request)
            traces.end(span, status: response.status)
            return response
        } catch {
            traces.end(span, isFailed: true)
            throw error
        }
    }

    private func follow(_ request: HTTPRequest) async throws -> HTTPResponse {
        let timeouts = request.timeouts ?? configuration.timeouts
        let wholeDeadline = timeouts.whole.map { MonotonicTime.now.advanced(by: $0) }
        var policy = RedirectPolicy(credentials: configuration.credentials)
        var request = request
        while true {
            try request.validate()
            try configuration.checkSecurity(of: request.url)
            let transfer = try CurlTransfer(
                request, configuration: configuration, route: proxies.route(for: request.url), timeouts: timeouts,
                loop: loop, wholeDeadline: wholeDeadline)
            let response = try await transfer.run()
            switch policy.step(after: request, status: response.status, location: response.headers["Location"]) {
            case .deliver: return response
            case .fail(let error): throw error
            case .follow(let next):
                // Reading a short body to its end keeps the connection for the next request.
                _ = try? await response.body.collect(upTo: 64 << 10)
                let isElsewhere = Origin(next.url) != Origin(request.url)
                request = next
                if isElsewhere { request.headers[TraceContext.headerName] = nil }
            }
        }
    }
}

// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import FoundationEssentials
import Networking

/// Messages over streamable HTTP: each is a POST, whose answer is JSON or a stream of events; a GET brings the server's
/// own messages.
final class StreamableHTTPTransport: MCPTransport {
    struct State: Sendable {
        var sessionID: String?
        var version: MCPProtocolVersion?
        var receive: (@Sendable (MCPTransportEvent) async -> Void)?
        var isListening = false
    }

    let endpoint: MCPEndpoint
    let http: any HTTPTransport
    let clock: ClientClock
    let maximumMessageBytes: Int
    let state = Guarded(State())
    private let tasks = OwnedTasks()

    var endsExchanges: Bool { true }

    init(_ endpoint: MCPEndpoint, http: any HTTPTransport, clock: ClientClock, maximumMessageBytes: Int) {
        self.endpoint = endpoint
        self.http = http
        self.clock = clock
        self.maximumMessageBytes = maximumMessageBytes
    }

    func open(_ receive: @escaping @Sendable (MCPTransportEvent) async -> Void) async throws {
        try endpoint.check()
        state.withLock { $0.receive = receive }
    }

    func agreed(on version: MCPProtocolVersion) { state.withLock { $0.version = version } }

    func receive(_ event: MCPTransportEvent) async {
        let receive = state.withLock { $0.receive }
        await receive?(event)
    }

    func request(_ method: HTTPMethod) -> HTTPRequest {
        let (session, version) = state.withLock { ($0.sessionID, $0.version) }
        var request = HTTPRequest(method, endpoint.url, headers: endpoint.headers)
        request.headers["Mcp-Session-Id"] = session
        request.headers["MCP-Protocol-Version"] = (version?.hasHeader ?? false) ? version?.rawValue : nil
        // A tool may take its time; the JSON-RPC session above has its own limits.
        var timeouts = HTTPTimeouts()
        timeouts.firstByte = nil
        timeouts.idle = nil
        request.timeouts = timeouts
        request.redirects = .stop
        request.options.caching = .none
        return request
    }

    func send(_ message: JSONRPCMessage, headers: HTTPHeaders) async throws {
        var request = request(.post)
        request.headers["Content-Type"] = "application/json"
        request.headers["Accept"] = "application/json, text/event-stream"
        for field in headers { request.headers[field.name] = field.value }
        request.body = .bytes(message.bytes)
        // A tool that was called may have done its work, answer or not.
        request.options.isRepeatable = message.method.map { Self.repeatableMethods.contains($0) } ?? false
        let response = try await exchange(request)
        guard response.isSuccess else { throw try await failure(response, to: message) }
        guard let id = message.requestID else {
            _ = try? await response.body.collect(upTo: 64 << 10)
            return
        }
        if message.method == "initialize", let session = response.headers["Mcp-Session-Id"], !session.isEmpty {
            state.withLock { $0.sessionID = session }
        }
        try await readAnswer(response, to: id)
    }

    private static let repeatableMethods: Set<String> = [
        "initialize", "ping", "prompts/get", "prompts/list", "resources/list", "resources/read",
        "resources/templates/list", "server/discover", "tools/list",
    ]

    /// Sends, and follows redirects within the origin alone, since every field of the header may be a secret.
    func exchange(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        for _ in 0..<4 {
            let response: HTTPResponse
            do {
                response = try await http.send(request)
            } catch let error as NetworkError {
                throw Self.translate(error)
            }
            guard [301, 302, 303, 307, 308].contains(response.status), let place = response.headers["Location"] else {
                return response
            }
            guard let target = URL(string: place, relativeTo: request.url)?.absoluteURL,
                endpoint.isSameOrigin(target), [307, 308].contains(response.status) || request.method == .get
            else {
                throw MCPError(
                    .redirected,
                    "The server redirects to another address, where credentials must not go unasked. "
                        + "If that is the right server, use its address: \(Self.shown(place))",
                    status: response.status)
            }
            _ = try? await response.body.collect(upTo: 64 << 10)
            request.url = target
        }
        throw MCPError(.redirected, "The server redirects in circles. Check its configuration.")
    }

    /// An address without its query, which may be a secret.
    private static func shown(_ place: String) -> String { String(place.prefix { $0 != "?" && $0 != "#" }.prefix(200)) }

    static func translate(_ error: NetworkError) -> MCPError {
        MCPError(.network, "The server cannot be reached, or the connection broke: \(error.message)", underlying: error)
    }

    func listen() {
        let isFirst = state.withLock { state in
            defer { state.isListening = true }
            return !state.isListening
        }
        guard isFirst else { return }
        tasks.add { [self] in await readNotices() }
    }

    /// Reads the GET stream, over as many connections as it takes. A server without one answers 405.
    private func readNotices() async {
        var configuration = EventSource.Configuration()
        configuration.maximumEventSize = maximumMessageBytes
        configuration.idleTimeout = nil
        configuration.reconnectionTime = .seconds(1)
        configuration.maximumFailures = 20
        configuration.reconnectStatuses = [502, 503, 504]
        do {
            for try await event in EventSource(request(.get), transport: http, configuration: configuration) {
                _ = await take(event, answering: nil)
            }
        } catch let error as NetworkError where error.status == 404 {
            await receive(.ended(Self.sessionExpired))
        } catch {
            // Requests go on without it, and report the server's errors.
        }
    }

    static var sessionExpired: MCPError {
        MCPError(
            .sessionExpired, "The session has expired at the server. The next request starts another.", status: 404)
    }

    func close() async {
        await tasks.close()
        let session = state.withLock { state in
            defer { state.sessionID = nil }
            return state.sessionID
        }
        guard session != nil else { return }
        var request = request(.delete)
        request.headers["Mcp-Session-Id"] = session
        request.timeouts?.whole = .seconds(2)
        let last = request
        // The server may refuse (405); and the caller may be cancelled, which is no reason to leave a session behind.
        await Task { [http] in _ = try? await http.send(last).body.collect(upTo: 64 << 10) }.value
    }

    func abandon() { tasks.cancel() }
}

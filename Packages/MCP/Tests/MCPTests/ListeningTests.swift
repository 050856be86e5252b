// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Networking
import NetworkingTestSupport
import TestKit
import Testing

@testable import MCP

/// The stream of changes of the stateless revision, against answers from a script.
@Suite(.timeLimit(.minutes(5))) struct ListeningTests {
    private static let url = URL(string: "https://mcp.example/mcp") ?? URL(filePath: "/")

    /// The subscriptions of each request for changes, in order.
    private final class Listens: Sendable {
        private let uris = Guarded<[(id: JSONRPCID, uris: [String])]>([])

        var all: [(id: JSONRPCID, uris: [String])] { uris.withLock { $0 } }

        func add(_ message: JSONValue) {
            let wanted = message["params"]?["notifications"]?["resourceSubscriptions"]?.array ?? []
            guard let id = JSONRPCID(message["id"]) else { return }
            uris.withLock { $0.append((id, wanted.compactMap(\.string))) }
        }

        /// Waits for the request with that number, from 1.
        func number(_ number: Int) async throws -> (id: JSONRPCID, uris: [String]) {
            try await eventually("the request for changes arrives") { all.count >= number }
            return all[number - 1]
        }
    }

    /// A server over HTTP that says what it offers, and leaves the requests for changes to `listen`.
    private static func client(
        offering capabilities: JSONValue, clock: ClientClock = .system,
        listen: @escaping @Sendable (JSONValue, HTTPRequest) async throws -> HTTPResponse
    ) -> MCPClient {
        let transport = ScriptedTransport { request in
            guard case .bytes(let bytes) = request.body else { return HTTPResponse(status: 405, url: request.url) }
            let message = try JSONValue(parsing: bytes)
            if message["method"]?.string == "subscriptions/listen" { return try await listen(message, request) }
            let answer: JSONValue = [
                "jsonrpc": "2.0", "id": message["id"] ?? nil,
                "result": [
                    "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": capabilities,
                ],
            ]
            return HTTPResponse(
                status: 200, headers: ["Content-Type": "application/json"], url: request.url,
                body: HTTPResponseBody(answer.bytes))
        }
        return MCPClient(Peers.patient(.http(name: "script", url: url)), http: transport, clock: clock)
    }

    /// A client whose streams stay open, and say what the test lets them say.
    private static func quietClient(offering capabilities: JSONValue, _ listens: Listens) -> MCPClient {
        client(offering: capabilities) { message, _ in
            listens.add(message)
            await untilCancelled()
            throw CancellationError()
        }
    }

    @Test(arguments: [
        (502, -32000, MCPError.Code.server), (500, -32601, .unsupportedVersion), (400, -32000, .unsupportedVersion),
    ])
    func `a gateway's error says nothing of revisions`(status: Int, fault: Int, code: MCPError.Code) async throws {
        let answer = Array(#"{"jsonrpc":"2.0","id":null,"error":{"code":\#(fault),"message":"No"}}"#.utf8)
        var server = Peers.patient(.http(name: "script", url: Self.url))
        server.protocolVersions = [.july2026]
        let client = MCPClient(
            server,
            http: ScriptedTransport { request in
                HTTPResponse(status: status, url: request.url, body: HTTPResponseBody(answer))
            })
        let error = await #expect(throws: MCPError.self) { try await client.connect() }
        #expect(error?.code == code)
        await client.close()
    }

    private static let both: JSONValue = ["tools": ["listChanged": true], "resources": ["subscribe": true]]

    @Test func `a stream of changes is opened again after a gateway's error`() async throws {
        let count = Guarded(0)
        let client = Self.client(offering: ["tools": ["listChanged": true]], clock: ClientClock(steppingClock())) {
            message, request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            // The server ends, and its gateway answers until it is there again.
            let lines: [String]
            switch number {
            case 1: lines = []
            case 2:
                let fault = #"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No upstream"}}"#
                return HTTPResponse(status: 502, url: request.url, body: HTTPResponseBody(Array(fault.utf8)))
            case 3: return HTTPResponse(status: 503, url: request.url)
            case 4: lines = ["data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n"]
            default: return HTTPResponse(status: 404, url: request.url)
            }
            return HTTPResponse(
                status: 200, headers: ["Content-Type": "text/event-stream"], url: request.url,
                body: HTTPResponseBody(Array(lines.joined().utf8)))
        }
        var events = client.events().makeAsyncIterator()
        try await client.connect()
        // It ends with the first answer that stays.
        await client.listening?.task.value
        try #require(count.withLock { $0 } == 5)
        while let event = await events.next() {
            guard case .toolsChanged = event else { continue }
            break
        }
        await client.close()
    }

    @Test func `subscriptions at the same time do not end one another`() async throws {
        let listens = Listens()
        let client = Self.quietClient(offering: Self.both, listens)
        try await client.connect()
        #expect(try await listens.number(1).uris == [])
        let first = Task { try await client.subscribe(to: "a:a") }
        #expect(try await listens.number(2).uris == ["a:a"])
        let second = Task { try await client.subscribe(to: "b:b") }
        let last = try await listens.number(3)
        #expect(last.uris == ["a:a", "b:b"])
        await client.acknowledge(last.id.json, last.uris)
        await #expect(throws: Never.self) { try await first.value }
        await #expect(throws: Never.self) { try await second.value }
        #expect(await client.subscribedURIs == ["a:a", "b:b"])
        await client.close()
    }

    @Test(arguments: [\.json, \.text] as [@Sendable (JSONRPCID) -> JSONValue])
    func `an acknowledgement of another stream is ignored`(_ form: @Sendable (JSONRPCID) -> JSONValue) async throws {
        let listens = Listens()
        let client = Self.quietClient(offering: Self.both, listens)
        try await client.connect()
        let restored = try await listens.number(1)
        let subscription = Task { try await client.subscribe(to: "a:a") }
        let open = try await listens.number(2)
        await client.acknowledge(form(restored.id), [])
        await client.acknowledge(form(open.id), open.uris)
        await #expect(throws: Never.self) { try await subscription.value }
        await client.close()
    }

    @Test func `an acknowledgement without an id counts, and one that lacks the resource is an error`() async throws {
        let listens = Listens()
        let client = Self.quietClient(offering: Self.both, listens)
        try await client.connect()
        _ = try await listens.number(1)
        for (number, agreed) in [(2, ["a:a"]), (3, ["x:x"])] {
            let subscription = Task { try await client.subscribe(to: "a:a") }
            _ = try await listens.number(number)
            await client.acknowledge(nil, agreed)
            if number == 2 {
                await #expect(throws: Never.self) { try await subscription.value }
            } else {
                await expectError(.notOffered) { try await subscription.value }
            }
        }
        await client.close()
    }

    @Test func `a resource that is refused is refused to all who wait`() async throws {
        let listens = Listens()
        let client = Self.quietClient(offering: Self.both, listens)
        try await client.connect()
        _ = try await listens.number(1)
        let first = Task { try await client.subscribe(to: "a:a") }
        _ = try await listens.number(2)
        let second = Task { try await client.subscribe(to: "a:a") }
        let last = try await listens.number(3)
        await client.acknowledge(last.id.json, [])
        await expectError(.notOffered) { try await first.value }
        await expectError(.notOffered) { try await second.value }
        await client.close()
    }

    @Test(arguments: [both, ["resources": ["subscribe": true]]])
    func `a subscription that is ended before it is confirmed is no error`(_ capabilities: JSONValue) async throws {
        let listens = Listens()
        let client = Self.quietClient(offering: capabilities, listens)
        try await client.connect()
        let isRestored = capabilities == Self.both
        if isRestored { _ = try await listens.number(1) }
        let subscription = Task { try await client.subscribe(to: "a:a") }
        _ = try await listens.number(isRestored ? 2 : 1)
        try await client.unsubscribe(from: "a:a")
        if isRestored { await client.acknowledge(try await listens.number(3).id.json, []) }
        await #expect(throws: Never.self) { try await subscription.value }
        #expect(await client.subscribedURIs.isEmpty)
        await client.close()
    }
}

extension JSONRPCID {
    /// The identifier as a text, whatever it is.
    fileprivate var text: JSONValue { .string(description) }
}

extension MCPClient {
    /// Receives the server's agreement to a stream of changes.
    fileprivate func acknowledge(_ id: JSONValue?, _ uris: [String]) {
        var parameters: JSONObject = [
            "notifications": ["toolsListChanged": true, "resourceSubscriptions": .array(uris.map(JSONValue.string))]
        ]
        if let id { parameters["_meta"] = ["io.modelcontextprotocol/subscriptionId": id] }
        received(
            .reading(
                .message(
                    .notification(method: "notifications/subscriptions/acknowledged", parameters: parameters))),
            on: connectionCount)
    }
}

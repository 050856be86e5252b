// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import FoundationEssentials
import Networking
import NetworkingTestSupport
import TestKit
import Testing

@testable import MCP

/// What goes over HTTP and what does not, against answers from a script.
@Suite struct HTTPRulesTests {
    private static let url = URL(string: "https://mcp.example/mcp") ?? URL(filePath: "/")

    /// Answers as a server with a handshake does.
    private static func answer(_ request: HTTPRequest, session: String = "s1") throws -> HTTPResponse {
        guard request.method == .post else { return HTTPResponse(status: 405, url: request.url) }
        let message = try message(in: request)
        guard let id = message["id"] else { return HTTPResponse(status: 202, url: request.url) }
        var result: JSONValue = [:]
        switch message["method"]?.string {
        case "server/discover": return HTTPResponse(status: 400, url: request.url)
        case "initialize":
            result = [
                "protocolVersion": "2025-11-25", "capabilities": ["tools": [:]], "serverInfo": ["name": "script"],
            ]
        case "tools/call": result = ["content": [["type": "text", "text": "done"]]]
        default: break
        }
        var response = json(["jsonrpc": "2.0", "id": id, "result": result], request)
        response.headers["Mcp-Session-Id"] = session
        return response
    }

    private static func message(in request: HTTPRequest) throws -> JSONValue {
        guard case .bytes(let bytes) = request.body else { return nil }
        return try JSONValue(parsing: bytes)
    }

    private static func json(_ value: JSONValue, _ request: HTTPRequest, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["Content-Type": "application/json"], url: request.url,
            body: HTTPResponseBody(value.bytes))
    }

    private static func events(_ text: String, _ request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: ["Content-Type": "text/event-stream"], url: request.url,
            body: HTTPResponseBody(Array(text.utf8)))
    }

    private func withClient(
        headers: HTTPHeaders = [:], clock: ClientClock = .system,
        _ answer: @escaping @Sendable (HTTPRequest, JSONValue) throws -> HTTPResponse?,
        _ body: (MCPClient, ScriptedTransport) async throws -> Void
    ) async throws {
        let transport = ScriptedTransport { request in
            try answer(request, try Self.message(in: request)) ?? Self.answer(request)
        }
        let server = MCPServer.http(name: "script", url: Self.url, headers: headers)
        let client = MCPClient(server, http: transport, clock: clock)
        try await body(client, transport)
        await client.close()
    }

    private func calls(_ transport: ScriptedTransport) -> [HTTPRequest] {
        transport.requests.filter { request in
            ((try? Self.message(in: request)) ?? nil)?["method"]?.string == "tools/call"
        }
    }

    @Test func headersGoWithEachRequest() async throws {
        try await withClient(headers: ["Authorization": "Bearer key"]) { _, _ in
            nil
        } _: { client, transport async throws in
            #expect(try await client.callTool("x").text == "done")
            await client.close()
            let requests = transport.requests
            #expect(requests.allSatisfy { $0.headers["Authorization"] == "Bearer key" })
            let discovery = try #require(requests.first)
            #expect(discovery.headers["MCP-Protocol-Version"] == "2026-07-28")
            #expect(discovery.headers["Mcp-Method"] == "server/discover")
            #expect(discovery.headers["Mcp-Session-Id"] == nil)
            let call = try #require(calls(transport).first)
            #expect(call.headers["MCP-Protocol-Version"] == "2025-11-25")
            #expect(call.headers["Mcp-Session-Id"] == "s1")
            #expect(call.headers["Accept"] == "application/json, text/event-stream")
            #expect(call.headers["Mcp-Method"] == nil)
            #expect(call.options.isRepeatable == false)
            let end = try #require(requests.last)
            #expect(end.method == .delete && end.headers["Mcp-Session-Id"] == "s1")
            #expect(requests.contains { $0.method == .get && $0.headers["Accept"] == "text/event-stream" })
        }
    }

    @Test func forgottenSessionIsBegunAnew() async throws {
        let sessions = Guarded(0)
        try await withClient { request, message in
            if message["method"]?.string == "initialize" {
                let number = sessions.withLock { count in
                    count += 1
                    return count
                }
                return try Self.answer(request, session: "s\(number)")
            }
            if request.headers["Mcp-Session-Id"] == "s1", message["method"]?.string == "tools/call" {
                return HTTPResponse(status: 404, url: request.url)
            }
            return nil
        } _: { client, transport async throws in
            try await client.connect()
            #expect(try await client.callTool("x").text == "done")
            #expect(calls(transport).map { $0.headers["Mcp-Session-Id"] } == ["s1", "s2"])
        }
    }

    @Test func callThatMayHaveRunIsNotRepeated() async throws {
        let isHanging = Guarded(false)
        let transport = ScriptedTransport { request in
            let message = try Self.message(in: request)
            guard message["method"]?.string == "tools/call" else { return try Self.answer(request) }
            if message["params"]?["name"] == "gone", request.headers["Mcp-Session-Id"] == "s1" {
                return HTTPResponse(status: 404, url: request.url)
            }
            guard message["params"]?["name"] == "long" else { return try Self.answer(request) }
            isHanging.withLock { $0 = true }
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            defer { continuation.finish() }
            for await _ in stream {}
            throw CancellationError()
        }
        let client = MCPClient(.http(name: "script", url: Self.url), http: transport)
        let long = Task { try await client.callTool("long") }
        try await eventually("the call runs") { isHanging.withLock { $0 } }
        await expectError(.sessionExpired) { _ = try await client.callTool("gone") }
        await expectError(.interrupted) { _ = try await long.value }
        #expect(calls(transport).count == 3)
        await client.close()
    }

    @Test func forgottenStreamIsNotACallToRepeat() async throws {
        try await withClient(clock: ClientClock(steppingClock())) { request, message in
            if message["method"]?.string == "tools/call" { return Self.events("id: 7\ndata:\n\n", request) }
            guard request.headers["Last-Event-ID"] != nil else { return nil }
            return HTTPResponse(status: 404, url: request.url)
        } _: { client, transport async throws in
            await expectError(.interrupted) { _ = try await client.callTool("x") }
            #expect(calls(transport).count == 1)
        }
    }

    @Test func sessionThatIsForgottenAgainIsAnError() async throws {
        try await withClient { request, message in
            message["method"]?.string == "tools/call" ? HTTPResponse(status: 404, url: request.url) : nil
        } _: { client, transport async throws in
            await expectError(.sessionExpired) { _ = try await client.callTool("x") }
            #expect(calls(transport).count == 2)
        }
    }

    @Test(arguments: [
        "https://other.example/mcp", "http://mcp.example/mcp", "https://mcp.example:444/mcp", "//evil/", "https://",
        "::",
    ]) func redirectToAnotherOriginIsNotFollowed(_ place: String) async throws {
        try await withClient(headers: ["X-My-Key": "secret"]) { request, _ in
            HTTPResponse(status: 307, headers: ["Location": place], url: request.url)
        } _: { client, transport async throws in
            let error = await expectError(.redirected) { try await client.connect() }
            #expect(transport.requests.count == 1)
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test func redirectWithinTheOriginIsFollowed() async throws {
        try await withClient { request, _ in
            request.url.path() == "/mcp"
                ? HTTPResponse(status: 308, headers: ["Location": "/mcp/"], url: request.url) : nil
        } _: { client, transport async throws in
            #expect(try await client.callTool("x").text == "done")
            #expect(calls(transport).last?.url.absoluteString == "https://mcp.example/mcp/")
        }
        try await withClient { request, _ in
            HTTPResponse(status: 308, headers: ["Location": "/again"], url: request.url)
        } _: { client, _ async throws in
            await expectError(.redirected) { try await client.connect() }
        }
    }

    @Test func addressesAreChecked() async throws {
        func code(_ text: String) async -> MCPError.Code? {
            guard let url = URL(string: text) else { return nil }
            let transport = ScriptedTransport { try Self.answer($0) }
            let client = MCPClient(.http(name: "x", url: url), http: transport)
            defer { #expect(transport.requests.isEmpty) }
            do {
                try await client.connect()
                return nil
            } catch { return (error as? MCPError)?.code }
        }
        #expect(await code("http://mcp.example/mcp") == .insecure)
        #expect(await code("ftp://mcp.example/mcp") == .invalidServer)
        #expect(await code("https://me:pass@mcp.example/") == .invalidServer)
        #expect(await code("file:///etc/passwd") == .invalidServer)
        for text in ["http://localhost:1/", "http://127.0.0.1/", "http://[::1]:5/", "https://x.example/"] {
            let url = try #require(URL(string: text))
            #expect(throws: Never.self) { try MCPEndpoint(url).check() }
        }
        var endpoint = MCPEndpoint(try #require(URL(string: "http://mcp.example/")))
        endpoint.allowsPlainHTTP = true
        #expect(throws: Never.self) { try endpoint.check() }
    }

    @Test(arguments: [(401, MCPError.Code.unauthorized), (403, .unauthorized), (500, .http), (429, .http)])
    func statusesAreTyped(_ status: Int, _ code: MCPError.Code) async throws {
        try await withClient(headers: ["Authorization": "Bearer hidden"]) { request, message in
            message["method"]?.string == "tools/call" ? HTTPResponse(status: status, url: request.url) : nil
        } _: { client, _ async throws in
            let error = await expectError(code) { _ = try await client.callTool("x") }
            #expect(error?.status == status)
            #expect(error?.description.contains("hidden") == false)
        }
    }

    @Test func errorInABodyIsTheServersAnswer() async throws {
        try await withClient { request, message in
            guard message["method"]?.string == "tools/call" else { return nil }
            return Self.json(
                ["jsonrpc": "2.0", "id": nil, "error": ["code": -32602, "message": "no such tool"]], request,
                status: 400)
        } _: { client, _ async throws in
            let error = await expectError(.server) { _ = try await client.callTool("x") }
            #expect(error?.fault?.code == JSONRPCFault.invalidParameters)
        }
    }

    @Test(arguments: ["", "[]", "{", "{\"jsonrpc\":\"2.0\",\"id\":99999,\"result\":{}}", "null", "\u{0}"])
    func bodyThatIsNoAnswerIsTyped(_ text: String) async throws {
        try await withClient { request, message in
            guard message["method"]?.string == "tools/call" else { return nil }
            return HTTPResponse(
                status: 200, headers: ["Content-Type": "application/json"], url: request.url,
                body: HTTPResponseBody(Array(text.utf8)))
        } _: { client, _ async throws in
            await expectError(.invalidAnswer) { _ = try await client.callTool("x") }
        }
        try await withClient { request, message in
            message["method"]?.string == "tools/call" ? Self.events("data: \(text)\n\n", request) : nil
        } _: { client, _ async throws in
            await expectError(.interrupted) { _ = try await client.callTool("x") }
        }
    }

    @Test func brokenStreamIsTakenUpAgain() async throws {
        let asked = Guarded<JSONValue>(nil)
        let clock = steppingClock()
        try await withClient(clock: ClientClock(clock)) { request, message in
            if message["method"]?.string == "tools/call" {
                asked.withLock { $0 = message["id"] ?? nil }
                return Self.events("retry: 1500\nid: 7\ndata:\n\n: the end\n\n", request)
            }
            guard request.method == .get, request.headers["Last-Event-ID"] == "7" else { return nil }
            let id = asked.withLock { $0 }
            let answer: JSONValue = ["jsonrpc": "2.0", "id": id, "result": ["content": []]]
            return Self.events("id: 8\ndata: \(answer.text)\n\n", request)
        } _: { client, transport async throws in
            #expect(try await client.callTool("x").content.isEmpty)
            #expect(calls(transport).count == 1, "a call is never made twice")
            #expect(clock.waits.contains(.milliseconds(1500)), "the server's wait is kept")
        }
    }

    @Test func streamWithoutIdentifiersIsNotTakenUp() async throws {
        try await withClient { request, message in
            message["method"]?.string == "tools/call" ? Self.events("data: {}\n\n", request) : nil
        } _: { client, transport async throws in
            await expectError(.interrupted) { _ = try await client.callTool("x") }
            #expect(calls(transport).count == 1)
        }
    }

    @Test func headersThatDisagreeAreAskedForAnew() async throws {
        let transport = ScriptedTransport { request in
            let message = try Self.message(in: request)
            let id = message["id"] ?? nil
            func answer(_ result: JSONValue) -> HTTPResponse {
                Self.json(["jsonrpc": "2.0", "id": id, "result": result], request)
            }
            switch message["method"]?.string {
            case "server/discover":
                return answer([
                    "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": ["tools": [:]],
                ])
            case "tools/list":
                let schema: JSONValue = [
                    "type": "object", "properties": ["r": ["type": "string", "x-mcp-header": "R"]],
                ]
                let broken: JSONValue = ["type": "object", "x-mcp-header": "R"]
                return answer([
                    "resultType": "complete",
                    "tools": [["name": "x", "inputSchema": schema], ["name": "broken", "inputSchema": broken]],
                ])
            default:
                guard request.headers["Mcp-Param-R"] == "v", request.headers["Mcp-Name"] == "x" else {
                    return Self.json(
                        ["jsonrpc": "2.0", "id": id, "error": ["code": -32020, "message": "headers"]], request,
                        status: 400)
                }
                return answer(["resultType": "complete", "content": [["type": "text", "text": "done"]]])
            }
        }
        let client = MCPClient(.http(name: "script", url: Self.url), http: transport)
        #expect(try await client.callTool("x", arguments: ["r": "v"]).text == "done")
        #expect(try await client.tools().map(\.name) == ["x"], "a tool against the rules is not offered")
        await client.close()
        #expect(!transport.requests.contains { $0.method == .delete }, "there is no session to end")
    }

    @Test func unknownResultTypeIsAnError() async throws {
        let transport = ScriptedTransport { request in
            let id = try Self.message(in: request)["id"] ?? nil
            return Self.json(
                [
                    "jsonrpc": "2.0", "id": id,
                    "result": [
                        "resultType": .string(id == 1 ? "complete" : "strange"), "supportedVersions": ["2026-07-28"],
                        "capabilities": ["tools": [:]],
                    ],
                ], request)
        }
        let client = MCPClient(.http(name: "script", url: Self.url), http: transport)
        await expectError(.invalidAnswer) { _ = try await client.callTool("x") }
        await client.close()
    }
}

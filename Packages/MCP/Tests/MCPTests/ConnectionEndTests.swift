// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Networking
import NetworkingTestSupport
import TestKit
import Testing

@testable import MCP

/// Connections that end at an unlucky moment.
@Suite(.timeLimit(.minutes(5))) struct ConnectionEndTests {
    @Test(arguments: [true, false])
    func `an end beside the handshake's last answer is noticed`(isBeforeConnected: Bool) async throws {
        let url = try #require(URL(string: "https://mcp.example/mcp"))
        // Answers are what the test lets the client receive.
        let transport = ScriptedTransport { _ in
            await untilCancelled()
            throw CancellationError()
        }
        let client = MCPClient(Peers.patient(.http(name: "script", url: url)), http: transport)
        let first = Task { try await client.connect() }
        try await eventually("the first question waits") { await client.session.pendingIDs.count == 1 }
        await client.receiveDiscovery(endsAfterwards: isBeforeConnected)
        if isBeforeConnected {
            await expectError(.serverEnded) { _ = try await first.value }
        } else {
            _ = try await first.value
            await client.receiveEnd()
        }
        try #require(await client.serverInformation == nil)
        let second = Task { try await client.connect() }
        try await eventually("it is asked anew") { await client.session.pendingIDs.count == 1 }
        await client.receiveDiscovery(endsAfterwards: false)
        await #expect(throws: Never.self) { try await second.value }
        #expect(await client.connectionCount == 2)
        await client.close()
    }

    @Test func `an answer to a program that has ended answers no other question`() async throws {
        let answers = [Promise<MCPElicitation.Answer>(), Promise<MCPElicitation.Answer>()]
        let count = Guarded(0)
        let client = MCPClient(Peers.scripted("good")) { _ in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return (try? await answers[number].value()) ?? .decline
        }
        func ask() async throws {
            _ = try await client.callTool("ask", arguments: ["methods": ["elicitation/create"]])
        }
        try await ask()
        try await eventually("the first question is shown") { count.withLock { $0 } == 1 }
        await expectError(.serverEnded) { _ = try await client.callTool("quit") }
        try await ask()
        try await eventually("the second question is shown") { count.withLock { $0 } == 2 }
        // Both questions have the same id.
        answers[0].resolve(.success(.cancel))
        try await eventually("the first is answered") { await client.elicitationCount == 1 }
        answers[1].resolve(.success(.accept([:])))
        try await eventually("the second is answered") { await client.elicitationCount == 0 }
        let replies = try JSONValue(parsing: try await client.callTool("replies").text)
        #expect(replies.array?.map { $0["result"]?["action"] } == ["accept"])
        await client.close()
    }
}

extension MCPClient {
    /// Receives the answer to the only open question, `server/discover`, and the end with no time between them.
    fileprivate func receiveDiscovery(endsAfterwards: Bool) {
        guard let id = session.pendingIDs.first else { return }
        let result: JSONValue = [
            "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": ["tools": [:]],
        ]
        received(.reading(.message(.result(id: id, result))), on: connectionCount)
        if endsAfterwards { receiveEnd() }
    }

    fileprivate func receiveEnd() { received(.ended(MCPError(.serverEnded, "scripted")), on: connectionCount) }
}

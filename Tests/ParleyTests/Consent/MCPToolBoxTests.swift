// SPDX-License-Identifier: MIT

import Concurrency
import MCP
import TestKit
import Testing

@testable import parley

@Suite(.timeLimit(.minutes(5))) struct MCPToolBoxTests {
    /// A server with one tool.
    private static let server = MCPServer.stdio(
        name: "calc", command: "python3",
        arguments: [
            "-c",
            """
            import json, sys
            for line in sys.stdin:
                asked = json.loads(line)
                if "id" not in asked: continue
                answer = {}
                if asked["method"] == "initialize":
                    version = asked["params"]["protocolVersion"]
                    answer = {"protocolVersion": version, "capabilities": {"tools": {}},
                        "serverInfo": {"name": "calc", "version": "1"}}
                if asked["method"] == "tools/list":
                    answer = {"tools": [{"name": "add", "description": "new", "inputSchema": {"type": "object"}}]}
                print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": answer}), flush=True)
            """,
        ])

    @Test func `a question about a changed tool is asked again after it was broken off`() async throws {
        let folder = try TemporaryFolder()
        let approvals = MCPApprovalFile(path: folder.file("approvals.json"))
        let before = try #require(MCPTool(json: ["name": "add", "description": "old"]))
        try approvals.update { try $0.approve(before, at: Self.server) }
        let questions = Guarded(0)
        let box = MCPToolBox(
            entries: [try MCPServerEntry(name: "calc", json: ["command": "python3"])], approvals: approvals,
            allowsAll: false
        ) { _ in
            let isFirst = questions.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { throw CancellationError() }
            return .yes
        } connect: { _ in
            MCPClient(Self.server)
        }
        await #expect(throws: CancellationError.self) { try await box.tools { _ in } }
        for _ in 0..<2 { #expect(try await box.tools { _ in }.count == 1) }
        #expect(questions.withLock { $0 } == 2)
        await box.close()
    }
}

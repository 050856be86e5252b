// SPDX-License-Identifier: MIT

import Networking
import Testing

@testable import MCP

@Suite struct SmallMachinesTests {
    @Test func restartsWaitLongerAndStop() {
        var policy = RestartPolicy()
        var waits: [Duration?] = []
        for _ in 0..<7 {
            waits.append(policy.delay(unit: 1))
            policy.ended(now: .zero)
        }
        #expect(waits == [.zero, .zero, .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), nil])
        #expect(policy.delay(unit: 0) == nil)
        policy.reset()
        #expect(policy.delay(unit: 0) == .zero)
    }

    @Test func longRunForgivesFailures() {
        var policy = RestartPolicy()
        for _ in 0..<4 { policy.ended(now: .zero) }
        policy.started(now: .seconds(10))
        policy.ended(now: .seconds(69))
        #expect(policy.failures == 5)
        policy.started(now: .seconds(70))
        policy.ended(now: .seconds(130))
        #expect(policy.failures == 1)
    }

    @Test func shutdownGetsLessKind() {
        var stages = ShutdownStages()
        let grace = Duration.seconds(2)
        #expect(stages.step(now: .seconds(99), grace: grace) == nil)
        #expect(stages.begin(now: .seconds(1), grace: grace) == .closeInput)
        #expect(stages.begin(now: .seconds(1), grace: grace) == nil)
        #expect(stages.step(now: .seconds(2), grace: grace) == nil)
        #expect(stages.step(now: .seconds(3), grace: grace) == .terminate)
        #expect(stages.deadline == .seconds(5))
        #expect(stages.step(now: .seconds(5), grace: grace) == .kill)
        #expect(stages.step(now: .seconds(50), grace: grace) == nil)
        #expect(stages.deadline == nil)
    }

    @Test func errorLogKeepsTheNewest() {
        var log = ErrorLog(limit: 10)
        for number in 0..<100 { log.append(Array("\(number),".utf8)) }
        #expect(log.text == "97,98,99,".suffix(10) || log.text == ",97,98,99,")
        log.append(Array(repeating: 65, count: 1000))
        #expect(log.text == "AAAAAAAAAA")
    }

    @Test func headerValuesSurvive() {
        #expect(MCPHeaderValue.encode("plain text") == "plain text")
        #expect(MCPHeaderValue.encode("süd") == "=?base64?c8O8ZA==?=")
        #expect(MCPHeaderValue.encode(" edge") == "=?base64?IGVkZ2U=?=")
        #expect(MCPHeaderValue.encode("a\r\nb") == "=?base64?YQ0KYg==?=")
        #expect(MCPHeaderValue.encode("=?base64?YQ==?=") == "=?base64?PT9iYXNlNjQ/WVE9PT89?=")
        #expect(MCPHeaderValue.encode("") == "")
    }

    @Test func argumentsGoIntoHeaders() throws {
        let schema: JSONValue = [
            "type": "object",
            "properties": [
                "region": ["type": "string", "x-mcp-header": "Region"],
                "deep": ["type": "object", "properties": ["count": ["type": "integer", "x-mcp-header": "Count"]]],
                "flag": ["type": "boolean", "x-mcp-header": "Flag"], "other": ["type": "string"],
            ],
        ]
        let headers = try #require(MCPToolHeaders(schema))
        let fields = headers.headers(for: ["region": "süd", "deep": ["count": 3], "flag": true, "other": "x"])
        #expect(fields["Mcp-Param-Region"] == "=?base64?c8O8ZA==?=")
        #expect(fields["Mcp-Param-Count"] == "3")
        #expect(fields["Mcp-Param-Flag"] == "true")
        #expect(fields.count == 3)
        #expect(headers.headers(for: ["region": nil, "deep": 5]).isEmpty)
    }

    @Test(
        arguments: [
            ["type": "object", "x-mcp-header": "A"], ["properties": ["a": ["type": "number", "x-mcp-header": "A"]]],
            ["properties": ["a": ["type": "string", "x-mcp-header": "A b"]]],
            ["properties": ["a": ["type": "string", "x-mcp-header": ""]]],
            ["properties": ["a": ["type": "string", "x-mcp-header": 5]]],
            ["properties": ["a": ["type": "array", "items": ["type": "string", "x-mcp-header": "A"]]]],
            [
                "properties": [
                    "a": ["type": "string", "x-mcp-header": "A"], "b": ["type": "string", "x-mcp-header": "a"],
                ]
            ],
        ] as [JSONValue]) func brokenHeaderRulesAreFound(_ schema: JSONValue)
    {
        #expect(MCPToolHeaders(schema) == nil)
    }
}

// SPDX-License-Identifier: MIT

import Diagnostics
import FoundationEssentials
import Glibc
import Networking
import TestKit
import Testing

@testable import MCP

/// Programs that misbehave.
@Suite struct ServerProgramTests {
    /// A client whose program ends with the test.
    private func withClient(_ server: MCPServer, _ body: (MCPClient) async throws -> Void) async throws {
        let client = MCPClient(server)
        do { try await body(client) } catch { Issue.record("\(error); log: \(await client.errorLog)") }
        let pid = await client.childPID
        await client.close()
        if let pid { #expect(!exists(pid), "nothing is left of the program, not even a zombie") }
    }

    private func exists(_ pid: Int32) -> Bool { FileManager.default.fileExists(atPath: "/proc/\(pid)") }

    @Test func hangingServerTimesOut() async throws {
        var server = Peers.scripted("hang")
        server.timeouts.discover = .milliseconds(50)
        server.timeouts.connect = .milliseconds(200)
        try await withClient(server) { client async throws in
            await expectError(.timeout) { try await client.connect() }
        }
    }

    @Test func floodedLogIsBounded() async throws {
        try await withClient(Peers.scripted("flood")) { client async throws in
            #expect(try await client.callTool("echo", arguments: ["text": "a"]).text == "a")
            let log = await client.errorLog
            #expect(log.utf8.count == 64 << 10)
            #expect(log.hasSuffix("the end"))
        }
    }

    @Test func garbageIsToldAndDropped() async throws {
        var server = Peers.scripted("garbage")
        server.maximumMessageBytes = 1 << 20
        try await withClient(server) { client async throws in
            var events = client.events().makeAsyncIterator()
            #expect(try await client.callTool("echo", arguments: ["text": "a"]).text == "a")
            var violations: [JSONRPCSession.Violation] = []
            var changes = 0
            while violations.count < 10 || changes < 1, let event = await events.next() {
                if case .violation(let violation) = event { violations.append(violation) }
                if case .toolsChanged = event { changes += 1 }
            }
            #expect(violations.contains(.oversized))
            #expect(violations.contains(.unknownAnswer(.integer(999))))
            #expect(violations.contains(.unknownAnswer(nil)))
            #expect(try await client.callTool("twice").text == "first")
            #expect(try await client.callTool("echo", arguments: ["text": "b"]).text == "b")
        }
    }

    @Test func endedServerSaysWhy() async throws {
        try await withClient(Peers.scripted("exit")) { client async throws in
            let error = await expectError(.serverEnded) { try await client.connect() }
            #expect(error?.message.contains("status 7") == true)
            // A shell on the way may have warned of the locale.
            #expect(error?.errorLog?.hasSuffix("bad luck\n") == true)
            #expect(error?.description.contains("bad luck") == false)
        }
    }

    @Test func missingProgramSaysSo() async throws {
        await expectError(.cannotStart) {
            try await MCPClient(.stdio(name: "x", command: "no-such-program-here")).connect()
        }
        await expectError(.cannotStart) { try await MCPClient(.stdio(name: "x", command: "/etc/passwd")).connect() }
        await expectError(.cannotStart) {
            try await MCPClient(.stdio(name: "x", command: "true", directory: "/no/such/place")).connect()
        }
        await expectError(.invalidServer) { try await MCPClient(.stdio(name: "x", command: "")).connect() }
    }

    @Test(arguments: ["closeinput", "closeoutput"]) func deafServerIsEnded(_ behaviour: String) async throws {
        try await withClient(Peers.scripted(behaviour)) { client async throws in
            _ = try? await client.connect()
            let pid = await client.childPID
            await expectError(.serverEnded) {
                // Its output may be closed after the first question was written.
                for _ in 0..<3 { _ = try await client.callTool("echo") }
            }
            if let pid { try await eventually("the program is gone") { !exists(pid) } }
        }
    }

    @Test func stubbornServerIsKilled() async throws {
        let client = MCPClient(Peers.scripted("stubborn"))
        try await client.connect()
        let pid = try #require(await client.childPID)
        await client.close()
        #expect(!exists(pid))
        await expectError(.closed) { try await client.ping() }
    }

    @Test func killedServerIsStartedAgain() async throws {
        try await withClient(Peers.scripted("good")) { client async throws in
            var events = client.events().makeAsyncIterator()
            try await client.connect()
            let first = try #require(await client.childPID)
            // Nobody answers this tool.
            let call = Task { try await client.callTool("nobody") }
            try await eventually("the call waits") { await client.session.pendingIDs.count == 1 }
            kill(first, SIGKILL)
            let error = await expectError(.serverEnded) { _ = try await call.value }
            #expect(error?.message.contains("signal 9") == true)
            let second = try await client.callTool("pid").text
            #expect(second != "\(first)")
            #expect(!exists(first))
            var hasDisconnected = false
            while let event = await events.next() {
                if case .disconnected = event { hasDisconnected = true }
                if hasDisconnected, case .connected = event { break }
            }
        }
    }

    @Test func serverThatEndsAgainAndAgainIsLeftAlone() async throws {
        var server = Peers.scripted("exit")
        server.protocolVersions = [.november2025]
        let clock = steppingClock()
        let client = MCPClient(server, clock: ClientClock(clock), random: SeededGenerator(seed: 1))
        for _ in 0..<RestartPolicy.limit { await expectError(.serverEnded) { try await client.ping() } }
        await expectError(.restartLimit) { try await client.ping() }
        await expectError(.serverEnded) { try await client.connect() }
        await client.close()
    }

    @Test func pickyServerIsShakenHandsWith() async throws {
        try await withClient(Peers.scripted("picky")) { client async throws in
            #expect(try await client.connect().version == .november2025)
        }
    }

    @Test func oldAndStrangeVersions() async throws {
        try await withClient(Peers.scripted("old")) { client async throws in
            #expect(try await client.connect().version == .november2024)
        }
        try await withClient(Peers.scripted("strange")) { client async throws in
            await expectError(.unsupportedVersion) { try await client.connect() }
        }
        var server = Peers.scripted("good")
        server.protocolVersions = [.july2026]
        try await withClient(server) { client async throws in
            await expectError(.unsupportedVersion) { try await client.connect() }
        }
    }

    @Test func grandchildrenEndToo() async throws {
        let client = MCPClient(Peers.scripted("grandchild"))
        try await client.connect()
        let pid = try #require(await client.childPID)
        let children = try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
        let grandchild = try #require(Int32(children.split(separator: " ").first ?? ""))
        #expect(exists(grandchild))
        await client.close()
        // Its zombie is reaped by the system's first process, not by us, and its number may be another's by then: no signal.
        try await eventually("the grandchild is gone") {
            let status = (try? String(contentsOfFile: "/proc/\(grandchild)/status", encoding: .utf8)) ?? "State:\tZ"
            return status.contains("State:\tZ")
        }
    }

    @Test func largeMessagesGoBothWays() async throws {
        try await withClient(Peers.scripted("good")) { client async throws in
            let text = String(repeating: "ä\n\"", count: 100_000)
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await client.callTool("echo", arguments: ["text": .string(text)]).text }
                }
                return try await group.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(answers == Array(repeating: text, count: 8))
        }
    }

    @Test func pagesAreFollowedAndEnd() async throws {
        try await withClient(Peers.scripted("pages")) { client async throws in
            #expect(try await client.tools().map(\.name) == ["tool0", "tool1", "tool2"])
        }
        try await withClient(Peers.scripted("cycle")) { client async throws in
            await expectError(.invalidAnswer) { _ = try await client.tools() }
        }
    }

    @Test func structuredContentIsChecked() async throws {
        try await withClient(Peers.scripted("good")) { client async throws in
            _ = try await client.tools()
            await expectError(.invalidStructuredContent) { _ = try await client.callTool("typed") }
            await expectError(.invalidStructuredContent) {
                _ = try await client.callTool("typed", arguments: ["wrong": true])
            }
        }
    }

    @Test func resultOfAnyShapeIsTyped() async throws {
        try await withClient(Peers.scripted("good")) { client async throws in
            for value: JSONValue in [[], "text", 5, nil, true] {
                await expectError(.invalidAnswer) {
                    _ = try await client.callTool("shape", arguments: ["value": value])
                }
            }
            let values: [JSONValue] = [
                [:], ["content": 5],
                ["content": [5, [:], ["type": "text"], ["type": "image"], ["type": "new", "a": 1]]],
                ["content": [["type": "resource", "resource": ["uri": "a:b"]]], "isError": "yes"],
            ]
            for value in values { _ = try await client.callTool("shape", arguments: ["value": value]) }
        }
    }

    @Test func environmentIsAnAllowlist() async throws {
        setenv("MCP_TEST_SECRET", "secret", 1)
        defer { unsetenv("MCP_TEST_SECRET") }
        var server = Peers.scripted("good")
        guard case .stdio(var command) = server.connection else { return }
        command.environment = ["MCP_GIVEN": "given", "LANG": "C"]
        command.directory = "/usr"
        server.connection = .stdio(command)
        try await withClient(server) { client async throws in
            let text = try await client.callTool("environment").text
            let environment = try JSONValue(parsing: text)
            #expect(environment["MCP_TEST_SECRET"] == nil)
            #expect(environment["MCP_GIVEN"] == "given")
            #expect(environment["LANG"] == "C")
            #expect(environment["PATH"] != nil)
            #expect(environment["here"] == "/usr")
        }
    }

    @Test func requestsOfTheServerAreAnswered() async throws {
        try await withClient(Peers.scripted("good")) { client async throws in
            let methods: JSONValue = ["ping", "sampling/createMessage", "roots/list", "elicitation/create", "x/y"]
            _ = try await client.callTool("ask", arguments: ["methods": methods])
            var replies: [JSONValue] = []
            try await eventually("all are answered") {
                replies = try JSONValue(parsing: try await client.callTool("replies").text).array ?? []
                return replies.count == 5
            }
            func reply(_ id: String) -> JSONValue? { replies.first { $0["id"]?.string == id } }
            #expect(reply("s0")?["result"] == [:])
            #expect(reply("s1")?["error"]?["code"] == -32601)
            #expect(reply("s2")?["error"]?["code"] == -32601)
            #expect(reply("s3")?["result"]?["action"] == "decline")
            #expect(reply("s4")?["error"]?["code"] == -32601)
        }
    }

    @Test func `an elicitation over the limit is refused with an error`() async throws {
        let answers = AsyncStream.makeStream(of: Never.self)
        let client = MCPClient(Peers.scripted("good")) { _ in
            // The person answers once the stream ends.
            for await _ in answers.stream {}
            return .decline
        }
        let methods = JSONValue.array(Array(repeating: "elicitation/create", count: 257) + ["ping"])
        _ = try await client.callTool("ask", arguments: ["methods": methods])
        var replies: [JSONValue] = []
        func areReplies(_ count: Int) async throws -> Bool {
            replies = try JSONValue(parsing: try await client.callTool("replies").text).array ?? []
            return replies.count == count
        }
        try await eventually("the last elicitation and the ping are answered") { try await areReplies(2) }
        let refused = replies.first { $0["id"]?.string == "s256" }
        #expect(refused?["error"]?["message"]?.string?.contains("Too many") == true, "\(replies)")
        #expect(replies.contains { $0["id"]?.string == "s257" && $0["result"] == [:] })
        answers.continuation.finish()
        try await eventually("the open ones are answered") { try await areReplies(258) }
        await client.close()
    }

    @Test func subscriptionsAndLogsComeAsEvents() async throws {
        try await withClient(Peers.scripted("good")) { client async throws in
            var events = client.events().makeAsyncIterator()
            try await client.subscribe(to: "a:b")
            try await client.setLogLevel("info")
            _ = try await client.callTool("touch", arguments: ["uri": "a:b"])
            _ = try await client.callTool("log")
            var seen = 0
            while seen < 2, let event = await events.next() {
                switch event {
                case .resourceUpdated("a:b"): seen += 1
                case .log("warning", "l", "d"): seen += 1
                default: break
                }
            }
            // Both hold over a new connection.
            await expectError(.serverEnded) { _ = try await client.callTool("quit") }
            try await eventually("they are asked for again") {
                try await client.callTool("replies").text.contains("resources/subscribe")
            }
            #expect(try await client.callTool("replies").text.contains("logging/setLevel"))
            try await client.unsubscribe(from: "a:b")
        }
    }

    @Test func progressKeepsARequestAlive() async throws {
        var server = Peers.scripted("good")
        server.timeouts.request = .seconds(5)
        try await withClient(server) { client async throws in
            let lively = try await client.callTool("progress", arguments: ["steps": 24, "seconds": 0.25])
            #expect(lively.text == "done")
            await expectError(.timeout) {
                _ = try await client.callTool("progress", arguments: ["steps": 1, "seconds": 100])
            }
        }
        server.timeouts.longestRequest = .seconds(1)
        try await withClient(server) { client async throws in
            await expectError(.timeout) {
                _ = try await client.callTool("progress", arguments: ["steps": 30, "seconds": 0.25])
            }
        }
    }

    @Test func longMessageIsDropped() async throws {
        var server = Peers.scripted("good")
        server.maximumMessageBytes = 100_000
        server.timeouts.request = .seconds(5)
        try await withClient(server) { client async throws in
            await expectError(.timeout) { _ = try await client.callTool("long", arguments: ["bytes": 200_000]) }
            #expect(try await client.callTool("long", arguments: ["bytes": 50_000]).text.utf8.count == 50_000)
        }
    }
}

extension MCPClient {
    var childPID: Int32? { (current?.transport as? StdioTransport)?.childPID }
}

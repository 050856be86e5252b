// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Testing

@testable import MCP

/// The official Python SDK's server, in every revision of the protocol, over both transports.
@Suite(.enabled(if: Peers.isWanted, Peers.skipped)) struct OfficialServerTests {
    enum Way: String, CaseIterable, Sendable { case stdio, events, json }

    static let versions: [MCPProtocolVersion] = [.june2025, .november2025, .july2026]

    private static func peer(_ way: Way) async throws -> HTTPPeer? {
        switch way {
        case .stdio: nil
        case .events: try await HTTPPeer()
        case .json: try await HTTPPeer("json")
        }
    }

    /// One program a case, since Python takes its time to start.
    @Test(arguments: versions, Way.allCases)
    func isSpokenTo(_ version: MCPProtocolVersion, _ way: Way) async throws {
        let peer = try await Self.peer(way)
        var server = peer?.server ?? Peers.stdio()
        server.protocolVersions = [version]
        let client = MCPClient(server)
        do {
            #expect(try await client.connect().version == version)
            try await checkFeatures(client)
            try await checkConcurrency(client)
            if way != .json {
                try await checkProgress(client)
                try await checkCancellation(client)
                try await checkQuestions(client)
                try await checkChanges(client)
                if version == .july2026 { try await checkOneResource(client) }
            }
        } catch { Issue.record("\(error); log: \(await client.errorLog)") }
        await client.close()
        withExtendedLifetime(peer) {}
    }

    private func checkFeatures(_ client: MCPClient) async throws {
        let information = await client.serverInformation
        #expect(information?.server.name == "fixture")
        #expect(information?.instructions == "Be gentle.")
        let tools = try await client.tools()
        #expect(tools.contains { $0.name == "echo" && $0.description == "Says what it is told." })
        #expect(try await client.callTool("echo", arguments: ["text": "grüß dich"]).text == "grüß dich")
        #expect(try await client.callTool("add", arguments: ["a": 2, "b": 3]).structuredContent?["result"] == 5)
        #expect(try await client.callTool("point").structuredContent == ["x": 1, "y": 2])
        #expect(try await client.callTool("route", arguments: ["region": "süd"]).text == "süd")
        let failure = try await client.callTool("fail")
        #expect(failure.isError && failure.text.contains("no luck"))
        #expect(try await client.resources().map(\.uri) == ["note://hello"])
        #expect(try await client.resourceTemplates().map(\.uriTemplate) == ["note://by/{name}"])
        #expect(try await client.readResource("note://hello").first?.text == "Hello, reader.")
        #expect(try await client.readResource("note://by/you").first?.text == "A note by you.")
        #expect(try await client.prompts().first?.arguments.first?.isRequired == true)
        let prompt = try await client.prompt("greet", arguments: ["name": "Ada"])
        #expect(prompt.messages.first?.content == .text("Say hello to Ada."))
        try await client.ping()
        await expectError(.server) { _ = try await client.readResource("note://nowhere/at/all") }
        await expectError(.server) { _ = try await client.request("no/such/method") }
    }

    private func checkConcurrency(_ client: MCPClient) async throws {
        let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for number in 0..<40 {
                group.addTask {
                    (number, try await client.callTool("echo", arguments: ["text": .string("\(number)")]).text)
                }
            }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        #expect(answers == Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, "\($0)") }))
    }

    private func checkProgress(_ client: MCPClient) async throws {
        let seen = Guarded<[Double]>([])
        let result = try await client.callTool("slow", arguments: ["steps": 5]) { progress in
            seen.withLock { $0.append(progress.value) }
        }
        #expect(result.text == "done")
        #expect(seen.withLock { $0 } == [1, 2, 3, 4, 5])
    }

    private func checkCancellation(_ client: MCPClient) async throws {
        let call = Task { try await client.callTool("hang") }
        try await eventually("the call runs") { try await client.callTool("counts").text == "1 0" }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        try await eventually("the server knows") { try await client.callTool("counts").text == "1 1" }
    }

    private func checkQuestions(_ client: MCPClient) async throws {
        let said = try await client.callTool("ask").text
        #expect(said == "decline")
        do {
            let result = try await client.callTool("sample")
            #expect(result.isError, "\(result)")
        } catch let error as MCPError {
            #expect([.server, .refused].contains(error.code), "\(error)")
        }
        #expect(try await client.callTool("echo", arguments: ["text": "still here"]).text == "still here")
    }

    private func checkChanges(_ client: MCPClient) async throws {
        var events = client.events().makeAsyncIterator()
        try await client.awaitListening()
        _ = try await client.callTool("grow")
        while let event = await events.next() {
            guard case .toolsChanged = event else { continue }
            break
        }
        #expect(try await client.tools().contains { $0.name == "grown" })
    }

    private func checkOneResource(_ client: MCPClient) async throws {
        var events = client.events().makeAsyncIterator()
        try await client.subscribe(to: "note://hello")
        _ = try await client.callTool("touch", arguments: ["uri": "note://hello"])
        while let event = await events.next() {
            guard case .resourceUpdated("note://hello") = event else { continue }
            break
        }
        try await client.unsubscribe(from: "note://hello")
    }

    @Test func answersAndTimesOutOverHTTP() async throws {
        let peer = try await HTTPPeer()
        for version in Self.versions {
            var server = peer.server
            server.protocolVersions = [version]
            let client = MCPClient(server) { question in
                question.message == "What is your name?" ? .accept(["name": "Ada"]) : .cancel
            }
            let said = try await client.callTool("ask").text
            #expect(said == "accept Ada")
            let before = try await client.callTool("counts").text.split(separator: " ").compactMap { Int($0) }
            server.timeouts.request = .milliseconds(300)
            let hasty = MCPClient(server)
            try await hasty.connect()
            await expectError(.timeout) { _ = try await hasty.callTool("hang") }
            try await eventually("the server knows") {
                let counts = try await client.callTool("counts").text.split(separator: " ").compactMap { Int($0) }
                return zip(counts, before).allSatisfy { $0 == $1 + 1 }
            }
            await hasty.close()
            await client.close()
        }
        let client = MCPClient(peer.server)
        #expect(try await client.connect().version == .july2026, "the newest by itself")
        await client.close()
    }

    @Test func answerIsTakenUpAgain() async throws {
        let peer = try await HTTPPeer("store")
        for version in [MCPProtocolVersion.november2025, .june2025] {
            var server = peer.server
            server.protocolVersions = [version]
            let client = MCPClient(server)
            if version == .november2025 {
                #expect(try await client.callTool("drop").text == "resumed")
            }
            #expect(try await client.callTool("echo", arguments: ["text": "a"]).text == "a")
            await client.close()
        }
    }
}

extension MCPClient {
    /// Waits until changes are told: the stateless revision confirms that, the older ones need not be asked.
    func awaitListening() async throws { _ = try await listening?.acknowledged.value() }
}

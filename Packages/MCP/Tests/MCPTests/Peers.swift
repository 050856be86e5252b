// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestKit
import Testing

@testable import MCP

/// The Python interpreters and scripts that the tests talk to.
enum Peers {
    /// Whether what needs the official SDK is left out, because somebody said so. Without it those tests fail.
    static var isWanted: Bool { ProcessInfo.processInfo.environment["NETWORKING_SKIP_PEERS"] == nil }
    static let skipped: Comment = "NETWORKING_SKIP_PEERS is set"

    /// The interpreter of the environment that Scripts/test-peers makes.
    static let python = path("../../../../.venv-peers/bin/python")

    static func path(_ relative: String) -> String {
        var parts = #filePath.split(separator: "/").dropLast().map(String.init)
        for part in relative.split(separator: "/") {
            if part == ".." { parts.removeLast() } else { parts.append(String(part)) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The SDK's server over its standard streams.
    static func stdio(_ name: String = "fixture") -> MCPServer {
        patient(.stdio(name: name, command: python, arguments: [path("Fixtures/server.py"), "stdio"]))
    }

    /// The server, waited for as long as a busy machine may take: no test is about these times.
    static func patient(_ server: MCPServer) -> MCPServer {
        var server = server
        server.timeouts.discover = .seconds(120)
        server.timeouts.connect = .seconds(120)
        server.timeouts.request = .seconds(120)
        return server
    }

    /// A server that is no SDK's, and behaves as the word says.
    static func scripted(_ behaviour: String..., name: String = "scripted") -> MCPServer {
        var server = patient(
            .stdio(name: name, command: "python3", arguments: [path("Fixtures/scripted.py")] + behaviour))
        server.timeouts.shutdown = .milliseconds(300)
        return server
    }
}

/// The SDK's server over HTTP.
final class HTTPPeer: Sendable {
    let port: UInt16
    private let process: ServerProcess

    /// Starts it and waits for its port.
    init(_ options: String...) async throws {
        let command = MCPCommand(Peers.python, arguments: [Peers.path("Fixtures/server.py"), "http"] + options)
        process = try await ServerProcess.start(command, grace: .milliseconds(500))
        var line: [UInt8] = []
        while !line.contains(10), let bytes = await process.read() { line += bytes }
        let text = String(decoding: line.prefix { $0 != 10 }, as: UTF8.self)
        guard let port = UInt16(text) else { throw PeerFailure(log: process.errorLog) }
        self.port = port
    }

    var server: MCPServer { server(port: port) }

    func server(port: UInt16) -> MCPServer {
        // The address is right by construction.
        Peers.patient(.http(name: "fixture", url: URL(string: "http://127.0.0.1:\(port)/mcp") ?? URL(filePath: "/")))
    }

    deinit { process.shutDown() }
}

/// A peer that did not start.
struct PeerFailure: Error {
    let log: String
}

/// A clock on which waits between attempts pass at once, and time-outs do not.
func steppingClock() -> ScriptedClock { ScriptedClock { wait, _ in wait < .seconds(20) } }

/// Waits until something holds, which it does soon or never.
func eventually(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(120)
    while clock.now < end {
        if try await condition() { return }
        try await clock.sleep(for: .milliseconds(5))
    }
    Issue.record("did not come about: \(what)", sourceLocation: sourceLocation)
}

/// Expects an `MCPError` of this code.
@discardableResult
func expectError(
    _ code: MCPError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async -> MCPError? {
    do {
        try await body()
        Issue.record("no error, but expected \(code)", sourceLocation: sourceLocation)
    } catch let error as MCPError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        return error
    } catch {
        Issue.record("expected \(code), got \(error)", sourceLocation: sourceLocation)
    }
    return nil
}

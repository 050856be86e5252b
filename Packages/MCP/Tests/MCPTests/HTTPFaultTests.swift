// SPDX-License-Identifier: MIT

import Concurrency
import Networking
import NetworkingTestSupport
import TestKit
import Testing

@testable import MCP

/// A network that breaks in front of the official server.
@Suite(.enabled(if: Peers.isWanted, Peers.skipped), .timeLimit(.minutes(5))) struct HTTPFaultTests {
    static let faults: [Fault] = [
        Fault(.reset, .beforeResponse), Fault(.close, .beforeResponse), Fault(.reset, .inHeader),
        Fault(.close, .afterHeader), Fault(.reset, .inBody(5)), Fault(.close, .inBody(20)),
        Fault(.garbage(Array("HTTP/1.1 999 no\r\n\r\n".utf8)), .beforeResponse),
        Fault(.garbage(Array(repeating: 0xFF, count: 100)), .inBody(3)),
    ]

    /// Each fault hits one connection; the call on it gets a typed error or its answer, and later calls are well.
    @Test func brokenConnectionsAreErrorsAndNoMore() async throws {
        let peer = try await HTTPPeer()
        for version in [MCPProtocolVersion.november2025, .july2026] {
            for fault in Self.faults {
                for struck in 0...1 {
                    let isStruck = Guarded(false)
                    let proxy = try FaultProxy(upstream: .port(peer.port)) { number in
                        guard number == struck else { return nil }
                        isStruck.withLock { $0 = true }
                        return fault
                    }
                    var server = peer.server(port: proxy.port)
                    server.protocolVersions = [version]
                    server.timeouts.request = .seconds(60)
                    let client = MCPClient(server)
                    var failures = 0
                    for number in 0..<6 {
                        let text = "\(number)"
                        do {
                            let said = try await client.callTool("echo", arguments: ["text": .string(text)]).text
                            #expect(said == text, "\(version) \(fault) \(struck)")
                        } catch let error as MCPError {
                            failures += 1
                            #expect(
                                [.network, .interrupted, .http, .invalidAnswer, .sessionExpired].contains(error.code),
                                "\(version) \(fault) \(struck): \(error)")
                        }
                    }
                    #expect(failures <= 1, "\(version) \(fault) \(struck)")
                    // The stream of the server's messages is opened beside the calls.
                    try await eventually("there is a connection \(struck)") { isStruck.withLock { $0 } }
                    await client.close()
                    proxy.close()
                }
            }
        }
    }

    @Test func stalledAnswerTimesOut() async throws {
        let peer = try await HTTPPeer()
        let proxy = try FaultProxy(upstream: .port(peer.port), fault: Fault(.stall, .inBody(1)))
        var server = peer.server(port: proxy.port)
        server.timeouts.discover = .milliseconds(200)
        server.timeouts.connect = .milliseconds(400)
        let client = MCPClient(server)
        await expectError(.timeout) { try await client.connect() }
        await client.close()
        proxy.close()
    }

    @Test func serverThatIsNotThereSaysSo() async throws {
        var server = try await HTTPPeer().server(port: UInt16(refusingPort))
        server.timeouts.connect = .seconds(5)
        let client = MCPClient(server)
        await expectError(.network) { try await client.connect() }
        await client.close()
    }
}

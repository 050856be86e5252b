// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

/// A large message is never held three times, in either direction. Measured in processes of their own, as the kernel's peak of
/// resident memory, which nothing else in the tests may add to.
@Suite("The memory of large WebSocket messages", .enabled(if: PythonPeer.isWanted, PythonPeer.skipped))
struct WebSocketMemoryTests {
    private static let variable = "NETWORKING_WEBSOCKET_MEMORY"
    private static let size = 20 << 20
    /// Twice the message, which receiving text takes as it becomes a `String`, and three quarters of it for the rest of
    /// the process.
    private static let limit = size / 4 * 11

    enum Direction: String, CaseIterable { case sending, receiving, receivingText }

    @Test(
        .disabled(if: TestChild.isSanitized, "a sanitizer needs memory of its own"), .timeLimit(.minutes(5)),
        arguments: Direction.allCases)
    func `twenty megabytes are not copied twice`(direction: Direction) async throws {
        let child = try TestChild("movesALargeMessageInAChild", environment: [Self.variable: direction.rawValue])
        let growth = try #require(await child.next("growth").flatMap { Int($0) })
        #expect(await child.end() == .exited(0))
        #expect(growth < Self.limit, "\(direction): the peak rose by \(growth >> 10) KB")
        // Else the measure, and not the code, would be what passes.
        #expect(growth >= Self.size / 2, "\(direction): the peak rose by \(growth >> 10) KB")
    }

    /// What the test above measures.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "it is a part of the test above"))
    func movesALargeMessageInAChild() async throws {
        let direction = try #require(Direction(rawValue: ProcessInfo.processInfo.environment[Self.variable] ?? ""))
        let peer = try PythonPeer("websocket_peer.py")
        defer { withExtendedLifetime(peer) {} }
        var transport = CurlTransport.Configuration()
        transport.plainHTTPHosts = ["127.0.0.1"]
        transport.proxy = .none
        var configuration = WebSocketConfiguration()
        configuration.maximumMessageSize = 2 * Self.size
        let url = try #require(URL(string: "ws://127.0.0.1:\(peer.port)/memory"))
        let connection = try await WebSocketConnection.open(
            WebSocketRequest(url), over: CurlTransport(configuration: transport), configuration: configuration)
        // What the first message brings into memory besides itself is not counted.
        try await connection.send("length")
        #expect(try await connection.receive() == .text("6"))

        let before = try Self.peak()
        switch direction {
        case .sending:
            try await connection.send([UInt8](repeating: 7, count: Self.size))
            #expect(try await connection.receive() == .text("\(Self.size)"))
        case .receivingText:
            try await connection.send("text \(Self.size)")
            guard case .text(let text)? = try await connection.receive() else { throw CocoaError(.coderReadCorrupt) }
            #expect(text.utf8.count == Self.size)
        case .receiving:
            try await connection.send("bytes \(Self.size)")
            guard case .binary(let bytes)? = try await connection.receive() else { throw CocoaError(.coderReadCorrupt) }
            #expect(bytes.count == Self.size)
        }
        print("growth \(try Self.peak() - before)")
        await connection.close()
    }

    private static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) << 10
    }
}

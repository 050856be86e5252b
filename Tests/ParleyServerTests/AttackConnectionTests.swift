// SPDX-License-Identifier: MIT

import Foundation
import HTTPServer
import TestKit
import Testing

@testable import ParleyServer

/// The limits against slow, large and ambiguous requests are HTTPServer's, and tested there; here, that parley-server has them.
@Suite(.timeLimit(.minutes(5))) struct AttackConnectionTests {
    @Test func theListenerHasTheLimitsOfItsPackage() throws {
        var options = ServerOptions(home: "/nowhere", mail: .folder("/nowhere"))
        let wanted = HTTPServerConfiguration()
        let configuration = ParleyServer.configuration(options)
        #expect(configuration.headerTimeout == wanted.headerTimeout && wanted.headerTimeout <= .seconds(10))
        #expect(configuration.idleTimeout == wanted.idleTimeout && wanted.idleTimeout <= .seconds(60))
        #expect(configuration.bodyIdleTimeout == wanted.bodyIdleTimeout && wanted.bodyIdleTimeout <= .seconds(20))
        #expect(configuration.writeTimeout == wanted.writeTimeout)
        #expect(configuration.minimumBytesPerSecond == wanted.minimumBytesPerSecond && wanted.minimumBytesPerSecond > 0)
        #expect(configuration.transferGrace == wanted.transferGrace)
        #expect(configuration.maximumHeaderBytes == wanted.maximumHeaderBytes && wanted.maximumHeaderBytes <= 8 << 10)
        #expect(configuration.maximumBodyBytes == wanted.maximumBodyBytes && wanted.maximumBodyBytes <= 1 << 20)
        #expect(configuration.maximumConnections == wanted.maximumConnections)
        #expect(configuration.maximumConnectionsPerAddress == 100)
        // A proxy's connections all come from one address.
        options.proxyCount = 1
        #expect(ParleyServer.configuration(options).maximumConnectionsPerAddress == 0)
    }

    /// Slowloris: headers and bodies that come a byte at a time, more of them than the 100 connections of one address.
    @Test func whoDripsIsCutOffWhileOthersAreServed() async throws {
        let fixture = try await ServerFixture { $0.proxyCount = 1 }
        let port = fixture.port
        let headers = "GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: "
        let body = "POST /otp HTTP/1.1\r\nHost: a\r\nContent-Length: 16000\r\n\r\n{"
        let answers = try await withThrowingTaskGroup(of: [String].self) { group in
            group.addTask { try await Self.drip(headers, connections: 150, port: port) }
            group.addTask { try await Self.drip(body, connections: 150, port: port) }
            for _ in 0..<20 { #expect(try await fixture.get("/healthz").status == 200) }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        // Nobody got an answer to what was never finished.
        #expect(answers.count == 300)
        #expect(answers.allSatisfy { $0.isEmpty || $0.hasPrefix("HTTP/1.1 408 ") }, "\(Set(answers))")
        #expect(try await fixture.get("/healthz").status == 200)
        await fixture.stop()
    }

    /// Sends a beginning on many connections, then a byte now and then, until the server has closed all of them.
    private static func drip(_ text: String, connections count: Int, port: Int) async throws -> [String] {
        try await RawConnection.onThread {
            var waiting = try (0..<count).map { _ in try RawConnection(port: port) }
            for connection in waiting { connection.send(text.utf8) }
            var answers: [String] = []
            while let first = waiting.first {
                // The first one's end is what is waited for; meanwhile all go on.
                _ = first.isReadable(within: 200)
                var open: [RawConnection] = []
                for connection in waiting {
                    if connection.isReadable(within: 0) {
                        answers.append(try connection.readToEnd())
                    } else {
                        connection.send("a".utf8)
                        open.append(connection)
                    }
                }
                waiting = open
            }
            return answers
        }
    }

    /// Of a body of 64 MB that is announced nothing is read; of one that is not, 16 KB. The process's memory says so.
    @Test func largeBodiesAreRefusedInLittleMemory() async throws {
        let home = try TemporaryFolder()
        let server = try ServerProcess(home: home.path)
        let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
        func refuse(_ head: String, _ piece: [UInt8], pieces: Int) async throws {
            let answer = try await RawConnection.onThread {
                let connection = try RawConnection(port: port)
                connection.send("\(head)\r\nHost: a\r\n\r\n".utf8)
                for _ in 0..<pieces where !connection.isReadable(within: 0) {
                    guard connection.send(piece) else { break }
                }
                return try connection.readToEnd()
            }
            #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer.prefix(200))")
        }
        let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 0x10000) + Array("\r\n".utf8)
        let small = [UInt8](repeating: 0x20, count: 0x10000)
        // What the first ones bring into memory for good is not counted.
        for path in ["/otp", "/verify", "/token?grant_type=pkce", "/verify/confirm"] {
            try await refuse("POST \(path) HTTP/1.1\r\nTransfer-Encoding: chunked", chunk, pieces: 16)
        }
        let before = try server.peakMemory
        for path in ["/otp", "/verify", "/token?grant_type=pkce", "/verify/confirm"] {
            try await refuse("POST \(path) HTTP/1.1\r\nContent-Length: \(64 << 20)", small, pieces: 1_024)
            try await refuse("POST \(path) HTTP/1.1\r\nTransfer-Encoding: chunked", chunk, pieces: 1_024)
        }
        let growth = try server.peakMemory - before
        #expect(growth < 8 << 20, "\(growth >> 10) KB")
        #expect(server.stop() == 0)
    }

    /// Where a request ends must be beyond doubt, or what follows it is somebody else's request.
    @Test(arguments: [
        "Content-Length: 27\r\nContent-Length: 0", "Content-Length: 27\r\ncontent-length: 27", "Content-Length: 27, 27",
        "Content-Length: 27\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 27",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "Transfer-Encoding : chunked",
        "Content-Length: +27", "Content-Length: 27\r\nX: a\r\n folded",
    ])
    func ambiguousLengthsAreRefused(_ fields: String) async throws {
        let fixture = try await ServerFixture()
        // Of the two readings one ends here, and the other after 27 bytes.
        let body = fields.contains("chunked") ? "0\r\n\r\n" : #"{"email":"ada@example.org"}"#
        let answer = try await RawConnection.answer(
            to: "POST /otp HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
                + "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", port: fixture.port)
        #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
        // Neither the request that one reading sees nor the one that follows in the other.
        #expect(!answer.contains(" 200 ") && !answer.hasSuffix("ok\n"), "\(answer)")
        #expect(try fixture.mailNames.isEmpty)
        await fixture.stop()
    }
}

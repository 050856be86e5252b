// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

@Suite struct NetGetTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    private static func answer(_ status: String, _ body: String, fields: String = "") -> [UInt8] {
        Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)".utf8)
    }

    @Test func theContentIsTheOutputAndTheLogIsNot() async throws {
        let server = try FaultProxy(upstream: .response(Self.answer("200 OK", "hello\n")), fault: nil)
        defer { server.close() }
        let result = try await parley.run("net", "get", "http://127.0.0.1:\(server.port)/?token=hidden")
        #expect(result.code == 0)
        #expect(result.output == "hello\n")
        #expect(result.errors.contains("200 HTTP/1.1, 6 bytes"))
        #expect(!result.errors.contains("hidden"))
    }

    @Test func aConnectionThatBreaksIsTriedAgainAndEveryAttemptIsInTheArchive() async throws {
        let server = try FaultProxy(upstream: .response(Self.answer("200 OK", "hello"))) { connection in
            connection == 0 ? Fault(.reset, .beforeResponse) : nil
        }
        defer { server.close() }
        let har = parley.path("log.har")
        let url = "http://127.0.0.1:\(server.port)/?api_key=hidden"
        let result = try await parley.run("net", "get", url, "--plain-http", "--har", har, "--json")
        #expect(result.code == 0)
        let exchanges = try #require(result.events.first?["exchanges"] as? [[String: Any]])
        #expect(exchanges.map { $0["status"] as? Int } == [nil, 200])
        #expect(exchanges.first?["error"] as? String == "connectionLost")

        let text = try String(contentsOfFile: har, encoding: .utf8)
        #expect(!text.contains("hidden"))
        let archive = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let log = try #require(archive?["log"] as? [String: Any])
        #expect((log["entries"] as? [Any])?.count == 2)
    }

    @Test func aFailureIsACodeAMessageAndStillAnArchive() async throws {
        let server = try FaultProxy(
            upstream: .response([]), fault: Fault(.garbage(Array("nonsense".utf8)), .beforeResponse))
        defer { server.close() }
        let har = parley.path("log.har")
        let url = "http://127.0.0.1:\(server.port)/"
        let result = try await parley.run("net", "get", url, "--plain-http", "--har", har, "--json")
        #expect(result.code == 5)
        let error = try #require(result.events.last?["error"] as? [String: Any])
        #expect((error["code"] as? String)?.hasPrefix("network.") == true, "\(error)")
        #expect(try String(contentsOfFile: har, encoding: .utf8).contains("\"entries\""))
    }

    @Test func aBadStatusShowsItsContent() async throws {
        let server = try FaultProxy(upstream: .response(Self.answer("404 Not Found", "no such page")), fault: nil)
        defer { server.close() }
        let result = try await parley.run("net", "get", "--plain-http", "http://127.0.0.1:\(server.port)/x")
        #expect(result.code == 5)
        #expect(result.output == "no such page")
    }

    @Test func aFileIsReplacedWholeOrNotAtAll() async throws {
        let broken = Fault(.reset, .inBody(3))
        let server = try FaultProxy(upstream: .response(Self.answer("200 OK", "new content"))) { connection in
            connection == 0 ? broken : nil
        }
        defer { server.close() }
        let file = parley.path("kept")
        try "old".write(toFile: file, atomically: true, encoding: .utf8)
        let words = ["net", "get", "--plain-http", "http://127.0.0.1:\(server.port)/", "-o", file]
        let first = try await parley.start(words).finished()
        #expect(first.code == 5)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
        let second = try await parley.start(words).finished()
        #expect(second.code == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "new content")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: parley.folder).allSatisfy { !$0.contains(".part-") })
    }

    @Test func interruptingEndsTheWait() async throws {
        let server = try FaultProxy(
            upstream: .response(Self.answer("200 OK", "hello")), fault: Fault(.stall, .inBody(2)))
        defer { server.close() }
        let har = parley.path("log.har")
        let words = ["net", "get", "--plain-http", "http://127.0.0.1:\(server.port)/", "--har", har]
        // The first bytes of the content show that it waits for the others.
        let result = try await parley.start(words).interrupted(at: "he")
        #expect(result.code == 130)
        #expect(try String(contentsOfFile: har, encoding: .utf8).contains("\"status\":200"))
    }

    @Test(arguments: [
        (["http://127.0.0.1.example.org:1/"], "--plain-http"), (["example"], "is no address"),
        (["ftp://example.org/"], "is no address"),
        (["https://127.0.0.1:1/", "--pin", "x"], "44 characters"),
        (["https://127.0.0.1:1/", "--timeout", "0"], "whole number"),
    ])
    func whatMakesNoSenseIsRefusedBeforeAnythingIsSent(_ words: [String], _ message: String) async throws {
        let result = try await parley.start(["net", "get"] + words).finished()
        #expect(result.code == 2)
        #expect(result.errors.contains(message), "\(result.errors)")
    }
}

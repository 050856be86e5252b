// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import Testing

@testable import Networking

@Suite("The log as an HTTP archive")
struct HTTPArchiveTests {
    private static let secret = "S3CRET"

    /// A response that takes as long in each phase as the summary says.
    private final class Body: HTTPBodySource {
        let summary: HTTPTransferSummary
        init(_ summary: HTTPTransferSummary) { self.summary = summary }
        func next() async throws -> [UInt8]? { nil }
    }

    private func archive(_ answers: [ScriptedTransport.Answer]) async throws -> [UInt8] {
        let log = NetworkLog()
        let stage = LogTransport(next: ScriptedTransport(answers), log: log)
        let url = try #require(
            URL(string: "https://api.example/path?q=a%20b&token=\(Self.secret)&empty&api_key=\(Self.secret)#part"))
        let headers: HTTPHeaders = [
            "Authorization": "Bearer \(Self.secret)", "Cookie": "sid=\(Self.secret)", "X-Api-Key": Self.secret,
            "Referer": "https://api.example/?code=\(Self.secret)", "Accept": "*/*",
        ]
        for _ in answers { _ = try? await stage.send(HTTPRequest(.get, url, headers: headers)).body.collect() }
        return try log.archive()
    }

    private func answer(_ timings: HTTPTimings, isNew: Bool) -> ScriptedTransport.Answer {
        let summary = HTTPTransferSummary(
            timings: timings, bytesReceived: 5, remoteAddress: "192.0.2.1", isNewConnection: isNew)
        return { request in
            HTTPResponse(
                status: 302,
                headers: [
                    "Set-Cookie": "sid=\(Self.secret)", "Location": "https://api.example/?access_token=\(Self.secret)",
                ], url: request.url, body: HTTPResponseBody(source: Body(summary)))
        }
    }

    private static let whole = HTTPTimings(
        resolved: .milliseconds(10), connected: .milliseconds(30), secured: .milliseconds(70),
        requestStarted: .milliseconds(71), firstByte: .milliseconds(171), total: .milliseconds(300))

    private func timings(_ archive: [UInt8]) throws -> [[String: Double]] {
        let document = try JSONSerialization.jsonObject(with: Data(archive)) as? [String: Any]
        let entries = (document?["log"] as? [String: Any])?["entries"] as? [[String: Any]]
        return try #require(entries).compactMap { $0["timings"] as? [String: Double] }
    }

    @Test func `every kind of exchange keeps the rules and no secret`() async throws {
        var plain = Self.whole
        plain.secured = .zero
        var disordered = Self.whole
        disordered.firstByte = .milliseconds(1)
        let broken = HTTPTimings(resolved: .milliseconds(10), total: .milliseconds(5000))
        let answers: [ScriptedTransport.Answer] = [
            answer(Self.whole, isNew: true), answer(Self.whole, isNew: false), answer(plain, isNew: true),
            answer(disordered, isNew: true), answer(broken, isNew: true), answer(HTTPTimings(), isNew: false),
            { _ in throw NetworkError(code: .connect, message: "no way to https://h/?token=\(Self.secret)") },
            { _ in throw CancellationError() },
        ]
        let archive = try await archive(answers)
        #expect(HTTPArchiveRules(archive).violations == [])
        #expect(try timings(archive).count == answers.count)
        #expect(!String(decoding: archive, as: UTF8.self).contains(Self.secret))
    }

    @Test func `phases are told apart`() async throws {
        let broken = HTTPTimings(resolved: .milliseconds(10), total: .milliseconds(5000))
        let all = try timings(
            await archive([
                answer(Self.whole, isNew: true), answer(Self.whole, isNew: false), answer(broken, isNew: true),
            ]))
        let first = all[0]
        #expect(first["dns"] == 10 && first["connect"] == 60 && first["ssl"] == 40)
        #expect(first["wait"] == 100 && first["receive"] == 129 && (first["blocked"] ?? 0) >= 1)
        #expect(all[1]["dns"] == -1 && all[1]["connect"] == -1 && all[1]["ssl"] == -1)
        // It never got a connection, and that is where the time went.
        #expect(all[2]["connect"] == 4990 && all[2]["wait"] == 0 && all[2]["receive"] == 0)
    }

    @Test func `exchanges with a real server keep the rules`() async throws {
        let server = try NginxServer.shared.get()
        let log = NetworkLog()
        let stage = LogTransport(next: try CurlTransport(configuration: server.configuration), log: log)
        for url in try [
            server.secure("/hello?q=1&token=\(Self.secret)"), server.secure("/hello"), server.secure("/no"),
        ] {
            _ = try await stage.send(HTTPRequest(.get, url)).body.collect()
        }
        let archive = try log.archive()
        #expect(HTTPArchiveRules(archive).violations == [])
        #expect(!String(decoding: archive, as: UTF8.self).contains(Self.secret))
    }

    @Test(arguments: [
        ("\"version\":\"1.2\"", "\"version\":\"1.1\""), ("\"wait\":100", "\"wait\":101"),
        ("\"wait\":100", "\"wait\":-1"),
        ("\"headersSize\":-1", "\"headersSize\":-2"), ("\"cookies\":[]", "\"cookies\":{}"), ("Z\",\"time", "\",\"time"),
        ("\"cache\":{},", ""), ("\"status\":302", "\"status\":\"302\""), ("\"mimeType\":\"\"", "\"mimeType\":0"),
    ])
    func `the rules find what is wrong`(right: String, wrong: String) async throws {
        let archive = String(decoding: try await archive([answer(Self.whole, isNew: true)]), as: UTF8.self)
        let damaged = archive.replacing(right, with: wrong)
        #expect(damaged != archive, "\(right) is not in \(archive)")
        #expect(HTTPArchiveRules(Array(damaged.utf8)).violations != [])
    }
}

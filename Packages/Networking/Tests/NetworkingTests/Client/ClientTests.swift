// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import TestKit
import Testing

struct ClientTests {
    struct Item: Codable, Equatable {
        var name: String
    }

    private func client(_ transport: any HTTPTransport, _ clock: ScriptedClock = ScriptedClock()) -> HTTPClient {
        HTTPClient(transport: transport, clock: skippingClock(clock), random: FixedRandom())
    }

    @Test func sendsAndDecodesJSON() async throws {
        let script = ScriptedTransport(answer(200, [:], #"{"name":"tea"}"#))
        let request = try HTTPRequest(.post, testURL, json: Item(name: "cup"))
        #expect(try await client(script).value(Item.self, for: request) == Item(name: "tea"))
        let sent = try #require(script.requests.first)
        #expect(sent.headers["Content-Type"] == "application/json")
        #expect(sent.headers["Accept"] == "application/json")
        guard case .bytes(let bytes) = sent.body else { return #expect(Bool(false)) }
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"name":"cup"}"#)
        await expectError(.decoding) {
            _ = try await client(ScriptedTransport(answer(200, [:], "[]"))).value(Item.self, for: request)
        }
    }

    @Test func problemDetailsAreInTheError() async throws {
        let body = #"{"type":"https://e/p","title":"No","status":403,"detail":"Not you","instance":7,"balance":3}"#
        let script = ScriptedTransport(answer(403, ["Content-Type": "application/problem+json"], body))
        do {
            _ = try await client(script).bytes(for: HTTPRequest(.get, testURL))
            Issue.record("no error")
        } catch let error as NetworkError {
            #expect(error.code == .status)
            #expect(error.status == 403)
            #expect(error.problem == ProblemDetails(type: "https://e/p", title: "No", status: 403, detail: "Not you"))
        }
    }

    @Test func theErrorHasEveryAttemptAndNoSecret() async throws {
        let url = try #require(URL(string: "https://api.example/?token=S3CRET"))
        do {
            _ = try await client(ScriptedTransport(answer(503))).bytes(for: HTTPRequest(.get, url))
            Issue.record("no error")
        } catch let error as NetworkError {
            #expect(error.attempts.map(\.status) == [503, 503, 503])
            #expect(!"\(error)".contains("S3CRET"))
        }
    }

    @Test func theStagesWorkTogetherOverARealServer() async throws {
        let server = try NginxServer.shared.get()
        let clock = ScriptedClock()
        let log = NetworkLog()
        var configuration = HTTPClient.Configuration()
        configuration.log = log
        configuration.cache = InMemoryCacheStore()
        let client = try HTTPClient(
            transport: CurlTransport(configuration: server.configuration), configuration: configuration,
            clock: skippingClock(clock))
        await expectError(.status) { _ = try await client.bytes(for: HTTPRequest(.get, server.plain("/s503"))) }
        #expect(log.exchanges.map(\.status) == [503, 503, 503])
        #expect(clock.waits.allSatisfy { $0 >= .seconds(1) })
        let first = try await client.send(HTTPRequest(.get, server.plain("/digits")))
        #expect(try await first.body.collect().count == 10)
        var again = try HTTPRequest(.get, server.plain("/digits"))
        again.headers["Cache-Control"] = "no-cache"
        let second = try await client.send(again)
        #expect(second.source == .validated)
        #expect(try await second.body.collect() == Array("0123456789".utf8))
    }

    @Test func aCassetteReplaysWithoutSecrets() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("cassette.json")
        let script = ScriptedTransport([
            answer(200, ["Set-Cookie": "S3CRET"], #"{"access_token":"S3CRET","name":"tea"}"#),
            { HTTPResponse(status: 201, url: $0.url, body: HTTPResponseBody([0xFF, 0, 1])) },
        ])
        let recording = RecordingTransport(recording: script, to: path)
        let url = try #require(URL(string: "https://api.example/?key=S3CRET"))
        let request = HTTPRequest(.get, url, headers: ["Authorization": "S3CRET"])
        for _ in 0..<2 { _ = try await recording.send(request).body.collect() }
        #expect(!(try String(contentsOfFile: path, encoding: .utf8)).contains("S3CRET"))
        let replaying = try RecordingTransport(replaying: path)
        #expect(try await client(replaying).value(Item.self, for: request) == Item(name: "tea"))
        #expect(try await replaying.send(request).body.collect() == [0xFF, 0, 1])
        await expectError(.other) { _ = try await replaying.send(request) }
        await expectError(.file) { _ = try RecordingTransport(replaying: folder.file("none")) }
    }
}

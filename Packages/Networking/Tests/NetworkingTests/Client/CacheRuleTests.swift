// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

@testable import Networking

struct CacheRuleTests {
    private let clock = ScriptedClock()

    private func stage(_ script: ScriptedTransport, staleIfError: Duration = .zero) -> CacheTransport {
        CacheTransport(
            next: script, store: InMemoryCacheStore(), staleIfError: staleIfError, clock: skippingClock(clock))
    }

    private func get(_ stage: any HTTPTransport, _ headers: HTTPHeaders = [:]) async throws -> (
        HTTPResponse.Source, String
    ) {
        let response = try await stage.send(HTTPRequest(.get, testURL, headers: headers))
        return (response.source, String(decoding: try await response.body.collect(), as: UTF8.self))
    }

    @Test func withoutATagTheDateIsTheCondition() async throws {
        let date = "Mon, 13 Nov 2023 22:13:20 GMT"
        let script = ScriptedTransport([
            answer(200, ["Last-Modified": date, "Cache-Control": "max-age=1"], "kept"),
            answer(304, ["X-New": "1", "Cache-Control": "max-age=9"]),
        ])
        let stage = stage(script)
        _ = try await get(stage)
        clock.advance(by: .seconds(2))
        let response = try await stage.send(HTTPRequest(.get, testURL))
        #expect(script.requests.last?.headers["If-Modified-Since"] == date)
        #expect(script.requests.last?.headers.contains(name: "If-None-Match") == false)
        // The 304's fields are the stored answer's from now on.
        #expect(response.source == .validated)
        #expect(response.headers["X-New"] == "1")
        #expect(response.headers["Last-Modified"] == date)
        clock.advance(by: .seconds(3))
        let stored = try await stage.send(HTTPRequest(.get, testURL))
        #expect(stored.headers["Age"] == "3")
        #expect(stored.headers["X-New"] == "1")
    }

    @Test(arguments: [
        ("99999999999999999999", "2147483648"), (String(repeating: "9", count: 400), "2147483648"), ("7", "7"),
        ("inf", "0"), ("nan", "0"), ("-1", "0"), ("1e20", "0"), ("0x10", "0"), ("", "0"),
    ]) func `an age is digits and is at most 2^31 seconds`(_ claimed: String, _ told: String) async throws {
        let headers: HTTPHeaders = ["Cache-Control": "max-age=60, no-cache", "ETag": "\"1\"", "Age": claimed]
        let stage = stage(ScriptedTransport([answer(200, headers, "kept")], fallback: answer(304, headers)))
        _ = try await get(stage)
        let response = try await stage.send(HTTPRequest(.get, testURL))
        #expect(response.source == .validated)
        #expect(response.headers["Age"] == told)
    }

    @Test func theClientsOwnGraceServesOffline() async throws {
        let script = ScriptedTransport(
            [answer(200, ["Cache-Control": "max-age=1"], "kept")], fallback: failure(.resolve))
        let stage = stage(script, staleIfError: .seconds(100))
        _ = try await get(stage)
        clock.advance(by: .seconds(100))
        #expect(try await get(stage) == (.stale, "kept"))
        clock.advance(by: .seconds(2))
        await expectError(.resolve) { _ = try await get(stage) }
    }

    @Test func whatIsNoFaultOfTheNetworkIsNotHidden() async throws {
        for fault in [failure(.certificate), failure(.pin), answer(404, [:], "gone")] {
            let script = ScriptedTransport([answer(200, ["Cache-Control": "max-age=1"], "kept")], fallback: fault)
            let stage = stage(script, staleIfError: .seconds(100))
            _ = try await get(stage)
            clock.advance(by: .seconds(2))
            let result = try? await get(stage)
            #expect(result?.1 != "kept")
        }
    }

    @Test func severalFieldsMakeAVariantAndANewOneReplacesTheOld() async throws {
        let script = ScriptedTransport { request in
            let name = ["A", "B"].map { request.headers[$0] ?? "-" }.joined()
            return HTTPResponse(
                status: 200, headers: [("Vary", "A"), ("Vary", "b, c"), ("Cache-Control", "max-age=60")].headers,
                url: request.url, body: HTTPResponseBody(Array(name.utf8)))
        }
        let stage = stage(script)
        for headers in [["A": "1"], ["A": "1", "B": "2"], ["B": "2"]] as [HTTPHeaders] {
            let first = try await get(stage, headers)
            let second = try await get(stage, headers)
            #expect(first.0 == .network && second.0 == .stored)
            #expect(first.1 == second.1)
        }
        #expect(try await get(stage, ["A": "1", "D": "9"]) == (.stored, "1-"))
        #expect(script.requests.count == 3)
    }

    @Test func aRefusedChangeForgetsNothing() async throws {
        let script = ScriptedTransport { request in
            request.method == .get
                ? HTTPResponse(
                    status: 200, headers: ["Cache-Control": "max-age=60"], url: request.url, body: HTTPResponseBody([1])
                ) : HTTPResponse(status: 403, url: request.url)
        }
        let stage = stage(script)
        _ = try await get(stage)
        _ = try await stage.send(HTTPRequest(.delete, testURL))
        #expect(try await get(stage).0 == .stored)
    }

    @Test func aCallersOwnConditionPassesThrough() async throws {
        let script = ScriptedTransport(
            [answer(200, ["Cache-Control": "max-age=60", "ETag": "\"1\""], "kept")], fallback: answer(304))
        let stage = stage(script)
        _ = try await get(stage)
        let response = try await stage.send(HTTPRequest(.get, testURL, headers: ["If-None-Match": "\"1\""]))
        #expect(response.status == 304)
        #expect(try await stage.send(HTTPRequest(.get, testURL, headers: ["Range": "bytes=0-1"])).status == 304)
    }

    /// A session that a test changes.
    private actor Session: AccessTokenProvider {
        private var current: AccessToken?
        func set(_ name: String?) { current = name.map { AccessToken(value: $0, session: $0) } }
        func token() -> AccessToken? { current }
        func refresh(_ expired: AccessToken) async throws -> AccessToken { expired }
        func replace(_ expired: AccessToken, with fresh: AccessToken) -> Bool { true }
    }

    @Test func oneSessionNeverSeesAnothers() async throws {
        let script = ScriptedTransport { request in
            HTTPResponse(
                status: 200, headers: ["Cache-Control": "private, max-age=60"], url: request.url,
                body: HTTPResponseBody(Array((request.headers["Authorization"] ?? "nobody").utf8)))
        }
        let session = Session()
        var configuration = HTTPClient.Configuration()
        configuration.cache = InMemoryCacheStore()
        configuration.tokens = session
        let client = HTTPClient(transport: script, configuration: configuration, clock: skippingClock(clock))
        for name in ["anna", "bert", nil, "anna"] {
            await session.set(name)
            #expect(try await get(client).1 == (name.map { "Bearer \($0)" } ?? "nobody"))
        }
        #expect(script.requests.count == 3)
    }
}

extension [(String, String)] {
    fileprivate var headers: HTTPHeaders { HTTPHeaders(map { .init(name: $0.0, value: $0.1) }) }
}

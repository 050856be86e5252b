// SPDX-License-Identifier: MIT

import Foundation
import NetworkingTestSupport
import TestKit
import Testing

@testable import Networking

struct CacheTests {
    private let clock = ScriptedClock()
    private let url = testURL

    private func stage(_ script: ScriptedTransport, store: any HTTPCacheStore = InMemoryCacheStore()) -> CacheTransport
    {
        CacheTransport(next: script, store: store, clock: skippingClock(clock))
    }

    private func get(_ stage: CacheTransport, _ headers: HTTPHeaders = [:]) async throws -> (
        HTTPResponse.Source, String
    ) {
        let response = try await stage.send(HTTPRequest(.get, url, headers: headers))
        return (response.source, String(decoding: try await response.body.collect(), as: UTF8.self))
    }

    @Test func aFreshAnswerNeedsNoServerAndAnOldOneIsValidated() async throws {
        let script = ScriptedTransport([
            answer(200, ["Cache-Control": "max-age=60", "ETag": "\"1\""], "one"),
            answer(304, ["Cache-Control": "max-age=10"]), answer(200, ["Cache-Control": "max-age=60"], "two"),
        ])
        let stage = stage(script)
        #expect(try await get(stage) == (.network, "one"))
        clock.advance(by: .seconds(59))
        #expect(try await get(stage) == (.stored, "one"))
        clock.advance(by: .seconds(2))
        #expect(try await get(stage) == (.validated, "one"))
        #expect(script.requests.last?.headers["If-None-Match"] == "\"1\"")
        clock.advance(by: .seconds(9))
        #expect(try await get(stage) == (.stored, "one"))
        clock.advance(by: .seconds(2))
        #expect(try await get(stage) == (.network, "two"))
        #expect(script.requests.count == 3)
    }

    @Test(
        arguments: [
            (["Cache-Control": "no-store, max-age=60"], 2), (["Cache-Control": "no-cache", "ETag": "\"1\""], 2),
            (["Cache-Control": "max-age=60", "Vary": "*"], 2), ([:], 2), (["Cache-Control": "max-age=0"], 2),
            (["Expires": "Tue, 14 Nov 2023 22:14:20 GMT", "Date": "Tue, 14 Nov 2023 22:13:20 GMT"], 1),
            (["Expires": "0"], 2), (["Cache-Control": "max-age=60", "Age": "61"], 2),
            (["Cache-Control": "max-age=60, max-age=5"], 1), (["Cache-Control": "max-age=\"60\""], 1),
            (["Last-Modified": "Mon, 13 Nov 2023 22:13:20 GMT"], 1),
            (["Cache-Control": "private=\"set-cookie, x\", max-age=60"], 1), (["Cache-Control": "max-age=x"], 2),
        ] as [(HTTPHeaders, Int)]) func storesByTheRules(_ headers: HTTPHeaders, _ requests: Int) async throws
    {
        let script = ScriptedTransport(answer(200, headers, "body"))
        let stage = stage(script)
        _ = try await get(stage)
        _ = try await get(stage)
        #expect(script.requests.count == requests)
    }

    @Test func requestsHaveWishesToo() async throws {
        let script = ScriptedTransport(answer(200, ["Cache-Control": "max-age=60"], "body"))
        let stage = stage(script)
        _ = try await get(stage)
        clock.advance(by: .seconds(30))
        #expect(try await get(stage, ["Cache-Control": "no-cache"]).0 == .network)
        clock.advance(by: .seconds(30))
        #expect(try await get(stage, ["Cache-Control": "max-age=10"]).0 == .network)
        clock.advance(by: .seconds(30))
        #expect(try await get(stage, ["Cache-Control": "min-fresh=40"]).0 == .network)
        #expect(try await get(stage, ["Cache-Control": "only-if-cached"]).0 == .stored)
        clock.advance(by: .seconds(70))
        #expect(try await get(stage, ["Cache-Control": "max-stale=20"]).0 == .stored)
        let other = try #require(URL(string: "https://api.example/other"))
        var request = HTTPRequest(.get, other)
        request.options.caching = .onlyIfCached
        await expectError(.notCached) { [request] in _ = try await stage.send(request) }
        request.options.caching = .none
        _ = try await stage.send(request).body.collect()
        request.options.caching = .reload
        #expect(try await stage.send(request).source == .network)
    }

    @Test func variantsAreKeptApart() async throws {
        let script = ScriptedTransport { request in
            let language = request.headers["Accept-Language"] ?? "none"
            return HTTPResponse(
                status: 200, headers: ["Cache-Control": "max-age=60", "Vary": "accept-language"], url: request.url,
                body: HTTPResponseBody(Array(language.utf8)))
        }
        let stage = stage(script)
        for _ in 0..<2 {
            #expect(try await get(stage, ["Accept-Language": "de"]).1 == "de")
            #expect(try await get(stage, ["Accept-Language": "en"]).1 == "en")
            #expect(try await get(stage).1 == "none")
        }
        #expect(script.requests.count == 3)
    }

    @Test func offlineTheOldAnswerServes() async throws {
        let script = ScriptedTransport(
            [
                answer(200, ["Cache-Control": "max-age=1, stale-if-error=100"], "kept"), failure(.connect), answer(503),
            ], fallback: failure(.connect))
        let stage = stage(script)
        _ = try await get(stage)
        clock.advance(by: .seconds(50))
        #expect(try await get(stage) == (.stale, "kept"))
        #expect(try await get(stage) == (.stale, "kept"))
        clock.advance(by: .seconds(60))
        await expectError(.connect) { _ = try await get(stage) }
        let strict = self.stage(
            ScriptedTransport(
                [answer(200, ["Cache-Control": "max-age=1, must-revalidate, stale-if-error=100"], "x")],
                fallback: failure(.connect)))
        _ = try await get(strict)
        clock.advance(by: .seconds(50))
        await expectError(.connect) { _ = try await get(strict) }
    }

    @Test func aChangeForgetsWhatWasStored() async throws {
        let script = ScriptedTransport(answer(200, ["Cache-Control": "max-age=60"], "body"))
        let stage = stage(script)
        _ = try await get(stage)
        _ = try await stage.send(HTTPRequest(.put, url, body: .text("new"))).body.collect()
        #expect(try await get(stage).0 == .network)
    }

    @Test func aBodyThatWasNotReadToItsEndIsNotStored() async throws {
        let script = ScriptedTransport(answer(200, ["Cache-Control": "max-age=60"], "body"))
        let stage = stage(script)
        _ = try await stage.send(HTTPRequest(.get, url))
        #expect(try await get(stage).0 == .network)
    }

    // MARK: Stores

    private func entry(_ body: String, size: Int = 0) -> CachedResponse {
        CachedResponse(
            status: 200, headers: ["ETag": "\"1\"", "X": "ä"], url: url, varying: ["accept": nil, "x": "y"],
            requested: testDate, responded: testDate + 1, body: Array(body.utf8) + [UInt8](repeating: 1, count: size))
    }

    @Test func theStoreKeepsTheContract() async {
        let store = InMemoryCacheStore(maximumBytes: 100_000)
        #expect(await store.variants(for: "a").isEmpty)
        await store.store([entry("1"), entry("2")], for: "a")
        #expect(await store.variants(for: "a") == [entry("1"), entry("2")])
        await store.store([entry("3")], for: "a")
        #expect(await store.variants(for: "a") == [entry("3")])
        await store.remove("a")
        #expect(await store.variants(for: "a").isEmpty)
        for number in 0..<10 {
            await store.store([entry("n", size: 20_000)], for: "\(number)")
            _ = await store.variants(for: "0")
        }
        // What was used last stays.
        #expect(await store.variants(for: "0").count == 1)
        #expect(await store.variants(for: "9").count == 1)
        #expect(await store.variants(for: "2").isEmpty)
        await store.store([entry("big", size: 200_000)], for: "0")
        #expect(await store.variants(for: "0").isEmpty)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { await store.store([entry("\(number)")], for: "\(number % 5)") }
            }
        }
        #expect(await store.variants(for: "3").count == 1)
        await store.removeAll()
        #expect(await store.variants(for: "3").isEmpty)
    }
}

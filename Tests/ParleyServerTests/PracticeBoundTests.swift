// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import DataLayer
import Domain
import Foundation
import Networking
import PracticeWire
import TestKit
import Testing

@testable import ParleyServer

/// The limits of an account's results: the bytes of one answer, and those on the disk.
@Suite(.timeLimit(.minutes(5))) struct PracticeBoundTests {
    private func result(_ number: Int, words: Int, text: String = "word") throws -> PracticeResult {
        var evaluation = Evaluation(
            source: .device, words: Array(repeating: JudgedWord(text: text, verdict: .right), count: words),
            speechDuration: 1, wordsPerMinute: 100, pauses: [], loudness: -23, truePeak: -1, clippedShare: 0,
            noiseLevel: -60, signalToNoise: 30)
        evaluation.source = .device
        return PracticeResult(
            id: Identifier(), cue: StarterCues.all[0].id, cueText: "number \(number)",
            language: try #require(LanguageTag("en")),
            recording: nil, practisedAt: Date(timeIntervalSince1970: 1_767_225_600 + Double(number)),
            day: try #require(CalendarDate("2026-01-01")), rating: .good, evaluation: evaluation)
    }

    private func put(_ result: PracticeResult, _ fixture: ServerFixture, _ person: Person) async throws -> Answer {
        let json = String(decoding: try WireJSON.encode(PracticeResultDTO(result)), as: UTF8.self)
        return try await fixture.call(.put, "/practice/\(result.id)", as: person, json: json)
    }

    @Test func `a page has a limit of bytes and the next goes on`() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let results = try (0..<40).map { try result($0, words: 1_600) }
        for result in results { #expect(try await put(result, fixture, ada).status == 201) }
        for path in ["/practice", "/changes"] {
            var (found, next, pages) = (Set<String>(), String?.none, 0)
            repeat {
                let answer = try await fixture.call(
                    .get, "\(path)?limit=200" + (next.map { "&after=\($0)" } ?? ""), as: ada)
                #expect(answer.status == 200 && answer.body.count < 2 << 20, "\(answer.body.count)")
                if path == "/practice" {
                    let page: PracticePageDTO = try decoded(answer)
                    found.formUnion(try page.page().results.map(\.id.description))
                    next = page.next
                } else {
                    let page: PracticeChangesDTO = try decoded(answer)
                    found.formUnion(try page.changes().results.map(\.id.description))
                    next = page.hasMore ? page.next : nil
                }
                pages += 1
            } while next != nil && pages < 10
            #expect(found.count == 40 && pages == 3, "\(path): \(found.count) on \(pages) pages")
        }
        #expect(try await fixture.call(.get, "/account/export", as: ada).status == 200)
        await fixture.stop()
    }

    @Test func `a result in a batch has at most 64 KiB`() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let batch = [try result(1, words: 1), try result(2, words: 3_000)]
        let json = String(decoding: try WireJSON.encode(PracticeBatchDTO(batch)), as: UTF8.self)
        let answer = try await fixture.call(.post, "/practice", as: ada, json: json)
        #expect(answer.status == 422 && text(answer).contains("items.1"), "\(text(answer))")
        #expect(try await text(fixture.call(.get, "/practice", as: ada)) == #"{"items":[],"next":null}"#)
        await fixture.stop()
    }

    @Test func `the bytes of an account's results have a limit`() async throws {
        let fixture = try await ServerFixture { $0.maximumResultBytes = 100_000 }
        let ada = try await fixture.signIn("ada@example.org")
        let results = try (0..<3).map { try result($0, words: 1_000) }
        #expect(try await put(results[0], fixture, ada).status == 201)
        #expect(try await put(results[1], fixture, ada).status == 201)
        let refused = try await put(results[2], fixture, ada)
        #expect(refused.status == 413 && text(refused).contains("limit_reached"))
        #expect(try await fixture.call(.delete, "/practice/\(results[0].id)", as: ada).status == 204)
        #expect(try await put(results[2], fixture, ada).status == 201)
        await fixture.stop()
    }

    @Test func `of many deletions the newest are remembered`() async throws {
        let fixture = try await ServerFixture { $0.rememberedDeletions = 5 }
        let ada = try await fixture.signIn("ada@example.org")
        let results = try (0..<12).map { try result($0, words: 1) }
        for result in results {
            #expect(try await put(result, fixture, ada).status == 201)
            #expect(try await fixture.call(.delete, "/practice/\(result.id)", as: ada).status == 204)
        }
        let changes: PracticeChangesDTO = try decoded(await fixture.call(.get, "/changes", as: ada))
        #expect(changes.deleted == results.suffix(5).map(\.id.description))
        // What is remembered as deleted stays deleted.
        #expect(try await put(results[11], fixture, ada).status == 200)
        #expect(try await fixture.call(.get, "/practice/\(results[11].id)", as: ada).status == 404)
        await fixture.stop()
    }

    @Test func `an account's calls have a limit`() async throws {
        let time = VirtualAuthClock()
        let fixture = try await ServerFixture {
            // With the look at /user, as signing in takes.
            $0.callsPerAccountAndMinute = 6
            $0.monotonicClock = time.clock
        }
        let (ada, bob) = (try await fixture.signIn("ada@example.org"), try await fixture.signIn("bob@example.org"))
        for _ in 0..<5 { #expect(try await fixture.call(.get, "/rpc/me", as: ada).status == 200) }
        let refused = try await fixture.call(.get, "/practice", as: ada)
        #expect(refused.status == 429 && refused.headers["Retry-After"] == "10", "\(text(refused))")
        #expect(try await fixture.call(.get, "/rpc/me", as: bob).status == 200)
        time.advance(by: .seconds(10))
        #expect(try await fixture.call(.get, "/rpc/me", as: ada).status == 200)
        let counted: [(HTTPMethod, String)] = [
            (.get, "/rpc/me"), (.get, "/user"), (.get, "/sessions"), (.delete, "/account"),
        ]
        for (method, path) in counted {
            #expect(try await fixture.call(method, path, as: ada).status == 429, "\(path)")
        }
        // Who stole the token must not keep the owner from ending the session by calling often.
        #expect(try await fixture.call(.post, "/logout", as: ada).status == 204)
        await fixture.stop()
    }

    /// The device has seen more than the backup has; what comes after the backup was put back gets higher numbers.
    @Test func `a restored backup loses no later change`() async throws {
        let home = try TemporaryFolder()
        func makeFixture(_ seconds: Int64) async throws -> ServerFixture {
            try await ServerFixture(home: home) { options in
                options.publicAddress = "http://127.0.0.1:1"
                let start = options.clock.now()
                options.clock = AuthClock { start + .seconds(seconds) }
            }
        }
        var fixture = try await makeFixture(0)
        let ada = try await fixture.signIn("ada@example.org")
        #expect(try await put(result(0, words: 1), fixture, ada).status == 201)
        await fixture.stop()
        let file = home.path + "/practice.sqlite"
        try FileManager.default.copyItem(atPath: file, toPath: file + ".backup")
        fixture = try await makeFixture(10)
        for number in 1...3 { #expect(try await put(result(number, words: 1), fixture, ada).status == 201) }
        let seen: PracticeChangesDTO = try decoded(await fixture.call(.get, "/changes", as: ada))
        await fixture.stop()
        for name in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + name) }
        try FileManager.default.copyItem(atPath: file + ".backup", toPath: file)
        fixture = try await makeFixture(20)
        let later = try (4...9).map { try result($0, words: 1) }
        for result in later { #expect(try await put(result, fixture, ada).status == 201) }
        let news: PracticeChangesDTO = try decoded(
            await fixture.call(.get, "/changes?after=\(seen.next)", as: ada))
        #expect(try news.changes().results.map(\.id) == later.map(\.id))
        await fixture.stop()
    }
}

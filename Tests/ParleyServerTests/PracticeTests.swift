// SPDX-License-Identifier: MIT

import Domain
import Foundation
import Networking
import ParleyServer
import PracticeWire
import Testing

@Suite(.timeLimit(.minutes(5))) struct PracticeTests {
    private let fixture: ServerFixture
    private let ada: Person

    init() async throws {
        fixture = try await ServerFixture()
        ada = try await fixture.signIn("ada@example.org")
    }

    private func result(
        _ second: Int, rating: ReviewRating = .good, cue: Identifier<Cue> = .init(), language: String = "en",
        id: Identifier<PracticeResult> = .init()
    ) throws -> PracticeResult {
        PracticeResult(
            id: id, cue: cue, cueText: "Sentence \(second) \u{1F600} \"<&>",
            language: try #require(LanguageTag(language)),
            practisedAt: Date(timeIntervalSince1970: 1_769_860_800 + Double(second)),
            day: try #require(CalendarDate("2026-01-\(second < 10 ? "0" : "")\(second)")), rating: rating)
    }

    private func put(_ result: PracticeResult, at id: Identifier<PracticeResult>? = nil) async throws -> Answer {
        let json = String(decoding: try WireJSON.encode(PracticeResultDTO(result)), as: UTF8.self)
        return try await fixture.call(.put, "/practice/\(id ?? result.id)", as: ada, json: json)
    }

    private func post(_ results: [PracticeResult]) async throws -> Answer {
        let json = String(decoding: try WireJSON.encode(PracticeBatchDTO(results)), as: UTF8.self)
        return try await fixture.call(.post, "/practice", as: ada, json: json)
    }

    private func page(_ query: String) async throws -> PracticePage {
        let item: PracticePageDTO = try decoded(await fixture.call(.get, "/practice?" + query, as: ada))
        return try item.page()
    }

    @Test func whatComesFirstStays() async throws {
        let first = try result(1)
        let made = try await put(first)
        #expect(made.status == 201)
        let item: PracticeResultDTO = try decoded(made)
        #expect(try item.result() == first)
        let other = try result(2, rating: .again, id: first.id)
        let again = try await put(other)
        #expect(again.status == 200)
        let kept: PracticeResultDTO = try decoded(again)
        #expect(try kept.result() == first)
        #expect(try await post([other, result(3)]).status == 204)
        #expect(try await page("").results.map(\.cueText) == [result(3).cueText, first.cueText])
        #expect(try await put(first, at: .init()).status == 422)
        #expect(try await fixture.call(.delete, "/practice/\(first.id)", as: ada).status == 204)
        #expect(try await fixture.call(.delete, "/practice/\(first.id)", as: ada).status == 404)
        #expect(try await fixture.call(.get, "/practice/\(first.id)", as: ada).status == 404)
        await fixture.stop()
    }

    @Test func aBatchIsStoredAsAWholeOrNotAtAll() async throws {
        let good = try (1...3).map { try result($0) }
        var batch = PracticeBatchDTO(good)
        batch.items[2].rating = 5
        let json = String(decoding: try WireJSON.encode(batch), as: UTF8.self)
        let refused = try await fixture.call(.post, "/practice", as: ada, json: json)
        #expect(refused.status == 422 && text(refused).contains("items.2.rating"))
        #expect(try await page("").results.isEmpty)
        #expect(try await post(good).status == 204)
        #expect(try await page("").results.count == 3)
        #expect(try await post(Array(repeating: result(4), count: 200)).status == 204)
        #expect(try await post(Array(repeating: result(5), count: 201)).status == 422)
        for json in ["", "{", "[]", "{}", #"{"items":{}}"#, #"{"items":[{}]}"#, "null"] {
            #expect(try await fixture.call(.post, "/practice", as: ada, json: json).status == 400, "\(json)")
        }
        let long = try await fixture.call(.post, "/practice", as: ada, json: String(repeating: " ", count: 2 << 20))
        #expect(long.status == 413)
        await fixture.stop()
    }

    @Test func anAccountHasAsManyResultsAsItMayHave() async throws {
        await fixture.stop()
        let fixture = try await ServerFixture { $0.maximumResults = 3 }
        let (ada, bob) = (try await fixture.signIn("ada@example.org"), try await fixture.signIn("bob@example.org"))
        func put(_ result: PracticeResult, as person: Person) async throws -> Answer {
            let json = String(decoding: try WireJSON.encode(PracticeResultDTO(result)), as: UTF8.self)
            return try await fixture.call(.put, "/practice/\(result.id)", as: person, json: json)
        }
        func post(_ results: [PracticeResult]) async throws -> Answer {
            let json = String(decoding: try WireJSON.encode(PracticeBatchDTO(results)), as: UTF8.self)
            return try await fixture.call(.post, "/practice", as: ada, json: json)
        }
        let results = try (1...5).map { try result($0) }
        #expect(try await post(Array(results.prefix(2))).status == 204)
        // All or none.
        let refused = try await post(Array(results.suffix(3)))
        #expect(refused.status == 413 && refused.headers["Content-Type"] == "application/problem+json")
        #expect(text(refused).contains(#""error_code":"limit_reached""#) && text(refused).contains("Delete some"))
        #expect(try await put(results[2], as: ada).status == 201)
        #expect(try await put(results[3], as: ada).status == 413)
        // What is there may be sent again, also with all the others.
        #expect(try await put(results[0], as: ada).status == 200)
        #expect(try await post(Array(results.prefix(3))).status == 204)
        #expect(try await put(results[3], as: bob).status == 201, "another account's limit is its own")
        #expect(try await fixture.call(.delete, "/practice/\(results[0].id)", as: ada).status == 204)
        #expect(try await put(results[3], as: ada).status == 201)
        await fixture.stop()
    }

    @Test func pagesStayRightWhileResultsComeAndGo() async throws {
        let results = try (10..<20).map { try result($0) }
        #expect(try await post(results).status == 204)
        var listed: [PracticeResult] = []
        var next: PracticeCursor?
        repeat {
            let more = try await page("limit=3" + (next.map { "&after=\($0)" } ?? ""))
            listed += more.results
            next = more.next
            // Newer ones, and the one that the next page begins after goes.
            #expect(try await put(result(20 + listed.count % 8)).status == 201)
            if let last = more.results.last {
                #expect(try await fixture.call(.delete, "/practice/\(last.id)", as: ada).status == 204)
            }
        } while next != nil
        #expect(listed == results.reversed())
        await fixture.stop()
    }

    @Test func filtersNarrowTheList() async throws {
        let cue = Identifier<Cue>()
        let results = [
            try result(1, rating: .again), try result(2, rating: .hard, cue: cue), try result(3, language: "pt-BR"),
            try result(4, rating: .easy, language: "pt"),
        ]
        #expect(try await post(results).status == 204)
        for (query, expected) in [
            ("cue=\(cue)", [1]), ("language=pt", [3, 2]), ("language=pt-BR", [2]), ("rating=1&rating=4", [3, 0]),
            ("since=2026-01-02&until=2026-01-03", [2, 1]), ("rating=3&language=en", []), ("limit=1", [3]),
        ] {
            #expect(try await page(query).results == expected.map { results[$0] }, "\(query)")
        }
        for query in ["rating=0", "rating=x", "since=2026-02-30", "until=x", "cue=x", "after=x", "limit=0"] {
            #expect(try await fixture.call(.get, "/practice?\(query)", as: ada).status == 400, "\(query)")
        }
        await fixture.stop()
    }
}

// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import Foundation
import Networking
import PracticeWire
import TestKit
import Testing

@testable import ParleyServer

@Suite(.timeLimit(.minutes(5))) struct CueTests {
    private let home: TemporaryFolder
    private let fixture: ServerFixture
    private let ada: Person

    init() async throws {
        home = try TemporaryFolder()
        fixture = try await ServerFixture(home: home)
        ada = try await fixture.signIn("ada@example.org")
    }

    private func page(_ query: String, headers: HTTPHeaders = [:]) async throws -> (cues: [Cue], next: CueCursor?) {
        let answer = try await fixture.call(.get, "/cues?" + query, as: ada, headers: headers)
        try #require(answer.status == 200, "\(query): \(text(answer))")
        let item: CuePageDTO = try decoded(answer)
        let page = try item.page()
        #expect(page.skipped.isEmpty)
        return (page.cues, page.next)
    }

    private func all(_ query: String, between: (Int) async throws -> Void = { _ in }) async throws -> [Cue] {
        var (cues, next) = try await page(query)
        var number = 0
        while let place = next {
            try await between(number)
            number += 1
            let more = try await page(query + "&after=\(place)")
            cues += more.cues
            next = more.next
        }
        return cues
    }

    @Test func aNewCatalogueHasTheStarterCues() async throws {
        // A line of the table that is not what it should be would be missing.
        #expect(StarterCues.all.count == 180 && Set(StarterCues.all.map(\.id)).count == 180)
        #expect(Set(StarterCues.all.map(\.language.description)) == ["en", "de", "es", "fr", "it", "ja"])
        let topics = Dictionary(grouping: StarterCues.all) { "\($0.language) \($0.topic)" }
        #expect(topics.count == 36 && topics.values.allSatisfy { $0.count == 5 })
        #expect(Set(StarterCues.all.map(\.level)) == Set(Cue.levels))
        #expect(try await all("limit=50") == StarterCues.all)
        let one = StarterCues.all[7]
        let item: CueDTO = try decoded(await fixture.call(.get, "/cues/\(one.id)", as: ada))
        #expect(try item.cue() == one)
        for name in [UUID().uuidString, "x", "5c0e5c0e"] {
            #expect(try await fixture.call(.get, "/cues/\(name)", as: ada).status == 404)
        }
        await fixture.stop()
    }

    @Test func aListIsNarrowedMixedAndRevalidated() async throws {
        let german = try await page("language=de&topic=travel&limit=200").cues
        #expect(german.count == 5 && german.allSatisfy { $0.language.description == "de" && $0.topic == "travel" })
        #expect(try await page("q=BAHNHOF").cues.map(\.text) == ["Wo ist bitte der Bahnhof?"])
        #expect(try await page("q=%22%20OR%201").cues.isEmpty)
        let mixed = try await all("order=shuffled&seed=18446744073709551615&limit=70")
        #expect(Set(mixed) == Set(StarterCues.all) && mixed != StarterCues.all)
        let first = try await fixture.call(.get, "/cues?limit=3", as: ada)
        let tag = try #require(first.headers["ETag"])
        #expect(tag.hasPrefix("\"") && first.headers["Cache-Control"] == "private, no-cache")
        let again = try await fixture.call(.get, "/cues?limit=3", as: ada, headers: ["If-None-Match": tag])
        #expect(again.status == 304 && again.body.isEmpty && again.headers["ETag"] == tag)
        let catalogue = try await CueCatalogue(home: home.path)
        #expect(try await catalogue.remove(StarterCues.all[0].id.description))
        let changed = try await fixture.call(.get, "/cues?limit=3", as: ada, headers: ["If-None-Match": tag])
        #expect(changed.status == 200 && changed.headers["ETag"] != tag)
        await catalogue.close()
        for query in [
            "limit=0", "limit=201", "limit=1.5", "level=7", "level=x", "order=random", "order=shuffled",
            "order=shuffled&seed=-1", "after=x", "language=1", "q=" + String(repeating: "a", count: 501),
        ] {
            let answer = try await fixture.call(.get, "/cues?\(query)", as: ada)
            #expect(answer.status == 400 && answer.headers["Content-Type"] == "application/problem+json", "\(query)")
        }
        await fixture.stop()
    }

    @Test func pagesStayRightWhileCuesComeAndGo() async throws {
        let catalogue = try await CueCatalogue(home: home.path)
        for query in ["limit=20", "limit=20&order=shuffled&seed=5"] {
            let listed = try await all(query) { number in
                let line = #"{"text":"New \#(number) \#(query)","language":"en","topic":"x","level":1"#
                _ = try await catalogue.add(jsonLines: line + #","created_at":"2025-01-01T00:00:00Z"}"#)
                _ = try await catalogue.add(jsonLines: line + #","created_at":"2027-01-01T00:00:00Z"}"#)
            }
            #expect(Set(listed.map(\.id)).count == listed.count, "listed twice")
            #expect(Set(listed).isSuperset(of: StarterCues.all), "lost")
        }
        await catalogue.close()
        await fixture.stop()
    }

    @Test func tenThousandCuesAreListedPageByPage() async throws {
        let catalogue = try await CueCatalogue(home: home.path)
        let lines = (0..<10_000).map { number in
            #"{"text":"Number \#(number)","language":"en-GB","topic":"many","level":1,"#
                + #""created_at":"2026-02-01T00:00:00.000Z"}"#
        }
        #expect(try await catalogue.add(jsonLines: lines.joined(separator: "\n")) == 10_000)
        for query in ["topic=many&limit=200", "topic=many&order=shuffled&seed=3&limit=200"] {
            let listed = try await all(query)
            #expect(listed.count == 10_000 && Set(listed.map(\.text)).count == 10_000)
        }
        await catalogue.close()
        await fixture.stop()
    }

    @Test func anOperatorsCommandsReachARunningServer() async throws {
        let file = home.path + "/cues.jsonl"
        func cues(_ words: String...) throws -> (output: String, code: Int32) {
            let run = try ServerProcess.run(["cues"] + words + ["--home", home.path])
            return (run.output, run.code)
        }
        try Data(#"{"text":"Grüezi!","language":"de-CH","topic":"greetings","level":1}"#.utf8)
            .write(to: URL(filePath: file))
        #expect(try cues("import", file) == ("1 cues\n", 0))
        let added = try #require(try await page("language=de-CH").cues.first)
        let listed = try cues("list").output.split(separator: "\n")
        let names = try listed.map { try WireJSON.decode(CueDTO.self, from: $0.utf8).id }
        #expect(names.count == 181 && Set(names).count == 181 && names.contains(added.id.description))
        #expect(try cues("remove", added.id.description) == ("", 0))
        #expect(try await page("language=de-CH").cues.isEmpty)
        #expect(try cues("remove", added.id.description).code == 3)
        for words in [["cues", "import"], ["cues", "list", "x"], ["cues", "list", "--home"]] {
            #expect(try ServerProcess.run(words).code == 2, "\(words)")
        }
        try Data("{".utf8).write(to: URL(filePath: file))
        #expect(try cues("import", file) == ("", 6))
        #expect(try cues("import", home.path + "/nothing").code == 2)
        await fixture.stop()
    }

    @Test func anOperatorAddsAllOrNothing() async throws {
        let catalogue = try await CueCatalogue(home: home.path)
        let good = #"{"text":"Guete Morge!","language":"de-CH","topic":"greetings","level":2,"hint":""}"#
        let bad = [
            #"{"text":" ","language":"de","topic":"x","level":1}"#,
            #"{"text":"a","language":"de","topic":"x","level":9}"#,
            #"{"text":"a","language":"?","topic":"x","level":1}"#, "[]", #"{"id":"x"}"#,
        ]
        do {
            _ = try await catalogue.add(jsonLines: ([good] + bad).joined(separator: "\n"))
            Issue.record("bad lines were taken")
        } catch let error as CueImportError {
            let expected = (2...6).map { "line \($0):" }
            #expect(error.problems.map { String($0.prefix(7)) } == expected)
        }
        #expect(try await page("language=de-CH").cues.isEmpty)
        for _ in 0..<2 { #expect(try await catalogue.add(jsonLines: good + "\n\n") == 1) }
        let added = try await page("language=de-CH").cues
        #expect(added.map(\.text) == ["Guete Morge!"] && added[0].hint == nil)
        #expect(try await catalogue.remove(added[0].id.description))
        #expect(try await !catalogue.remove(added[0].id.description))
        #expect(try await !catalogue.remove("x"))
        await catalogue.close()
        await fixture.stop()
    }
}

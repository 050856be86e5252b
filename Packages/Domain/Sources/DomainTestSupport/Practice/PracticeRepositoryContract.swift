// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// The contract of ``PracticeRepository``, checked on an empty repository.
public enum PracticeRepositoryContract {
    /// Every promise.
    public static let checks: [ContractCheck<any PracticeRepository>] = [
        .init("nothing is there at first") { repository in
            let page = try await repository.page(PracticeQuery(), after: nil)
            try require(page.results.isEmpty && page.next == nil, "results out of nothing")
            try await require(repository.result(.init()) == nil, "found what never was")
            try await require(!repository.delete(.init()), "deleted what never was")
        },
        .init("a result is read back unchanged") { repository in
            let results = [
                try PracticeSamples.result(
                    at: 1_700_000_000.123, evaluation: PracticeSamples.evaluation(), recording: .init()),
                try PracticeSamples.result(day: "2024-02-29", language: "zh-Hant-TW", rating: .again),
                try PracticeSamples.result(evaluation: PracticeSamples.bareEvaluation),
            ]
            try await repository.store(results)
            for result in results {
                try await require(repository.result(result.id) == result, "\(result) changed")
            }
            try await require(Set(all(repository, PracticeQuery())) == Set(results), "the list differs")
        },
        .init("a result stored twice is there once, as it was first") { repository in
            let first = try PracticeSamples.result(rating: .easy)
            try await repository.store([first])
            try await repository.store([try PracticeSamples.result(at: 9, rating: .again, id: first.id), first])
            try await require(all(repository, PracticeQuery()) == [first], "overwritten or doubled")
        },
        .init("pages hold each result once, the newest first") { repository in
            let results = try (0..<17).map { try PracticeSamples.result(at: 1_700_000_000 + Double($0 / 2)) }
            try await repository.store(results)
            let sorted = results.sorted { ($0.practisedAt, $0.id) > ($1.practisedAt, $1.id) }
            for limit in [1, 4, 17, 18] {
                try await require(all(repository, PracticeQuery(limit: limit)) == sorted, "pages of \(limit)")
            }
        },
        .init("pages stay right when results come between them") { repository in
            let results = try (0..<9).map { try PracticeSamples.result(at: 1_700_000_000 + Double($0)) }
            try await repository.store(results)
            var listed: [PracticeResult] = []
            var cursor: PracticeCursor?
            repeat {
                let page = try await repository.page(PracticeQuery(limit: 2), after: cursor)
                listed += page.results
                cursor = page.next
                try await repository.store([PracticeSamples.result(at: 1_700_000_100 + Double(listed.count))])
            } while cursor != nil
            try require(listed == results.reversed(), "lost or doubled")
        },
        .init("cue, language, rating and days narrow the list") { repository in
            let cue = Identifier<Cue>()
            let results = try [
                PracticeSamples.result(at: 4, day: "2024-01-01", language: "pt-BR", cue: cue, rating: .again),
                PracticeSamples.result(at: 3, day: "2024-01-02", language: "pt", rating: .easy),
                PracticeSamples.result(at: 2, day: "2024-01-03", language: "de", cue: cue),
            ]
            try await repository.store(results)
            let queries: [(PracticeQuery, [Int])] = [
                (PracticeQuery(cue: cue), [0, 2]), (PracticeQuery(language: LanguageTag("pt")), [0, 1]),
                (PracticeQuery(language: LanguageTag("pt-BR")), [0]),
                (PracticeQuery(ratings: [.again, .good]), [0, 2]),
                (PracticeQuery(since: CalendarDate("2024-01-02")), [1, 2]),
                (PracticeQuery(until: CalendarDate("2024-01-02")), [0, 1]),
                (PracticeQuery(cue: cue, since: CalendarDate("2024-01-02")), [2]), (PracticeQuery(cue: .init()), []),
            ]
            for (query, expected) in queries {
                try await require(all(repository, query) == expected.map { results[$0] }, "\(query)")
            }
        },
        .init("what is deleted is gone, and the rest stays") { repository in
            let results = try (0..<3).map { try PracticeSamples.result(at: Double($0)) }
            try await repository.store(results)
            try await require(repository.delete(results[1].id), "it was there")
            try await require(!repository.delete(results[1].id), "deleted twice")
            try await require(repository.result(results[1].id) == nil, "still there")
            try await require(all(repository, PracticeQuery()) == [results[2], results[0]], "the rest changed")
        },
        .init("concurrent stores are all kept") { repository in
            try await concurrently(30) { try await repository.store([PracticeSamples.result(at: Double($0))]) }
            try await require(all(repository, PracticeQuery()).count == 30, "some are missing")
        },
        .init("a cancelled store stores nothing and says so") { repository in
            try await requireCancelled { try await repository.store([PracticeSamples.result()]) }
            try await require(all(repository, PracticeQuery()).isEmpty, "stored all the same")
        },
    ]

    private static func all(_ repository: any PracticeRepository, _ query: PracticeQuery) async throws
        -> [PracticeResult]
    {
        var results: [PracticeResult] = []
        var cursor: PracticeCursor?
        repeat {
            let page = try await repository.page(query, after: cursor)
            try require(page.results.count <= query.limit, "\(page.results.count) results on a page of \(query.limit)")
            try require(page.next == nil || (!page.results.isEmpty && page.next != cursor), "a list that does not end")
            results += page.results
            cursor = page.next
        } while cursor != nil
        return results
    }
}

// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// The contract of ``CueStore`` in addition to ``CueRepositoryContract``, checked on an empty store.
public enum CueStoreContract {
    /// Every promise.
    public static let checks: [ContractCheck<any CueStore>] = [
        .init("a page that is taken over is there, with its time, for that query and place alone") { store in
            let (cues, query, time) = (try CueSamples.cues(6), CueQuery(limit: 3), at(100.5))
            try await require(store.refreshedAt(query, after: nil) == nil, "refreshed before it was")
            let first = CuePage(of: query, after: nil, among: cues) { _ in true }
            try await store.takeOver(first, of: query, after: nil, at: time)
            try await require(store.page(query, after: nil).cues == first.cues, "the cues differ")
            try await require(store.refreshedAt(query, after: nil) == time, "the time differs")
            try await require(store.refreshedAt(query, after: first.next) == nil, "the next page was not refreshed")
            try await require(store.refreshedAt(CueQuery(limit: 4), after: nil) == nil, "another query was not")
            let others = [
                CueQuery(topic: "a", limit: 3), CueQuery(words: "a", limit: 3), CueQuery(level: 1, limit: 3),
                CueQuery(order: .shuffled(seed: 0), limit: 3), CueQuery(language: LanguageTag("en"), limit: 3),
            ]
            for other in others {
                try await require(store.refreshedAt(other, after: nil) == nil, "\(other) was not refreshed")
            }
            try await store.takeOver(first, of: query, after: nil, at: at(200))
            try await require(store.refreshedAt(query, after: nil) == at(200), "the time stands still")
        },
        .init("what is gone from the stretch of a page is removed, and nothing else") { store in
            for order in [CueQuery.Order.catalogue, .shuffled(seed: 5)] {
                let query = CueQuery(order: order, limit: 200)
                let cues = CuePage(of: query, after: nil, among: try CueSamples.cues(12)) { _ in true }.cues
                try await store.takeOver(CuePage(cues: cues), of: query, after: nil, at: at(1))
                // The stretch of the third to the sixth; the server has two of them left, and a new one for the fifth.
                let new = try CueSamples.cue("new", at: cues[4].createdAt.timeIntervalSince1970)
                let page = CuePage(
                    cues: [cues[2], new, cues[5]], next: CueCursor(after: cues[5], in: order))
                try await store.takeOver(page, of: query, after: CueCursor(after: cues[1], in: order), at: at(2))
                let expected = Set(cues[0...2] + cues[5...] + [new])
                try await require(Set(store.page(query, after: nil).cues) == expected, "\(order)")
                try await store.takeOver(CuePage(cues: []), of: query, after: nil, at: at(3))
                try await require(store.page(query, after: nil).cues.isEmpty, "an empty catalogue leaves nothing")
            }
        },
        .init("what a query would not list stays") { store in
            let cues = [
                try CueSamples.cue("Bom dia", language: "pt-BR"),
                try CueSamples.cue("Olá, bom", language: "pt", level: 2),
                try CueSamples.cue("Hello", topic: "talk"),
            ]
            try await store.takeOver(CuePage(cues: cues), of: CueQuery(), after: nil, at: at(1))
            let queries = [
                (CueQuery(language: LanguageTag("pt"), level: 1), cues[0]), (CueQuery(words: "bom"), cues[1]),
                (CueQuery(topic: "talk"), cues[2]),
            ]
            for (index, (query, gone)) in queries.enumerated() {
                try await store.takeOver(CuePage(cues: []), of: query, after: nil, at: at(2))
                try await require(store.cue(gone.id) == nil, "\(query) left \(gone.text)")
                let rest = Set(cues[(index + 1)...])
                try await require(Set(store.page(CueQuery(), after: nil).cues) == rest, "\(query) took more")
            }
        },
        .init("a changed cue is replaced, also in what is searched") { store in
            let cue = try CueSamples.cue("first words")
            let changed = try CueSamples.cue("other words", level: 3, hint: "hint", id: cue.id)
            for cue in [cue, changed] {
                try await store.takeOver(CuePage(cues: [cue]), of: CueQuery(), after: nil, at: at(1))
            }
            try await require(store.page(CueQuery(words: "first"), after: nil).cues.isEmpty, "found by old words")
            try await require(store.page(CueQuery(words: "hint other"), after: nil).cues == [changed], "not found")
        },
        .init("a page that left something out removes nothing") { store in
            let cues = try CueSamples.cues(3)
            try await store.takeOver(CuePage(cues: cues), of: CueQuery(), after: nil, at: at(1))
            let page = CuePage(cues: [cues[0]], skipped: [SkippedItem(index: 1, reason: "broken")])
            try await store.takeOver(page, of: CueQuery(), after: nil, at: at(2))
            try await require(Set(store.page(CueQuery(), after: nil).cues) == Set(cues), "removed for a broken item")
        },
        .init("pages taken over at the same time are all there") { store in
            let cues = try CueSamples.cues(12)
            try await concurrently(12) { number in
                let query = CueQuery(level: cues[number].level, limit: 1)
                let cursor = number < 6 ? nil : CueCursor(after: cues[number - 6], in: query.order)
                let page = CuePage(cues: [cues[number]], next: CueCursor(after: cues[number], in: query.order))
                try await store.takeOver(page, of: query, after: cursor, at: at(Double(number)))
            }
            try await require(Set(store.page(CueQuery(), after: nil).cues) == Set(cues), "some are missing")
        },
        .init("a page whose taking over is cancelled changes nothing, and the call says so") { store in
            let cues = try CueSamples.cues(2)
            try await store.takeOver(CuePage(cues: cues), of: CueQuery(), after: nil, at: at(1))
            try await requireCancelled {
                try await store.takeOver(CuePage(cues: []), of: CueQuery(), after: nil, at: at(2))
            }
            try await require(Set(store.page(CueQuery(), after: nil).cues) == Set(cues), "changed all the same")
            try await require(store.refreshedAt(CueQuery(), after: nil) == at(1), "refreshed all the same")
        },
    ]

    private static func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
}

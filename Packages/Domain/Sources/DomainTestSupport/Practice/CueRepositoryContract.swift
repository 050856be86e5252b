// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials

/// A repository without cues, and a way to change what it lists.
public struct CueRepositorySubject: Sendable {
    let repository: any CueRepository
    let add: @Sendable ([Cue]) async throws -> Void
    let remove: @Sendable (Identifier<Cue>) async throws -> Void

    /// A subject.
    ///
    /// - Parameters:
    ///   - repository: The repository; it has no cues.
    ///   - add: Adds these cues, or replaces those with the same id.
    ///   - remove: Takes one away.
    public init(
        repository: any CueRepository, add: @escaping @Sendable ([Cue]) async throws -> Void,
        remove: @escaping @Sendable (Identifier<Cue>) async throws -> Void
    ) {
        self.repository = repository
        self.add = add
        self.remove = remove
    }

    func all(_ query: CueQuery, between: @Sendable (Int) async throws -> Void = { _ in }) async throws -> [Cue] {
        var cues: [Cue] = []
        var cursor: CueCursor?
        for number in 0... {
            let page = try await repository.page(query, after: cursor)
            try require(page.cues.count <= query.limit, "\(page.cues.count) cues on a page of \(query.limit)")
            cues += page.cues
            guard let next = page.next else { break }
            try require(!page.cues.isEmpty && next != cursor, "a list that does not end")
            cursor = next
            try await between(number)
        }
        return cues
    }
}

/// The contract of ``CueRepository``.
public enum CueRepositoryContract {
    /// Every promise.
    public static let checks: [ContractCheck<CueRepositorySubject>] = [
        .init("nothing is there at first") { subject in
            let page = try await subject.repository.page(CueQuery(), after: nil)
            try require(page.cues.isEmpty && page.next == nil, "cues out of nothing")
            try await require(subject.repository.cue(.init()) == nil, "found what never was")
        },
        .init("a cue is read back unchanged") { subject in
            let cues = [
                try CueSamples.cue(
                    "Wie geht's? 😀 \"gut\" <&>", language: "de", topic: "small talk", level: 3, hint: "How are you?"),
                try CueSamples.cue("お元気ですか", language: "ja", level: 6),
                try CueSamples.cue("e\u{301}te\u{301}", language: "fr-CA", hint: "", at: 1_700_000_000.123),
            ]
            try await subject.add(cues)
            for cue in cues { try await require(subject.repository.cue(cue.id) == cue, "\(cue.text) changed") }
            try await require(
                Set(subject.repository.page(CueQuery(), after: nil).cues) == Set(cues), "the list differs")
        },
        .init("pages hold each cue once, in the catalogue's order") { subject in
            let cues = try CueSamples.cues(23)
            try await subject.add(cues.reversed())
            for limit in [1, 5, 23, 24] {
                let listed = try await subject.all(CueQuery(limit: limit))
                try require(
                    listed == CuePage(of: CueQuery(limit: 200), after: nil, among: cues) { _ in true }.cues,
                    "pages of \(limit)")
            }
        },
        .init("the same seed mixes in the same way, another one in another") { subject in
            let cues = try CueSamples.cues(40)
            try await subject.add(cues)
            let orders = try await [1, 1, 2].asyncMap { seed in
                try await subject.all(CueQuery(order: .shuffled(seed: seed), limit: 7)).map(\.id)
            }
            let expected = CuePage(of: CueQuery(order: .shuffled(seed: 1), limit: 200), after: nil, among: cues) { _ in
                true
            }
            try require(orders[0] == expected.cues.map(\.id), "not the order that the seed stands for")
            try require(orders[0] == orders[1] && orders[0] != orders[2], "the seed is not what mixes")
            try require(Set(orders[2]) == Set(cues.map(\.id)) && orders[2].count == 40, "lost or doubled by mixing")
        },
        .init("pages stay right when cues come and go between them") { subject in
            let cues = try CueSamples.cues(30)
            try await subject.add(cues)
            for order in [CueQuery.Order.catalogue, .shuffled(seed: 9)] {
                let listed = try await subject.all(CueQuery(order: order, limit: 4)) { number in
                    try await subject.add([CueSamples.cue("New \(number)", at: 1_699_999_990 + Double(number))])
                    try await subject.remove(cues[number].id)
                    try await subject.add([cues[number]])
                }
                try require(Set(listed).isSuperset(of: cues), "a cue that stayed was not listed")
                try require(Set(listed.map(\.id)).count == listed.count, "a cue was listed twice")
            }
        },
        .init("language, topic and level narrow the list") { subject in
            let cues = try [
                CueSamples.cue("Bom dia", language: "pt-BR"), CueSamples.cue("Olá", language: "pt", topic: "Greetings"),
                CueSamples.cue("Papel", language: "pt-PT", level: 2), CueSamples.cue("Hello", language: "en"),
            ]
            try await subject.add(cues)
            func texts(_ query: CueQuery) async throws -> Set<String> {
                Set(try await subject.repository.page(query, after: nil).cues.map(\.text))
            }
            try await require(texts(CueQuery(language: LanguageTag("pt"))) == ["Bom dia", "Olá", "Papel"], "pt")
            try await require(texts(CueQuery(language: LanguageTag("pt-BR"))) == ["Bom dia"], "pt-BR")
            try await require(texts(CueQuery(language: LanguageTag("p"))).count == 4, "no language narrows nothing")
            try await require(texts(CueQuery(topic: "greetings")) == ["Bom dia", "Papel", "Hello"], "a topic is exact")
            try await require(texts(CueQuery(level: 2)) == ["Papel"], "level")
            try await require(texts(CueQuery(language: LanguageTag("pt"), level: 1)).count == 2, "both at once")
            try await require(texts(CueQuery(language: LanguageTag("fr"))).isEmpty, "a language without cues")
        },
        .init("search finds whole words of text and hint, without case and accents, and obeys nothing") { subject in
            let cues = try [
                CueSamples.cue("Un café, por favor", language: "es", hint: "A coffee, please"),
                CueSamples.cue("The cafeteria is closed", at: 1_700_000_001),
                CueSamples.cue("Please wait", at: 1_700_000_002),
            ]
            try await subject.add(cues)
            func found(_ words: String, limit: Int = 50) async throws -> [Cue] {
                let page = try await subject.repository.page(CueQuery(words: words, limit: limit), after: nil)
                return page.cues
            }
            try await require(found("CAFE") == [cues[0]], "case and accents")
            try await require(found("please") == [cues[0], cues[2]], "the hint counts, the order is the catalogue's")
            try await require(found("please cafe") == [cues[0]], "each word has to be there")
            try await require(found("please", limit: 1) == [cues[0]], "the limit")
            for words in ["", "  ", "\"", "*", "NEAR(", "text:", "-", "'; DROP TABLE cue; --", "^", "&q=x", "%"] {
                try await require(found(words).isEmpty, "\(words) found something")
            }
            try await require(found("please OR wait").isEmpty, "an operator was obeyed")
        },
        .init("a changed cue replaces the one before, and a removed one is gone") { subject in
            let cue = try CueSamples.cue("first words")
            let changed = try CueSamples.cue("other words", topic: "travel", at: 1_700_000_100, id: cue.id)
            try await subject.add([cue])
            try await subject.add([changed])
            try await require(subject.repository.page(CueQuery(), after: nil).cues == [changed], "the old one is there")
            try await require(
                subject.repository.page(CueQuery(words: "first"), after: nil).cues.isEmpty, "found by old words")
            try await subject.remove(cue.id)
            try await require(subject.repository.cue(cue.id) == nil, "still there")
            try await require(subject.repository.page(CueQuery(words: "other"), after: nil).cues.isEmpty, "still found")
        },
        .init("reads at the same time, beside changes, are all right") { subject in
            let cues = try CueSamples.cues(20)
            try await subject.add(cues)
            try await concurrently(12) { number in
                guard !number.isMultiple(of: 4) else {
                    return try await subject.add([CueSamples.cue("New \(number)", at: 1_700_000_900)])
                }
                let listed = try await subject.all(CueQuery(limit: 7))
                try require(
                    Array(listed.prefix(20)) == CuePage(of: CueQuery(), after: nil, among: cues) { _ in true }.cues,
                    "a page of another query")
                try await require(subject.repository.cue(cues[number].id) == cues[number], "another cue")
            }
        },
        .init("a cancelled call says so") { subject in
            try await requireCancelled { _ = try await subject.repository.page(CueQuery(), after: nil) }
        },
    ]
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}

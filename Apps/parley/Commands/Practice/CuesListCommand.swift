// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import FoundationEssentials
import TerminalKit

/// `parley cues list`: shows the cues.
struct CuesListCommand: Command {
    private static let search = ValueOption<String>(
        "search", short: "s", placeholder: "WORDS", help: "Only with each of these words, in text or hint")
    private static let shuffle = ValueOption<Int>(
        "shuffle", placeholder: "SEED", help: "In an order that this number mixes, the same for the same number",
        in: 0...Int.max)
    private static let limit = ValueOption<Int>(
        "limit", short: "n", placeholder: "COUNT", help: "So many at once (1 to 200, default 50)", in: CueQuery.limits)
    private static let after = ValueOption<CueCursor>(
        "after", placeholder: "PLACE", help: "Go on after this place", expected: "a place in a list",
        parse: CueCursor.init)
    static let specification = CommandSpecification(
        path: ["cues", "list"],
        summary: "Browse what can be practised",
        discussion: """
            What is stored here appears at once. Who is signed in gets what the server has as soon as it answers; without an
            answer the list says how old it is. A long list goes on with --after and what the last line says.
            """,
        options: CueOptions.all + [
            search,
            shuffle,
            limit,
            after,
            AccountOptions.server,
        ])

    private var query: CueQuery
    private let cursor: CueCursor?
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        query = CueOptions.query(invocation)
        query.words = invocation[Self.search]
        query.limit = invocation[Self.limit] ?? 50
        if let seed = invocation[Self.shuffle] { query.order = .shuffled(seed: UInt64(seed)) }
        account = AccountOptions(invocation)
        cursor = invocation[Self.after]
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withCues(account) { practice in
            let browse = BrowseCues(store: practice.storage.cues, server: practice.sync?.cues, now: { Date() })
            var screen = CueListScreen(console: console)
            for try await page in browse(query, after: cursor) {
                try screen.show(page, practised: try await practice.practised(page.cues))
            }
            try screen.end()
        }
        return .done
    }
}

/// A list of cues that is shown again when it has changed. Without a terminal, only the last list is written.
struct CueListScreen {
    private let console: Console
    private let isLive: Bool
    private var last: CuePage?
    private var practised: Set<Identifier<Cue>> = []

    init(console: Console) {
        self.console = console
        isLive = console.output.isTerminal && !console.isJSON
    }

    /// Shows a page in place of the one before.
    ///
    /// - Parameter practised: Those of its cues that were practised.
    mutating func show(_ page: CuePage, practised: Set<Identifier<Cue>>) throws {
        defer { (last, self.practised) = (page, practised) }
        try console.emit(PageOutput(page, practised: practised))
        guard isLive else { return }
        if let last {
            // A list that has not changed is not written again.
            if last.cues == page.cues, last.next == page.next { return }
            if !last.cues.isEmpty { try console.tell("  The list has changed:") }
        }
        try write(page, practised)
    }

    /// Writes the notes about the last page.
    func end() throws {
        guard let last else { return }
        if !isLive, !console.isJSON { try write(last, practised) }
        if last.cues.isEmpty { console.progress("There is no such cue.") }
        for item in last.skipped {
            console.progress("Cue \(item.index + 1) of the page was left out: \(item.reason.printable)")
        }
        if let next = last.next { console.progress("More of them: --after \(next)") }
        if case .old(let date, let error) = last.freshness {
            let starter = "only what came with the program" as Sentence
            let age = date.map { "as the server had it \(Self.age($0))" as Sentence } ?? starter
            console.progress("This list is old, \(age). \(Sentence(error))")
        }
    }

    private func write(_ page: CuePage, _ practised: Set<Identifier<Cue>>) throws {
        for cue in page.cues {
            let place = console.styled(
                "\(cue.id.short)  \(Self.column(cue.language.description, 6)) \(cue.level)  "
                    + "\(Self.column(cue.topic.printable, 12))", .muted)
            let mark = practised.contains(cue.id) ? console.traits.glyphs.right : " "
            try console.show("\(place) \(mark) \(cue.text.printable)")
        }
    }

    private static func column(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.columns))
    }

    private static func age(_ date: Date) -> Sentence {
        let minutes = max(0, Int(Date().timeIntervalSince(date) / 60))
        let (hours, days) = (minutes / 60, minutes / 1_440)
        return switch minutes {
        case ..<2: "just now"
        case ..<120: Sentence(one: "\(minutes) minute ago", other: "\(minutes) minutes ago", count: minutes)
        case ..<2_880: Sentence(one: "\(hours) hour ago", other: "\(hours) hours ago", count: hours)
        default: Sentence(one: "\(days) day ago", other: "\(days) days ago", count: days)
        }
    }
}

private struct PageOutput: Encodable {
    struct Item: Encodable {
        let id: String
        let text: String
        let language: String
        let topic: String
        let level: Int
        let hint: String?
        let practised: Bool
    }

    let event = "page"
    let freshness: String
    let storedAt: String?
    let error: ErrorReport?
    let cues: [Item]
    let next: String?
    let skipped: [String]

    init(_ page: CuePage, practised: Set<Identifier<Cue>>) {
        switch page.freshness {
        case .current: (freshness, storedAt, error) = ("current", nil, nil)
        case .stored(let date): (freshness, storedAt, error) = ("stored", date?.formatted(.iso8601), nil)
        case .old(let date, let reason):
            (freshness, storedAt) = ("old", date?.formatted(.iso8601))
            error = ErrorReport(code: reason.code, reason.sentence)
        }
        cues = page.cues.map {
            Item(
                id: $0.id.description, text: $0.text, language: $0.language.description, topic: $0.topic,
                level: $0.level, hint: $0.hint, practised: practised.contains($0.id))
        }
        next = page.next?.description
        skipped = page.skipped.map(\.reason)
    }

    private enum CodingKeys: String, CodingKey { case event, freshness, storedAt, error, cues, next, skipped }
}

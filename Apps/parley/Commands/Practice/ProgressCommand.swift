// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import FoundationEssentials
import TerminalKit

/// `parley progress`: shows the results of practice.
struct ProgressCommand: Command {
    private static let list = Flag("list", help: "List each time, the newest first")
    private static let limit = ValueOption<Int>(
        "limit", short: "n", placeholder: "COUNT", help: "List so many (1 to 100000, default 40)", in: 1...100_000)
    private static let days = ValueOption<Int>(
        "days", placeholder: "COUNT", help: "Plot so many days (7 to 366, default 60)", in: 7...366)
    private static let since = day("since", "Only from this day on: 2026-01-31")
    private static let until = day("until", "Only up to this day")
    private static let language = CueOptions.language("Only this language")
    private static let cue = NamePrefix.cue("Only this cue")
    private static let rating = ValueOption<ReviewRating>(
        "rating", placeholder: "NAME", help: "Only what went so", choices: ReviewRating.allCases
    ) { "\($0)" }
    private static let offline = Flag("offline", help: "Only what this device knows")

    private static func day(_ name: String, _ help: String) -> ValueOption<CalendarDate> {
        ValueOption(
            name, placeholder: "DATE", help: help, expected: "a day such as 2026-01-31", parse: CalendarDate.init)
    }

    static let specification = CommandSpecification(
        path: ["progress"],
        summary: "Show what was practised and how it went, as a plot or as a list",
        discussion: """
            Whoever is signed in sees what was practised on other devices, too. Without the server's answer it is what this
            device knows, and the command says so.
            """,
        options: [
            list,
            limit,
            days,
            since,
            until,
            language,
            cue,
            rating,
            offline, AccountOptions.server,
        ])

    private let query: PracticeQuery
    private let cue: NamePrefix?
    private let isList: Bool
    private let limit: Int
    private let days: Int
    private let isOffline: Bool
    private let account: AccountOptions

    init(_ invocation: Invocation) throws(UsageError) {
        query = PracticeQuery(
            language: invocation[Self.language], ratings: Set(invocation[Self.rating].map { [$0] } ?? []),
            since: invocation[Self.since], until: invocation[Self.until],
            limit: PracticeQuery.limits.upperBound)
        cue = invocation[Self.cue]
        isList = invocation.has(Self.list)
        limit = invocation[Self.limit] ?? 40
        days = invocation[Self.days] ?? 60
        isOffline = invocation.has(Self.offline)
        account = AccountOptions(invocation)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withPractice(account, isOffline: isOffline) { practice in
            try await pull(practice, console)
            let query = try await query(practice)
            let results = try await practice.storage.results.all(query, limit: isList ? limit : .max)
            try await practice.session.offerUnowned(console)
            if results.isEmpty {
                let all = try await practice.storage.results.all(PracticeQuery(), limit: 1)
                console.progress(
                    all.isEmpty
                        ? "Nothing was practised yet. Try: parley practice" : "Nothing of that was practised.")
            }
            if isList { try await list(results, practice, console) } else { try await plot(results, practice, console) }
        }
        return .done
    }

    /// The query with the named cue: one that can be practised, or one that was practised and has since been removed.
    private func query(_ practice: Practice) async throws -> PracticeQuery {
        var query = query
        guard let cue else { return query }
        let practised = try await practice.storage.results.all(PracticeQuery(limit: PracticeQuery.limits.upperBound))
            .map(\.cue)
        try await practice.storage.installStarterCues()
        let known = try await practice.chooseNextCue(CueQuery()).candidates().map(\.id)
        query.cue = try cue.one(of: Set(practised + known), called: "cue")
        return query
    }

    /// Fetches the server's changes; without its answer, only this device's data is shown.
    private func pull(_ practice: Practice, _ console: Console) async throws {
        guard let puller = practice.sync?.puller else {
            if isOffline { console.progress("This is what this device knows.") }
            return
        }
        do {
            let summary = try await withThrowingTaskGroup(of: PulledChanges.self) { group in
                group.addTask { try await puller.pull() }
                group.addTask {
                    try await Task.sleep(for: Self.patience)
                    throw DomainError.timedOut(.answer)
                }
                defer { group.cancelAll() }
                return try await group.next()
            }
            if let skipped = summary?.skipped, skipped > 0 {
                console.progress("\(skipped) results at the server cannot be read here. Update this program.")
            }
        } catch let error as DomainError {
            console.progress("This is what this device knows. \(Sentence(error))")
        }
    }

    /// The longest wait for the server; what came by then is shown, and the rest comes the next time.
    private static let patience = Duration.seconds(20)

    private func list(_ results: [PracticeResult], _ practice: Practice, _ console: Console) async throws {
        for result in results {
            var server: Evaluation?
            if let recording = result.recording {
                server = try await practice.storage.evaluations.evaluations(of: recording)[.server]
            }
            let share = (result.evaluation?.accuracy ?? server?.accuracy).map { "\(Int(($0 * 100).rounded()))%" } ?? ""
            let rating = "\(result.rating)"
            try console.show(
                console.styled("\(result.id.short)  \(result.day)  \(result.language)  ", .muted)
                    + rating + String(repeating: " ", count: 6 - rating.count)
                    + String(repeating: " ", count: 5 - share.count)
                    + "\(share)  \(result.cueText.printable)")
            try console.emit(ResultOutput(result, server: server))
        }
    }

    private func plot(_ results: [PracticeResult], _ practice: Practice, _ console: Console) async throws {
        let (progress, today) = (PracticeProgress(of: results), CalendarDate.today())
        try await practice.storage.installStarterCues()
        let cues = try await practice.chooseNextCue(CueQuery(language: query.language)).candidates().map(\.id)
        let practised = Set(results.map(\.cue)).intersection(cues).count
        let streak = progress.currentStreak(on: today)
        if !results.isEmpty {
            let width = (console.output.columns ?? 80) - 10
            let plot = ProgressPlot(
                progress: progress, today: today, days: min(days, max(width, 7)), glyphs: console.traits.glyphs,
                translator: console.translator)
            for line in plot.lines { try console.show(line) }
            try console.show("")
            let (times, days) = (results.count, progress.days.count)
            let counted = Sentence(one: "\(times) time", other: "\(times) times", count: times)
            let onDays = Sentence(one: "on \(days) day", other: "on \(days) days", count: days)
            let inARow = Sentence(
                one: "\(streak) day in a row now", other: "\(streak) days in a row now", count: streak)
            try console.tell("  \(counted) \(onDays); \(inARow), \(progress.longestStreak) at the most")
            let all = cues.count
            let ofCues = Sentence(
                one: "\(practised) of \(all) cue practised", other: "\(practised) of \(all) cues practised", count: all)
            try console.tell("  \(ofCues)")
        }
        try console.emit(
            ProgressOutput(
                progress, streak: streak, count: results.count, practised: practised, cues: cues.count))
    }
}

private struct ProgressOutput: Encodable {
    struct Day: Encodable {
        let date: String
        let count: Int
        let accuracy: Double?
    }

    let count: Int
    let currentStreak: Int
    let longestStreak: Int
    /// The cues that can be practised, and those of them that were.
    let cues, practised: Int
    let days: [Day]

    init(_ progress: PracticeProgress, streak: Int, count: Int, practised: Int, cues: Int) {
        (self.count, self.practised, self.cues) = (count, practised, cues)
        currentStreak = streak
        longestStreak = progress.longestStreak
        days = progress.days.map { Day(date: $0.date.description, count: $0.count, accuracy: $0.accuracy) }
    }
}

// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import FoundationEssentials
import TerminalKit

/// `parley suggestions on`: lets parley suggest questions.
struct SuggestionsOnCommand: Command {
    static let specification = CommandSpecification(
        path: ["suggestions", "on"], summary: "Let parley suggest what you usually ask at this time",
        discussion: """
            While parley listen or parley service runs, the desktop shows a question that you asked on at least four days, and on
            half of the days like today (Monday to Friday, or the weekend), around this time: three a day at most, and none from
            22:00 to 7:00, unless parley suggestions limit says otherwise. Your history on this device decides; nobody is asked
            and nothing is sent. With parley context allow activity events there is none while you are away, or shortly before
            an entry of your calendar.
            """)

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try app.paths.makeDataFolder()
        try await SuggestionOutput(app.suggestions().change { $0.isOn = true }).write(to: console)
        return .done
    }
}

/// `parley suggestions off`: ends all suggestions.
struct SuggestionsOffCommand: Command {
    static let specification = CommandSpecification(
        path: ["suggestions", "off"], summary: "Suggest nothing any more",
        discussion: "What was dismissed stays dismissed.")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try app.paths.makeDataFolder()
        try await SuggestionOutput(app.suggestions().change { $0.isOn = false }).write(to: console)
        return .done
    }
}

/// `parley suggestions show`: shows the choice, and what was suggested lately.
struct SuggestionsShowCommand: Command {
    static let specification = CommandSpecification(
        path: ["suggestions", "show"], summary: "Show when parley suggests, and what it suggested lately")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let isMissing = AppPaths.isMissing(app.paths.settings)
        try SuggestionOutput(isMissing ? SuggestionState() : try await app.suggestions().state()).write(to: console)
        return .done
    }
}

/// `parley suggestions limit`: sets the most suggestions a day, and the quiet hours.
struct SuggestionsLimitCommand: Command {
    private static let count = ValueOption<Int>(
        "per-day", placeholder: "COUNT", help: "At most so many a day (3)", in: SuggestionSettings.limits)
    private static let quiet = ValueOption<QuietHours>(
        "quiet", placeholder: "FROM-UNTIL", help: "None in these hours (22:00-7:00); none for any time",
        expected: "two times such as 22:00-7:00, or none"
    ) { QuietHours($0) }
    static let specification = CommandSpecification(
        path: ["suggestions", "limit"], summary: "Set how many suggestions there are a day, and the quiet hours",
        options: [count, quiet])

    private let count: Int?
    private let quiet: QuietHours?

    init(_ invocation: Invocation) throws(UsageError) {
        (count, quiet) = (invocation[Self.count], invocation[Self.quiet])
        guard count != nil || quiet != nil else {
            throw UsageError("Give --per-day, --quiet or both.", command: invocation.command)
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try app.paths.makeDataFolder()
        let settings = try await app.suggestions().change { settings in
            settings.limit = count ?? settings.limit
            if let quiet { (settings.quietFrom, settings.quietUntil) = (quiet.from, quiet.until) }
        }
        try SuggestionOutput(settings).write(to: console)
        return .done
    }
}

/// `parley suggestions dismiss`: never shows a suggestion again.
struct SuggestionsDismissCommand: Command {
    private static let id = Positional<String>(
        "ID", help: "The id (parley suggestions show)", expected: "an id of 8 digits from 0 to f"
    ) { text in
        text.count == 8 && text.allSatisfy { $0.isHexDigit && $0.isASCII } ? text.lowercased() : nil
    }
    static let specification = CommandSpecification(
        path: ["suggestions", "dismiss"], summary: "Never show a suggestion again", positionals: [id])

    private let id: String

    init(_ invocation: Invocation) throws(UsageError) { id = invocation[Self.id] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let known = try await app.openSuggestions()?.shown.contains { $0.suggestion.id == id } ?? false
        guard known else {
            throw DomainError.invalidInput(
                "Nothing with the id \(id) was suggested. parley suggestions show lists them.")
        }
        try await app.suggestions().dismiss(id)
        try console.show(console.text("It is not suggested any more."))
        try console.emit(["dismissed": id])
        return .done
    }
}

/// The hours without suggestions, in minutes since midnight; equal for none.
struct QuietHours: Sendable {
    let from: Int
    let until: Int

    /// Reads "22:00-7:00" and "none"; nil for anything else.
    init?(_ text: String) {
        guard text != "none" else {
            (from, until) = (0, 0)
            return
        }
        let times = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minutes)
        guard times.count == 2, let from = times[0], let until = times[1], from != until else { return nil }
        (self.from, self.until) = (from, until)
    }

    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour),
            (0...59).contains(minute), parts[1].count == 2
        else { return nil }
        return hour * 60 + minute
    }
}

/// The choice and what was suggested, as text or as JSON.
private struct SuggestionOutput: Encodable {
    private struct Entry: Encodable {
        let id, question, shownAt: String
        let isDismissed: Bool
    }

    private let isOn: Bool
    private let limit: Int
    private let quietFrom, quietUntil: String?
    private let shown: [Entry]

    init(_ settings: SuggestionSettings) { self.init(SuggestionState(settings: settings)) }

    init(_ state: SuggestionState) {
        let settings = state.settings
        (isOn, limit) = (settings.isOn, settings.limit)
        let hasQuiet = settings.quietFrom != settings.quietUntil
        quietFrom = hasQuiet ? Self.clock(settings.quietFrom) : nil
        quietUntil = hasQuiet ? Self.clock(settings.quietUntil) : nil
        shown = state.shown.sorted { $0.shownAt > $1.shownAt }.map {
            Entry(
                id: $0.suggestion.id, question: $0.suggestion.question, shownAt: $0.shownAt.formatted(.iso8601),
                isDismissed: state.dismissed.contains($0.suggestion.id))
        }
    }

    private static func clock(_ minute: Int) -> String {
        let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
        return "\(hour):\(rest < 10 ? "0" : "")\(rest)"
    }

    func write(to console: Console) throws {
        if !isOn {
            try console.show(console.text("Nothing is suggested. parley suggestions on begins it."))
        } else if let quietFrom, let quietUntil {
            try console.show(
                console.text("Suggestions a day: at most \(limit), none from \(quietFrom) to \(quietUntil)."))
        } else {
            try console.show(console.text("Suggestions a day: at most \(limit), at any time."))
        }
        for entry in shown {
            let mark = entry.isDismissed ? "  " + console.text("dismissed") : ""
            try console.show(
                "\(console.styled(entry.id, .strong))  \(entry.shownAt)  \(entry.question.printable)\(mark)")
        }
        try console.emit(self)
    }
}

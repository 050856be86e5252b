// SPDX-License-Identifier: MIT

import CommandLineArguments
import Diagnostics
import Domain
import DurableFiles
import FoundationEssentials
import TerminalKit

/// `parley logs`: shows what the programs of this home logged.
struct LogsCommand: Command {
    private static let since = ValueOption<LogBeginning>(
        "since", placeholder: "TIME", help: "Only from then on: a day, or a time ago such as 30m, 2h or 3d",
        expected: "a day such as 2026-01-31, or a time ago such as 30m, 2h or 3d", parse: LogBeginning.init)
    private static let level = ValueOption<LogLevel>(
        "level", placeholder: "LEVEL", help: "The least severe level (default: info)",
        choices: [.info, .notice, .warning, .error, .critical], as: \.description)
    private static let follow = Flag("follow", short: "f", help: "Go on with what is logged from now on, until Ctrl-C")
    private static let export = ValueOption<String>(
        "export", placeholder: "FILE", help: "Write the lines as JSON into a new file", completion: .files)
    static let specification = CommandSpecification(
        path: ["logs"], summary: "Show what the program logged on this device",
        discussion: """
            Kept are the lines of all runs, from the level info on: at most 10 MB, for a week. What was said or typed, names,
            addresses and keys are not in them. Nothing is sent. `--verbose` shows more while a command runs.
            """,
        options: [since, level, follow, export])

    private let since: LogBeginning?
    private let level: LogLevel
    private let isFollowing: Bool
    private let file: String?

    init(_ invocation: Invocation) throws(UsageError) {
        since = invocation[Self.since]
        level = invocation[Self.level] ?? .info
        isFollowing = invocation.has(Self.follow)
        file = invocation[Self.export]
        guard file == nil || !isFollowing else { throw invocation.error("Choose --follow or --export, not both.") }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        var reader = LogFileReader(app.paths.log)
        let begin = since?.date(now: .now) ?? .distantPast
        var records = try next(&reader, from: begin)
        if reader.damaged > 0 {
            console.warn(
                Sentence(
                    one: "\(reader.damaged) line of the log is damaged, and left out.",
                    other: "\(reader.damaged) lines of the log are damaged, and left out.", count: reader.damaged))
        }
        if let file {
            try NewFile.write(Array(records.map { $0.redactedJSON + "\n" }.joined().utf8), to: file)
            try console.tell(
                Sentence(
                    one: "\(records.count) line is in \(file.printable).",
                    other: "\(records.count) lines are in \(file.printable).", count: records.count))
            try console.emit(["lines": records.count])
            return .done
        }
        if records.isEmpty, !isFollowing { console.progress("Nothing was logged.") }
        while true {
            for record in records { try show(record, console) }
            guard isFollowing else { return .done }
            try await Task.sleep(for: .milliseconds(300))
            records = try next(&reader, from: begin)
        }
    }

    private func next(_ reader: inout LogFileReader, from begin: Date) throws -> [LogRecord] {
        do {
            return try reader.next().filter { $0.level >= level && $0.time >= begin }
        } catch {
            throw DomainError.file("The log cannot be read: \(error.reason). Check who owns \(error.path.printable).")
        }
    }

    private func show(_ record: LogRecord, _ console: Console) throws {
        try console.show(record.redactedLine.printable)
        if console.isJSON { try console.write(json: record.redactedJSON) }
    }

}

/// The time from which lines are shown, as a person writes it.
struct LogBeginning: Sendable {
    private let day: CalendarDate?
    private let seconds: TimeInterval

    /// Reads a day, or a whole number of seconds, minutes, hours or days: 90s, 30m, 2h, 3d. Nil for any other text.
    init?(_ text: String) {
        day = CalendarDate(text)
        guard day == nil else {
            seconds = 0
            return
        }
        let units: [Character: TimeInterval] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()),
            (1...1_000_000).contains(count)
        else {
            return nil
        }
        seconds = TimeInterval(count) * unit
    }

    /// The time as a date.
    func date(now: Date) -> Date { day?.localStart ?? now.addingTimeInterval(-seconds) }
}

extension AppPaths {
    /// The log of all runs.
    var log: LogFile { LogFile(path: data + "/logs/parley.log") }
}

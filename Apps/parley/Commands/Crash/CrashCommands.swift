// SPDX-License-Identifier: MIT

import CommandLineArguments
import Concurrency
import CrashReports
import Domain
import FoundationEssentials
import TerminalKit

private let list = "parley crash list"

/// `parley crash list`: shows which crashes were reported.
struct CrashListCommand: Command {
    static let specification = CommandSpecification(
        path: ["crash", "list"], summary: "Show when the program crashed, the newest first",
        discussion: """
            A crash leaves a report on this device: the version, the addresses of functions, the registers and the last log lines
            without private values; no memory, and nothing of what was said or typed. The last ten are kept. Nothing is sent.
            """)

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let crashes = app.crashes
        var outputs: [CrashOutput] = []
        for id in try crashes.list() {
            // A damaged report is listed, so that it can be deleted.
            let report = try? crashes.report(id)
            outputs.append(CrashOutput(id: id, report: report))
            let time = report?.date.formatted(.iso8601) ?? "-"
            try console.show("\(id)  \(time)  \(report?.summary ?? console.text("damaged" as Sentence))".printable)
        }
        if outputs.isEmpty { console.progress("No crash is reported.") }
        try console.emit(["crashes": outputs])
        return .done
    }
}

/// `parley crash show`: shows a report with the functions' names.
struct CrashShowCommand: Command {
    private static let id = Positional<String?>(
        optional: "ID", help: "Its id, as \(list) shows it (default: the newest)")
    static let specification = CommandSpecification(
        path: ["crash", "show"], summary: "Show the report of a crash",
        discussion: """
            llvm-symbolizer or addr2line gives the functions' names, if one of them is installed and the program is still the one
            that crashed. A line with ? may be left over from an earlier call.
            """,
        positionals: [id])

    private let id: String?

    init(_ invocation: Invocation) throws(UsageError) { id = invocation[Self.id] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let crashes = app.crashes
        guard let id = try id ?? crashes.list().first else { throw DomainError.notFound("crash report") }
        let report = try crashes.report(id)
        let frames = await BlockingCall.run { CrashSymboliser().frames(of: report) }
        try console.show(report.text(frames))
        try console.emit(CrashOutput(id: id, report: report, stack: frames.map(\.description), log: report.log))
        return .done
    }
}

/// `parley crash delete`: deletes reports.
struct CrashDeleteCommand: Command {
    private static let id = Positional<String?>(optional: "ID", help: "Its id, as \(list) shows it")
    private static let all = Flag("all", help: "All reports")
    static let specification = CommandSpecification(
        path: ["crash", "delete"], summary: "Delete the report of a crash", positionals: [id], options: [all])

    private let id: String?

    init(_ invocation: Invocation) throws(UsageError) {
        id = invocation[Self.id]
        guard (id == nil) == invocation.has(Self.all) else {
            throw UsageError("Give an ID, or --all.", command: invocation.command)
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let ids = try id.map { [$0] } ?? app.crashes.list()
        for id in ids { try app.crashes.delete(id) }
        try console.tell(
            Sentence(
                one: "\(ids.count) report is deleted.", other: "\(ids.count) reports are deleted.", count: ids.count))
        try console.emit(["deleted": ids.count])
        return .done
    }
}

extension CompositionRoot {
    /// The reports of crashes of this program.
    var crashes: CrashReportFolder { CrashReportFolder(path: paths.crashes) }
}

private struct CrashOutput: Encodable {
    let id: String
    let time: String?
    let signal: String?
    let program: String?
    let version: String?
    let stack: [String]?
    let log: [String]?

    init(id: String, report: CrashReport?, stack: [String]? = nil, log: [String]? = nil) {
        self.id = id
        time = report?.date.formatted(.iso8601)
        (signal, program, version) = (report?.signalName, report?.program, report?.version)
        (self.stack, self.log) = (stack, log)
    }
}

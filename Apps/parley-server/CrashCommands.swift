// SPDX-License-Identifier: MIT

import CommandLineArguments
import Concurrency
import CrashReports
import Diagnostics
import FoundationEssentials
import ProductVersion

/// The reports of crashes of `serve` and `work`, in the home.
enum ServerCrashes {
    static func folder(
        _ invocation: Invocation, _ environment: [String: String]
    ) throws(UsageError) -> CrashReportFolder {
        CrashReportFolder(path: try ServerHome.path(invocation, environment) + "/crashes")
    }

    /// Reports crashes from now on, if the words call a command that runs for long. Called on the main thread. A server
    /// starts without reports where they are impossible; the folder is the server's own, and it says more about a home.
    static func install(_ words: [String], _ environment: [String: String]) {
        guard case .run(let invocation)? = try? ServerCommands.parse(words),
            [["serve"], ["work"]].contains(invocation.command.path), let folder = try? folder(invocation, environment)
        else { return }
        try? CrashReporter.install(folder: folder.path, version: ProductVersion.current)
    }

    /// Says once of each crash that there was one.
    static func tell(_ invocation: Invocation, _ environment: [String: String], _ logger: Logger) {
        for id in (try? folder(invocation, environment).takeNew()) ?? [] {
            logger.warning("an earlier run crashed; parley-server crash show \(id, privacy: .public) says where")
        }
    }
}

/// `parley-server crash list`.
enum CrashListCommand: ServerCommand {
    private struct Row: Encodable {
        let id: String
        let time: String?
        let crash: String
    }

    static let specification = CommandSpecification(
        path: ["crash", "list"], summary: "Show when serve or work crashed, the newest first",
        options: [Administration.json, ServerHome.option])

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let folder = try ServerCrashes.folder(invocation, surroundings.environment)
        let rows = try folder.list().map { id in
            let report = try? folder.report(id)
            return Row(id: id, time: report?.date.formatted(.iso8601), crash: report?.summary ?? "damaged")
        }
        var table = ReportTable("ID", "TIME", "CRASH")
        for row in rows { table.add(row.id, row.time, row.crash) }
        try Administration.write(rows, invocation, surroundings, text: table.text)
    }
}

/// `parley-server crash show`.
enum CrashShowCommand: ServerCommand {
    private static let id = Positional<String?>(optional: "ID", help: "Its id (default: the newest)")
    static let specification = CommandSpecification(
        path: ["crash", "show"], summary: "Show the report of a crash",
        discussion: "llvm-symbolizer or addr2line gives the functions' names, if one of them is installed.",
        positionals: [id], options: [ServerHome.option])

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let folder = try ServerCrashes.folder(invocation, surroundings.environment)
        let report = try folder.report(invocation[id] ?? folder.list().first ?? "")
        let frames = await BlockingCall.run { CrashSymboliser().frames(of: report) }
        try surroundings.write(report.text(frames))
    }
}

/// `parley-server crash delete`.
enum CrashDeleteCommand: ServerCommand {
    private static let id = Positional<String>("ID", help: "Its id, as crash list shows it")
    static let specification = CommandSpecification(
        path: ["crash", "delete"], summary: "Delete the report of a crash", positionals: [id],
        options: [ServerHome.option])

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try ServerCrashes.folder(invocation, surroundings.environment).delete(invocation[id])
    }
}

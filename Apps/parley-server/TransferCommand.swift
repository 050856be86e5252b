// SPDX-License-Identifier: MIT

import CommandLineArguments
import Concurrency
import ParleyServer

/// `parley-server transfer`.
enum TransferCommand: ServerCommand {
    private static let source = ValueOption<String>(
        "from", placeholder: "sqlite:DIR", help: "The home whose rows are copied", expected: "sqlite:DIR"
    ) { $0.hasPrefix("sqlite:") && $0.count > 7 ? String($0.dropFirst(7)) : nil }
    private static let target = ValueOption<String>(
        "to", placeholder: "URL", help: "An empty PostgreSQL database (default: the setting database)",
        expected: "postgres://USER@HOST/NAME"
    ) { $0.hasPrefix("postgres://") || $0.hasPrefix("postgresql://") ? $0 : nil }
    private static let dryRun = Flag("dry-run", help: "Check both sides, count the rows, and change nothing")
    static let specification = CommandSpecification(
        path: ["transfer"], summary: "Copy all rows of a home into a PostgreSQL database, and compare both",
        discussion: """
            No server may run on either. After a break, run it again: it goes on where it was. Sound and keys stay in the home.
            """,
        options: [source, target, dryRun])

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let settings = try ServerConfiguration(file: nil, environment: surroundings.environment)
        guard let home = invocation[source] else { throw invocation.error("Give --from sqlite:DIR.") }
        guard let url = invocation[target] ?? settings.text("database") else {
            throw invocation.error("Give --to URL.")
        }
        let (clock, write) = (ContinuousClock(), surroundings.write)
        let said = Guarded(clock.now)
        let tables = try await ServerTransfer(from: home, to: url).run(isDryRun: invocation.has(dryRun)) { step in
            guard case .copied(let table, let rows, let all) = step else { return }
            // A line each second at the most.
            let isDue = said.withLock { said in
                guard clock.now - said >= .seconds(1) else { return false }
                said = clock.now
                return true
            }
            if isDue { write("\(table): \(rows) of \(all)\n") }
        }
        var report = TextTable("TABLE", "ROWS", "COPIED EARLIER", "SHA-256")
        for table in tables {
            report.add(table.name, "\(table.rows)", "\(table.earlier)", table.digest.map { String($0.prefix(16)) })
        }
        surroundings.write(report.text)
        surroundings.write(
            "\(tables.reduce(0) { $0 + $1.rows }) rows "
                + (invocation.has(dryRun) ? "to copy\n" : "are the same on both sides\n"))
    }
}

// SPDX-License-Identifier: MIT

import CommandLineArguments
import Concurrency
import ObjectStore
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
    private static let objectsSource = ValueOption<String>(
        "objects-from", placeholder: "PLACE", help: "The home or the bucket whose sound is copied",
        expected: "folder:HOME or s3://BUCKET/PREFIX?endpoint=URL&region=NAME", parse: place)
    private static let objectsTarget = ValueOption<String>(
        "objects-to", placeholder: "PLACE", help: "The home or the bucket that gets the sound",
        expected: "folder:HOME or s3://BUCKET/PREFIX?endpoint=URL&region=NAME", parse: place)
    private static let sourceCredentials = ValueOption<String>(
        "objects-from-credentials", placeholder: "FILE", help: "The key of the first bucket, as --objects-credentials",
        completion: .files)
    private static let targetCredentials = ValueOption<String>(
        "objects-to-credentials", placeholder: "FILE", help: "The key of the second bucket, as --objects-credentials",
        completion: .files)
    private static let dryRun = Flag("dry-run", help: "Check both sides, count rows and objects, and change nothing")
    static let specification = CommandSpecification(
        path: ["transfer"],
        summary: "Copy all rows of a home into a PostgreSQL database, or all sound to another place, and compare both",
        discussion: """
            No server may run on either. After a break, run it again: it goes on where it was. Keys stay in the home.
            """,
        options: [source, target, objectsSource, objectsTarget, sourceCredentials, targetCredentials, dryRun])

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let hasObjects = invocation.isGiven(objectsSource) || invocation.isGiven(objectsTarget)
        guard hasObjects || invocation.isGiven(source) else {
            throw invocation.error(english: "Give --from sqlite:DIR, or --objects-from and --objects-to.")
        }
        // Both are checked before the first of them begins.
        let objects = hasObjects ? try objectTransfer(invocation, surroundings.environment) : nil
        if invocation.isGiven(source) || invocation.isGiven(target) { try await moveRows(invocation, surroundings) }
        if let objects { try await moveObjects(objects, invocation, surroundings) }
    }

    // MARK: Rows

    private static func moveRows(_ invocation: Invocation, _ surroundings: Surroundings) async throws {
        let settings = try ServerConfiguration(invocation, surroundings.environment)
        guard let home = invocation[source] else { throw invocation.error(english: "Give --from sqlite:DIR.") }
        guard let url = invocation[target] ?? settings.text("database") else {
            throw invocation.error(english: "Give --to URL.")
        }
        let say = lines(surroundings)
        let tables = try await ServerTransfer(from: home, to: url).run(isDryRun: invocation.has(dryRun)) { step in
            guard case .copied(let table, let rows, let all) = step else { return }
            say("\(table): \(rows) of \(all)\n")
        }
        var report = ReportTable("TABLE", "ROWS", "COPIED EARLIER", "SHA-256")
        for table in tables {
            report.add(table.name, "\(table.rows)", "\(table.earlier)", table.digest.map { String($0.prefix(16)) })
        }
        try surroundings.write(report.text)
        try surroundings.write(
            "\(tables.reduce(0) { $0 + $1.rows }) rows "
                + (invocation.has(dryRun) ? "to copy\n" : "are the same on both sides\n"))
    }

    /// Writes a line each second at the most.
    private static func lines(_ surroundings: Surroundings) -> @Sendable (String) -> Void {
        let (clock, write) = (ContinuousClock(), surroundings.write)
        let said = Guarded(clock.now)
        return { line in
            let isDue = said.withLock { said in
                guard clock.now - said >= .seconds(1) else { return false }
                said = clock.now
                return true
            }
            // The report at the end says it if the output fails.
            if isDue { try? write(line) }
        }
    }

    // MARK: Sound

    @Sendable private static func place(_ text: String) -> String? {
        text.hasPrefix("s3://") || (text.hasPrefix("folder:") && text.count > 7) ? text : nil
    }

    private static func objectTransfer(
        _ invocation: Invocation, _ environment: [String: String]
    ) throws(UsageError) -> ObjectTransfer {
        guard let old = invocation[objectsSource], let new = invocation[objectsTarget] else {
            throw invocation.error(english: "--objects-from and --objects-to go together.")
        }
        guard old != new else { throw invocation.error(english: "--objects-from and --objects-to are the same place.") }
        return ObjectTransfer(
            from: try place(old, invocation[sourceCredentials], invocation, environment),
            to: try place(new, invocation[targetCredentials], invocation, environment))
    }

    private static func place(
        _ text: String, _ file: String?, _ invocation: Invocation, _ environment: [String: String]
    ) throws(UsageError) -> ObjectTransfer.Place {
        guard text.hasPrefix("s3://") else { return .home(String(text.dropFirst("folder:".count))) }
        let configuration: S3Configuration
        do throws(ObjectStoreError) { configuration = try S3Configuration(text) } catch {
            throw invocation.error(english: "\(text): \(error.message)")
        }
        if let file { return .bucket(configuration, .file(file)) }
        guard let source = S3CredentialSource.environment(environment) else {
            throw invocation.error(
                english:
                    "\(text) needs --objects-from-credentials or --objects-to-credentials, or AWS_ACCESS_KEY_ID and "
                    + "AWS_SECRET_ACCESS_KEY.")
        }
        return .bucket(configuration, source)
    }

    private static func moveObjects(
        _ transfer: ObjectTransfer, _ invocation: Invocation, _ surroundings: Surroundings
    ) async throws {
        let say = lines(surroundings)
        let report = try await transfer.run(isDryRun: invocation.has(dryRun)) { step in
            switch step {
            case .copied(let count): say("\(count) objects are there\n")
            case .verified(let count): say("\(count) objects are the same\n")
            }
        }
        let end = invocation.has(dryRun) ? "to copy" : "are the same on both sides"
        try surroundings.write(
            "\(report.objects) objects, \(report.bytes) bytes, \(report.earlier) of them copied earlier, \(end)\n")
    }
}

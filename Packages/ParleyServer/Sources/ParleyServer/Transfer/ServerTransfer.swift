// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import FoundationEssentials
import Glibc
import Networking
import Persistence

/// Copies all rows of a home into an empty PostgreSQL database, and compares both sides. No server may use either.
///
/// After a break it goes on where it was: rows arrive in the order of their keys, so that what the database has of a table
/// is a beginning of it. Sound stays where it is, and so do the keys, which are in the home's secret store.
public struct ServerTransfer: Sendable {
    /// A table with its rows.
    public struct Table: Sendable, Equatable {
        /// The table's name.
        public let name: String
        /// The number of its rows.
        public let rows: Int
        /// The number of those that were copied before a break.
        public let earlier: Int
        /// SHA-256 of all values, the same on both sides; nil if nothing was copied.
        public let digest: String?
    }

    /// A step.
    public enum Progress: Sendable, Equatable {
        /// So many rows of a table, of all, are in the database.
        case copied(table: String, rows: Int, of: Int)
        /// A table is the same on both sides.
        case verified(table: String)
    }

    private let home: String
    private let url: String

    /// - Parameters:
    ///   - home: A server's folder.
    ///   - url: The URL of a PostgreSQL database.
    public init(from home: String, to url: String) {
        (self.home, self.url) = (home, url)
    }

    /// Copies and verifies.
    ///
    /// - Parameters:
    ///   - isDryRun: True to check both sides and count the rows, and change nothing.
    ///   - progress: Called after each batch.
    /// - Returns: Every table.
    /// - Throws: ``TransferError``, ``ServerSetupError`` while a server uses the home, ``BackupError`` for an unfinished
    ///   restoration, or the errors of the databases.
    public func run(
        isDryRun: Bool = false, progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> [Table] {
        guard DiskSpace.size(of: home + "/server.sqlite") > 0 else { throw TransferError.notAHome(home) }
        let lock = try HomeLock(home, for: .whole)
        defer { lock.release() }
        try ServerRestore.checkFinished(home)
        var files: [TransferTable.File: Database] = [:]
        return try await withCleanup {
            for file in TransferTable.File.allCases {
                let path = "\(home)/\(file.rawValue).sqlite"
                // A home that was restored has no mails, and one of an old backup no relay.
                guard DiskSpace.size(of: path) > 0 else { continue }
                files[file] = try await Database(at: path)
            }
            try await HomeSchema.check(files)
            return try await run(files, isDryRun, progress)
        } cleanup: {
            for database in files.values { await database.close() }
        }
    }

    private func run(
        _ files: [TransferTable.File: Database], _ isDryRun: Bool, _ progress: @escaping @Sendable (Progress) -> Void
    ) async throws -> [Table] {
        let canonical = realpath(home, nil)
        defer { free(canonical) }
        let name = canonical.map { String(cString: $0) } ?? home
        let sources = files.mapValues { SQLiteServerDatabase(database: $0, clock: .system) }
        if isDryRun {
            try await checkTarget(name)
            var tables: [Table] = []
            for table in TransferTable.all {
                let rows = TransferRows(table, isShared: false)
                let count = try await sources[table.file]?.read { try await rows.count($0) } ?? 0
                tables.append(Table(name: table.name, rows: count, earlier: 0, digest: nil))
            }
            return tables
        }
        let target = try await PostgresServerDatabase.open(url, logger: .disabled)
        return try await withCleanup {
            _ = try await TransferMark.set(name, in: target)
            var earlier: [String: Int] = [:]
            for table in TransferTable.all {
                earlier[table.name] = try await copy(table, from: sources[table.file], to: target, progress)
            }
            var tables: [Table] = []
            for table in TransferTable.all {
                let sum = try await verify(table, in: sources[table.file], and: target)
                tables.append(
                    Table(
                        name: table.name, rows: sum.rows, earlier: earlier[table.name] ?? 0, digest: sum.text))
                progress(.verified(table: table.name))
            }
            try await target.write { writer in
                try await Self.continueNumbers(writer)
                try await TransferMark.remove(writer)
            }
            return tables
        } cleanup: {
            await target.close()
        }
    }

    /// Checks the database without making its tables.
    private func checkTarget(_ name: String) async throws {
        let target = try await PostgresServerDatabase.connect(url, logger: .disabled)
        try await withCleanup {
            // Without a table there is no row.
            guard try await !target.isNew() else { return }
            _ = try await target.read { try await TransferMark.check(name, $0) }
        } cleanup: {
            await target.close()
        }
    }

    /// Copies the rows that the target lacks.
    ///
    /// - Returns: The number of rows that it had.
    private func copy(
        _ table: TransferTable, from source: SQLiteServerDatabase?, to target: PostgresServerDatabase,
        _ progress: @Sendable (Progress) -> Void
    ) async throws -> Int {
        guard let source else { return 0 }
        let (old, new) = (TransferRows(table, isShared: false), TransferRows(table, isShared: true))
        let all = try await source.read { try await old.count($0) }
        let (earlier, end) = try await target.read { (try await new.count($0), try await new.lastKey($0)) }
        var (copied, last) = (earlier, end)
        while true {
            let after = last
            let rows = try await source.read { try await old.page(after: after, $0) }
            guard let end = rows.last else { break }
            try await target.write { try await new.insert(rows, $0) }
            (copied, last) = (copied + rows.count, old.key(of: end))
            progress(.copied(table: table.name, rows: copied, of: all))
        }
        return earlier
    }

    private func verify(
        _ table: TransferTable, in source: SQLiteServerDatabase?, and target: PostgresServerDatabase
    ) async throws -> TransferSum {
        let (old, new) = (TransferRows(table, isShared: false), TransferRows(table, isShared: true))
        let empty = try TransferSum()
        async let there = target.read { try await new.sum($0) }
        let here = try await source?.read { try await old.sum($0) } ?? empty
        guard try await there == here else { throw TransferError.differs(table.name) }
        return here
    }

    /// Lets the database assign numbers above those that it got.
    nonisolated(nonsending) private static func continueNumbers(_ writer: any SQLWriter) async throws {
        _ = try await writer.rows(
            """
            SELECT setval(pg_get_serial_sequence('evaluation_job', 'number'),
                (SELECT coalesce(max(number), 0) + 1 FROM evaluation_job), false)
            """)
    }
}

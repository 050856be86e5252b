// SPDX-License-Identifier: MIT

import AuthServer
import Diagnostics
import Foundation
import Networking
import Persistence
import PostgresTestSupport
import TestKit
import Testing

@testable import ParleyServer

/// The rows of a home, moved into PostgreSQL.
@Suite(.timeLimit(.minutes(5))) struct TransferTests {
    /// The columns of each table of PostgreSQL that are not made from others.
    private func sharedColumns() async throws -> [String: Set<String>] {
        let database = try await PostgresServerDatabase.open(DatabaseKind.newPostgresURL(), logger: .disabled)
        let rows = try await database.read { reader in
            try await reader.query(
                """
                SELECT CAST(table_name AS TEXT) AS table_name, CAST(column_name AS TEXT) AS column_name
                FROM information_schema.columns WHERE table_schema = 'public' AND is_generated = 'NEVER'
                """
            ) { (try $0["table_name", as: String.self], try $0["column_name", as: String.self]) }
        }
        await database.close()
        return rows.reduce(into: [:]) { $0[$1.0, default: []].insert($1.1) }
    }

    private func words(_ sql: SQL) -> Set<String> {
        Set(sql.text.split { $0 == "," || $0.isWhitespace }.map(String.init))
    }

    @Test func `the list has every table and column of PostgreSQL`() async throws {
        var found = try await sharedColumns()
        for name in TransferTable.leftShared { #expect(found.removeValue(forKey: name) != nil, "\(name)") }
        // The database numbers objects itself; nothing refers to the number.
        found["sync_object"]?.remove("id")
        let listed = Dictionary(uniqueKeysWithValues: TransferTable.all.map { ($0.name, words($0.shared.columns)) })
        #expect(found == listed)
    }

    @Test func `the list has every table of a home`() async throws {
        let home = try TemporaryFolder()
        await (try ServerStorage.open(home: home.path, clock: .system)).close()
        for file in TransferTable.File.allCases {
            let database = try await Database(at: home.file("\(file).sqlite"))
            let tables = try await database.read { connection in
                try connection.query(
                    """
                    SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                        AND name NOT LIKE 'cue_text_%' AND name <> 'schema_migration'
                    """, as: String.self)
            }
            await database.close()
            let listed = TransferTable.all.filter { $0.file == file && !$0.isDerived }.map(\.name)
            let left = file == .practice ? TransferTable.leftPractice : []
            #expect(Set(tables) == Set(listed).union(left), "\(file)")
        }
    }

    @Test func `a home moves with all that its people have`() async throws {
        let home = try TemporaryFolder()
        let fixture = try await MovedHome.start(home)
        let moved = try await MovedHome(at: fixture)
        let url = try await DatabaseKind.newPostgresURL()
        let used = try ServerProcess.run(["transfer", "--from", "sqlite:\(home.path)", "--to", url])
        #expect(used.code == 6 && used.errors.contains("Another parley-server uses \(home.path)"))
        await fixture.stop()
        let dry = try await ServerTransfer(from: home.path, to: url).run(isDryRun: true)
        let run = try ServerProcess.run(["transfer", "--from", "sqlite:\(home.path)", "--to", url])
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
        let total = dry.reduce(0) { $0 + $1.rows }
        #expect(run.output.hasSuffix("\n\(total) rows are the same on both sides\n") && total > 100)
        let empty = Set(dry.filter { $0.rows == 0 }.map(\.name))
        #expect(
            empty.isSubset(of: ["authorization_code", "deletion", "erasure", "letter", "notification", "sound_removal"]
            ),
            "every other kind of row was moved")
        let again = try ServerProcess.run(["transfer", "--from", "sqlite:\(home.path)", "--to", url])
        #expect(again.code == 6 && again.errors.contains("The database has rows, in account."))

        let next = try await MovedHome.start(home) { $0.database = url }
        _ = try await next.tokens("/token?grant_type=refresh_token", ["refresh_token": moved.refresh])
        try await moved.check(at: next)
        let told = try await next.head(moved.begun.id, as: moved.people[0])
        #expect(told.headers["Upload-Offset"] == "200", "an upload goes on")
        await next.stop()
    }

    /// Adds accounts with addresses to a home.
    private func fill(_ home: String, _ count: Int) async throws {
        let storage = try await ServerStorage.open(home: home, clock: .system)
        try await storage.accounts.write { writer in
            for first in stride(from: 0, to: count, by: 500) {
                var (accounts, addresses): (SQL, SQL) = ("('', '', 0)", "(x'', NULL, 0, '')")
                if first > 0 {
                    (accounts, addresses) = (
                        "(\("-\(first)"), \("-\(first)"), 0)", "(\([UInt8](repeating: 0, count: first)), NULL, 0, '')"
                    )
                }
                for number in first..<min(first + 500, count) {
                    let id = "\(number * 7_919 % 1_000_003)"
                    accounts = "\(sql: accounts), (\(id), \(id + "@example.org"), \(number))"
                    addresses = "\(sql: addresses), (\(Array(id.utf8) + [0, 255]), \(id), \(number % 3), \("é" + id))"
                }
                try await writer.execute("INSERT INTO account (id, address, created_at) VALUES \(sql: accounts)")
                try await writer.execute("INSERT INTO address (key, account, failures, sends) VALUES \(sql: addresses)")
            }
        }
        await storage.close()
    }

    @Test func `a transfer that is killed goes on and doubles nothing`() async throws {
        let home = try TemporaryFolder()
        try await fill(home.path, 20_000)
        let url = try await DatabaseKind.newPostgresURL()
        let words = ["transfer", "--from", "sqlite:\(home.path)", "--to", url]
        var (rows, cut) = (0, 0)
        for _ in 1...3 where rows < 20_040 {
            let process = try ChildProcess(ChildProcess.path(besideTests: "parley-server"), words, errors: .discarded)
            let database = try await PostgresServerDatabase.open(url, logger: .disabled)
            try await eventually("some rows more are there") {
                let now = try await database.read {
                    try await $0.first("SELECT count(*) AS n FROM account", as: Int.self) ?? 0
                }
                guard now > rows else { return false }
                rows = now
                return true
            }
            process.kill()
            process.wait()
            await database.close()
            if rows < 20_040 { cut += 1 }
        }
        #expect(cut > 0, "no kill came before the last row")
        let other = try TemporaryFolder()
        await #expect(throws: TransferError.self) {
            let fixture = try await ServerFixture(home: other) { $0.database = url }
            await fixture.stop()
        }
        let run = try ServerProcess.run(words)
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
        let database = try await PostgresServerDatabase.open(url, logger: .disabled)
        let counts = try await database.read { reader in
            try await reader.first(
                "SELECT (SELECT count(*) FROM account) AS accounts, (SELECT count(*) FROM address) AS addresses"
            ) { (try $0["accounts", as: Int.self], try $0["addresses", as: Int.self]) }
        }
        await database.close()
        #expect(counts?.0 == 20_040 && counts?.1 == 20_040)
        let first = try #require(run.output.firstMatch(of: /account +20040 +([0-9]+)/)?.output.1)
        #expect(try #require(Int(first)) > 0, "the last run goes on where the third was")
    }

    @Test func `a transfer refuses what it cannot move as it is`() async throws {
        let home = try TemporaryFolder()
        try await fill(home.path, 600)
        func run(to url: String) async throws { _ = try await ServerTransfer(from: home.path, to: url).run() }
        let url = try await DatabaseKind.newPostgresURL()
        let other = try TemporaryFolder()
        await #expect(throws: TransferError.notAHome(other.path)) {
            _ = try await ServerTransfer(from: other.path, to: url).run()
        }
        // Of another version, older or newer.
        let database = try await Database(at: home.file("sync.sqlite"))
        try await database.write { try $0.execute("UPDATE schema_migration SET name = 'of the future'") }
        await #expect(
            throws: TransferError.otherVersion(file: "sync.sqlite", has: "of the future", wants: "relay")
        ) { try await run(to: url) }
        try await database.write { try $0.execute("UPDATE schema_migration SET name = 'relay'") }
        await database.close()

        // Another home's part of a transfer, then rows without one.
        let target = try await PostgresServerDatabase.open(url, logger: .disabled)
        try await SettingStore(database: target).set(TransferMark.name, to: "/elsewhere")
        await #expect(throws: TransferError.otherTransfer("/elsewhere")) { try await run(to: url) }
        try await target.write { writer in
            try await TransferMark.remove(writer)
            try await writer.execute(
                "INSERT INTO cue (id, text, language, topic, level, created_at) VALUES ('a', 'b', 'en', 'c', 1, 1)")
        }
        await #expect(throws: TransferError.targetHasData("cue")) { try await run(to: url) }
        await #expect(throws: TransferError.targetHasData("cue")) {
            _ = try await ServerTransfer(from: home.path, to: url).run(isDryRun: true)
        }
        try await target.write { try await $0.execute("DELETE FROM cue") }
        try await run(to: url)

        // A row of which one side has another value.
        let next = try await DatabaseKind.newPostgresURL()
        try await run(to: next)
        let changed = try await PostgresServerDatabase.open(next, logger: .disabled)
        let path = try #require(realpath(home.path, nil).map { String(cString: $0) })
        try await SettingStore(database: changed).set(TransferMark.name, to: path)
        try await changed.write { try await $0.execute("UPDATE address SET failures = 9 WHERE account = '7919'") }
        await #expect(throws: TransferError.differs("address")) { try await run(to: next) }
        await changed.close()
        await target.close()
    }

    @Test func `a backup of shared rows goes into either kind`() async throws {
        let url = try await DatabaseKind.newPostgresURL()
        let home = try TemporaryFolder()
        let key = try ServerRootKey(String(repeating: "5a", count: 32), at: "test")
        let fixture = try await MovedHome.start(home) { ($0.database, $0.rootKey) = (url, key) }
        let moved = try await MovedHome(at: fixture)
        let backup = home.path + "-backup"
        defer { try? FileManager.default.removeItem(atPath: backup) }
        let report = try await ServerBackup(of: home.path, to: backup, database: url, rootKey: key).run()
        #expect(report == .init(recordings: 2))
        let empty = try TemporaryFolder()
        await #expect(throws: BackupError.notAHome(empty.path)) {
            try await ServerBackup(of: empty.path, to: backup + "2", database: url).run()
        }
        await #expect(throws: ServerSetupError.otherRootKey) {
            try await ServerBackup(of: backup, to: backup + "2", database: url).run()
        }
        await fixture.stop()

        // Into files first, then from there into another database.
        let files = try TemporaryFolder()
        _ = try await ServerRestore(of: backup, to: files.path).run()
        let next = try await DatabaseKind.newPostgresURL()
        _ = try await ServerTransfer(from: files.path, to: next).run()
        for database in [nil, next] {
            let restored = try await MovedHome.start(files) { ($0.database, $0.rootKey) = (database, key) }
            _ = try await restored.tokens("/token?grant_type=refresh_token", ["refresh_token": moved.refresh])
            try await moved.check(at: restored)
            #expect(try await restored.head(moved.begun.id, as: moved.people[0]).status == 404)
            await restored.stop()
        }
    }
}

// SPDX-License-Identifier: MIT

import Glibc
import Persistence

/// What is done with one input.
struct Trial {
    let folder: String
    let files: Files

    private var path: String { folder + "/trial.sqlite" }

    func run(recovers: Bool) async {
        for name in Template.names(in: folder) { unlink(folder + "/" + name) }
        files.write(to: path)
        await open()
        guard recovers else { return }
        for name in Template.names(in: folder) { unlink(folder + "/" + name) }
        files.write(to: path)
        await recover()
    }

    /// Opens, checks, reads and writes. What is refused stays as it was.
    private func open() async {
        let database: Database
        do {
            database = try await Database(at: path)
        } catch {
            Self.requireTyped(error)
            require(Files(at: path) == files, "a file that was refused was changed: \(error)")
            return
        }
        await Self.attempt {
            do {
                _ = try await database.integrityCheck()
            } catch let error as DatabaseError where error.code == .tooLarge {
                fatalError("the check does not say that this is damage: \(error)")
            }
        }
        await Self.attempt { _ = try await database.migrate([Template.tables]) }
        for table in ["SELECT * FROM item", "SELECT * FROM part", "SELECT * FROM pair", "SELECT * FROM names"] as [SQL]
        {
            await Self.attempt { try await database.read { try Self.readAll(table, $0) } }
        }
        await Self.attempt {
            _ = try await database.read { connection in
                try FullTextPattern(allOf: "word3 and").map { try connection.search("words", for: $0, limit: 5) }
            }
        }
        await Self.attempt {
            try await database.write { connection in
                try connection.execute("INSERT INTO item VALUES (1000, 'new', 1)")
                try connection.execute("DELETE FROM item WHERE id < 10")
            }
        }
        await database.close()
        require(access(path, F_OK) == 0, "the file is gone")
    }

    /// Sets aside and saves. The damaged file stays whatever comes of it, and what takes its place is sound.
    private func recover() async {
        let report: RecoveryReport
        do {
            report = try await Database.recover(path)
        } catch {
            Self.requireTyped(error)
            require(keptAside(), "the damaged file was not kept: \(error)")
            return
        }
        require(Files(at: report.setAside) == files, "the damaged file was changed")
        do {
            let database = try await Database(at: path)
            let problems = try await database.integrityCheck()
            require(problems.allSatisfy { $0.contains("refers to nothing in") }, "not sound: \(problems)")
            await database.close()
        } catch {
            fatalError("what was saved cannot be read: \(error)")
        }
    }

    private func keptAside() -> Bool {
        let databases = Template.names(in: folder).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        return databases.contains { Files(at: folder + "/" + $0) == files }
    }

    private static func readAll(_ sql: SQL, _ connection: Connection) throws {
        try connection.forEach(sql) { _ = try $0.values() }
    }

    private static func attempt(_ body: () async throws -> Void) async {
        do { try await body() } catch { requireTyped(error) }
    }

    private static func requireTyped(_ error: any Error) {
        guard let error = error as? DatabaseError else { fatalError("not a typed error: \(error)") }
        let expected: [DatabaseError.Code] = [
            .damaged, .invalidSQL, .typeMismatch, .constraint, .newer, .migrationChanged,
            // Where damage hides that a migration was there, its tables are in the way.
            .migrationFailed,
            // A record that says that its value has more bytes than SQLite reads, or than there are.
            .tooLarge, .outOfMemory,
        ]
        require(expected.contains(error.code), "not what damage is: \(error)")
    }
}

/// As `precondition`, with its message also in a release build.
private func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}

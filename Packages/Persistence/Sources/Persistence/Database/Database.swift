// SPDX-License-Identifier: MIT

public import Diagnostics
public import FoundationEssentials

/// A SQLite file with one writer and a few readers, each on a thread of its own: a read never waits for a write, nor a
/// write for a read, and neither blocks Swift's cooperative threads.
///
/// The file has a write-ahead log (sqlite.org/wal.html), foreign keys are enforced, the schema is not trusted with side
/// effects, and a new file has the mode 0600. Several processes may use one file at once. Safe to use from any task.
public final class Database: Sendable {
    /// The file's path; nil in memory.
    public let path: String?
    let writer: ConnectionActor
    let gate = WriteGate()
    /// Nil in memory, where a second connection would be a second database.
    let readers: ReaderPool?
    let commits: CommitHub
    let watcher: ForeignCommits
    let logger: Logger

    /// Opens a file, or creates it and the folders (mode 0700) on its path.
    ///
    /// - Parameters:
    ///   - path: The file. A relative path is relative to the working directory.
    ///   - configuration: Time limits and sizes.
    ///   - logger: The log of the database's work; it shows no values and no paths.
    /// - Throws: ``DatabaseError`` with the codes `damaged`, `busy`, `readOnly`, `permission`, `notFound`,
    ///   `invalidPath`, `diskFull` or `inputOutput`.
    public convenience init(
        at path: String, configuration: Configuration = .init(), logger: Logger = .disabled
    ) async throws {
        let file = try DatabaseFile(path: path)
        try await self.init(file: file, configuration: configuration, logger: logger)
    }

    /// Opens a new database that lives in memory until it is closed.
    public static func inMemory(
        configuration: Configuration = .init(), logger: Logger = .disabled
    ) async throws -> Database {
        try await Database(file: nil, configuration: configuration, logger: logger)
    }

    private init(file: DatabaseFile?, configuration: Configuration, logger: Logger) async throws {
        let logger = logger.with(category: "persistence")
        let configuration = file == nil ? configuration : try configuration.withVFS()
        path = file?.path
        self.logger = logger
        let commits = CommitHub()
        self.commits = commits
        writer = try ConnectionActor(name: "db-writer") {
            let use = try file.flatMap { try $0.use(timeout: configuration.busyTimeout, configuration.isReadOnly) }
            let connection = try Connection.open(
                file, role: .writer, configuration: configuration, logger: logger)
            connection.use = use
            connection.onCommit = { commits.publish($0) }
            return connection
        }
        watcher = ForeignCommits(path: file?.path, writer: writer, commits: commits)
        readers = file.map { file in
            ReaderPool(limit: configuration.readerCount) {
                try ConnectionActor(name: "db-reader") {
                    try Connection.open(file, role: .reader, configuration: configuration, logger: logger)
                }
            }
        }
        do {
            try await writer.run { _ in }
            logger.debug("opened \(file?.path ?? "memory")")
        } catch let error as DatabaseError {
            logger.error("could not open the database: \(error.code, privacy: .public)")
            throw error
        }
    }

    /// Runs a closure on one unchanging snapshot of the database.
    ///
    /// Up to four reads run at the same time, beside a write; more wait in order, and cancelling ends the wait. The
    /// snapshot is taken at the closure's first statement. A ``Connection`` has no methods that write.
    ///
    /// - Throws: ``DatabaseError``, `CancellationError`, or the closure's error.
    public func read<Value: Sendable>(_ body: @Sendable (Connection) throws -> Value) async throws -> Value {
        if let readers { return try await readers.run { connection in try connection.reading(body) } }
        return try await gate.pass { try await writer.run { connection in try connection.reading(body) } }
    }

    /// Runs a closure in a transaction that is committed when it returns and undone when it throws.
    ///
    /// Writes run one at a time, in order. Once this returns, the transaction is stored as `durability` says. A task
    /// that is cancelled before the commit undoes the transaction and throws `CancellationError`, at once when the
    /// write still waits for another one; afterwards, cancelling changes nothing.
    ///
    /// - Parameters:
    ///   - durability: The failures that the transaction survives.
    ///   - body: The transaction; it must not keep the connection.
    /// - Throws: ``DatabaseError`` (`busy` when another process holds the lock beyond the timeout, `diskFull`, …),
    ///   `CancellationError`, or the closure's error.
    public func write<Value: Sendable>(
        durability: Durability = .full, _ body: @Sendable (WritableConnection) throws -> Value
    ) async throws -> Value {
        try await gate.pass {
            try await writer.run { connection in try connection.writing(durability: durability, body) }
        }
    }

    /// Brings the schema up to date: runs the migrations that the file lacks, each in a transaction of its own.
    ///
    /// Two processes may do so at once; each migration runs once. A file that is up to date is only read.
    ///
    /// - Parameters:
    ///   - migrations: All migrations of the program, oldest first; new ones are added at the end.
    ///   - now: The time that is recorded with each.
    /// - Returns: The names of the migrations that ran now.
    /// - Throws: ``DatabaseError`` with `newer`, `migrationChanged` or `migrationFailed`, besides the errors of
    ///   `write`. A failed migration leaves the file as it was before that migration.
    @discardableResult
    public func migrate(_ migrations: [Migration], now: Date = Date()) async throws -> [String] {
        let logger = logger
        return try await gate.pass {
            try await writer.run { connection in
                try Migrator(migrations: migrations, now: now, logger: logger).run(on: connection)
            }
        }
    }

    /// Completes the list of the migrations that a recovered file has had, if damage took a part of it: by the tables
    /// that it has. Call it before ``migrate(_:now:)``, which would run them again.
    ///
    /// - Parameters:
    ///   - migrations: All migrations of the program, oldest first.
    ///   - now: The time that is recorded with each.
    /// - Throws: The errors of `write`.
    public func restoreMigrationList(_ migrations: [Migration], now: Date = Date()) async throws {
        let logger = logger
        try await gate.pass {
            try await writer.run { connection in
                try Migrator(migrations: migrations, now: now, logger: logger).restoreList(on: connection)
            }
        }
    }

    /// Copies the log into the file and empties it, so that what was deleted is in neither. Waits for programs that
    /// read, as long as a write waits.
    ///
    /// - Throws: ``DatabaseError`` with `busy` while another program reads an older state, `diskFull`, …;
    ///   `CancellationError`.
    public func emptyLog() async throws {
        try await gate.pass { try await writer.run { try $0.emptyLog() } }
    }

    /// Closes all connections after the waiting writes and the running reads. Later uses throw (`closed`). Without a
    /// call, the file closes when the last reference to the database is released.
    public func close() async {
        watcher.close()
        await readers?.close()
        // After the writes that wait already; a task that is cancelled closes before them.
        do {
            try await gate.pass { await writer.close() }
        } catch {
            await writer.close()
        }
        commits.close()
    }
}

/// The failures that a committed transaction survives.
public enum Durability: Sendable {
    /// Power loss: the commit returns when the log is on the disk (`synchronous=FULL`).
    case full
    /// The end of the process at any instant, `kill -9` included; power loss may take the newest commits, in order, and
    /// never damages the file (`synchronous=NORMAL` with a write-ahead log). Much faster.
    case normal
}

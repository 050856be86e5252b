// SPDX-License-Identifier: MIT

import CSQLite

/// One connection to the file, inside a transaction, for queries. It exists only within the closure of
/// ``Database/read(_:)``; do not keep it.
///
/// It has no method that writes: ``WritableConnection``, which ``Database/write(durability:_:)`` gives, has them. A
/// query whose SQL writes throws `readOnly`.
///
/// Each statement is prepared once and kept. `CancellationError` is thrown from a running statement when the task is
/// cancelled.
public class Connection {
    final let name: String
    final let configuration: Database.Configuration
    final let access = ConnectionAccess()
    final let busy: BusyHandler
    final let checkpointer: Checkpointer
    // The properties without checks of exclusive access: each statement passes here several times, on one thread, and
    // no caller's code runs while one is being changed.
    @exclusivity(unchecked) final var isInTransaction = false
    /// True inside ``Database/read(_:)``.
    @exclusivity(unchecked) final var isReading = false
    /// Nil outside a transaction that writes.
    @exclusivity(unchecked) final var durability: Durability?
    /// The tables that the transaction has changed so far.
    @exclusivity(unchecked) final var changeRecord = ChangeRecord()
    /// Keeps other programs from replacing the file while it is open.
    final var use: FileUse?
    /// Called with the tables that a commit has changed.
    final var onCommit: ((Region) -> Void)?
    /// While set, gathers the tables that statements read.
    @exclusivity(unchecked) private final var readRegion: Region?
    private final var dataVersion: Int64?
    @exclusivity(unchecked) private(set) final var handle: OpaquePointer?
    @exclusivity(unchecked) private final var cache: StatementCache
    @exclusivity(unchecked) private final var control = TransactionControl()

    /// A connection that owns an open handle.
    init(handle: OpaquePointer, name: String, configuration: Database.Configuration) {
        self.handle = handle
        self.name = name
        self.configuration = configuration
        cache = StatementCache(capacity: configuration.statementCacheCapacity)
        busy = BusyHandler(timeout: configuration.busyTimeout)
        checkpointer = Checkpointer(pages: configuration.checkpointPages, busy: busy)
        access.install(on: handle)
        busy.install(on: handle)
    }

    deinit {
        close()
    }

    /// Closes the handle; a second call does nothing.
    final func close() {
        cache.removeAll()
        control.removeAll()
        sqlite3_close_v2(handle)
        handle = nil
        use = nil
    }

    final func openHandle() throws -> OpaquePointer {
        guard let handle else { throw DatabaseError(code: .closed, message: "\(name) was closed; open it again.") }
        return handle
    }

    final func run(_ command: TransactionControl.Command) throws {
        let handle = try openHandle()
        try access.internally {
            let statement = try control.statement(for: command, on: handle, name: name)
            defer { statement.end() }
            while try statement.step() {}
        }
    }

    /// Runs one of the connection's own statements, which no rule binds and no cache keeps: a caller's COMMIT must not
    /// find one that was allowed to us.
    final func internally(_ sql: StaticString) throws {
        try access.internally { try executeScript(sql) }
    }

    /// A statement that is ready to be bound. It must be ended.
    @usableFromInline
    final func begin(_ source: StatementSource) throws -> Statement {
        let handle = try isInTransaction ? requireTransaction() : openHandle()
        if let statement = cache.find(source) {
            try use(statement)
            return statement
        }
        let (statement, tables) = try access.recording {
            try Statement(source.text, on: handle, name: name)
        }
        statement.tables = tables
        cache.keep(statement, for: source)
        try use(statement)
        return statement
    }

    private final func use(_ statement: Statement) throws {
        if isReading, !statement.isReadOnly {
            throw DatabaseError(
                code: .readOnly, message: "“\(statement.text)” writes, and this is a read: run it in Database.write.")
        }
        note(statement.tables)
        statement.begin()
    }

    /// The handle, inside a transaction. SQLite ends one itself after some errors (a full disk, say): a closure that
    /// swallows such an error must not go on to write statement by statement.
    @discardableResult
    final func requireTransaction() throws -> OpaquePointer {
        let handle = try openHandle()
        guard isInTransaction, sqlite3_get_autocommit(handle) == 0 else {
            throw DatabaseError(
                code: .transactionEnded,
                message: isInTransaction
                    ? "An earlier error rolled the transaction back; let that error leave the closure."
                    : "The transaction of this statement is over; prepare it in the transaction that uses it.")
        }
        return handle
    }

    /// Runs a closure that reads, and returns the tables that it has read.
    final func recordingRegion<Value>(_ body: () throws -> Value) rethrows -> (Value, Region) {
        readRegion = .nothing
        defer { readRegion = nil }
        let value = try body()
        return (value, readRegion ?? .nothing)
    }

    /// True if another connection has committed since the last call.
    final func noticesForeignCommit() throws -> Bool {
        let version = try access.internally { try first("PRAGMA data_version", as: Int64.self) }
        defer { dataVersion = version }
        return dataVersion != version
    }

    /// Records the tables that a statement is about to read and change.
    final func note(_ tables: StatementTables) {
        if durability != nil { changeRecord.add(tables) }
        if readRegion != nil { readRegion?.formUnion(tables.reads) }
    }
}

@available(*, unavailable)
extension Connection: Sendable {}

// SPDX-License-Identifier: MIT

import CSQLite

/// One connection to the file, inside a transaction. It exists only within the closures of ``Database/read(_:)`` and
/// ``Database/write(durability:_:)``; do not keep it.
///
/// Each statement is prepared once and kept. `CancellationError` is thrown from a running statement when the task is
/// cancelled.
public final class Connection {
    let name: String
    let configuration: Database.Configuration
    let access = ConnectionAccess()
    let busy: BusyHandler
    let checkpointer: Checkpointer
    // The properties without checks of exclusive access: each statement passes here several times, on one thread, and no
    // caller's code runs while one is being changed.
    @exclusivity(unchecked) var isInTransaction = false
    /// Nil where nothing is written.
    @exclusivity(unchecked) var durability: Durability?
    /// The tables that the transaction has changed so far.
    @exclusivity(unchecked) var changeRecord = ChangeRecord()
    /// Keeps others from replacing the file while it is open.
    var use: FileUse?
    /// Called with the tables that a commit has changed.
    var onCommit: ((Region) -> Void)?
    /// While set, gathers the tables that statements read.
    @exclusivity(unchecked) private var readRegion: Region?
    private var dataVersion: Int64?
    @exclusivity(unchecked) private(set) var handle: OpaquePointer?
    @exclusivity(unchecked) private var cache: StatementCache
    @exclusivity(unchecked) private var control = TransactionControl()

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

    /// The row ID of the newest row that this connection inserted; 0 before the first.
    public var lastInsertedRowID: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    /// How many rows the newest INSERT, UPDATE or DELETE changed, without triggers and cascades.
    public var changes: Int { handle.map { Int(sqlite3_changes64($0)) } ?? 0 }

    /// Closes the handle; a second call does nothing.
    func close() {
        cache.removeAll()
        control.removeAll()
        sqlite3_close_v2(handle)
        handle = nil
        use = nil
    }

    func openHandle() throws -> OpaquePointer {
        guard let handle else { throw DatabaseError(code: .closed, message: "\(name) was closed; open it again.") }
        return handle
    }

    func run(_ command: TransactionControl.Command) throws {
        let handle = try openHandle()
        try access.internally {
            let statement = try control.statement(for: command, on: handle, name: name)
            defer { statement.end() }
            while try statement.step() {}
        }
    }

    /// Runs one of the connection's own statements, which no rule binds and no cache keeps: a caller's COMMIT must not
    /// find one that was allowed to us.
    func internally(_ sql: StaticString) throws {
        try access.internally { try executeScript(sql) }
    }

    /// A statement that is ready to be bound. It must be ended.
    @usableFromInline
    func begin(_ source: StatementSource) throws -> Statement {
        let handle = try isInTransaction ? requireTransaction() : openHandle()
        if let statement = cache.find(source) {
            note(statement.tables)
            statement.begin()
            return statement
        }
        let (statement, tables) = try access.recording {
            try Statement(source.text, on: handle, name: name)
        }
        statement.tables = tables
        note(tables)
        cache.keep(statement, for: source)
        statement.begin()
        return statement
    }

    /// The handle, inside a transaction. SQLite ends one itself after some errors (a full disk, say): a closure that
    /// swallows such an error must not go on to write statement by statement.
    @discardableResult
    func requireTransaction() throws -> OpaquePointer {
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

    /// Runs a closure that reads, and says which tables it has read.
    func recordingRegion<Value>(_ body: () throws -> Value) rethrows -> (Value, Region) {
        readRegion = .nothing
        defer { readRegion = nil }
        let value = try body()
        return (value, readRegion ?? .nothing)
    }

    /// Whether another connection has committed since the last call.
    func noticesForeignCommit() throws -> Bool {
        let version = try access.internally { try first("PRAGMA data_version", as: Int64.self) }
        defer { dataVersion = version }
        return dataVersion != version
    }

    /// Remembers what a statement is about to read and change.
    func note(_ tables: StatementTables) {
        if durability != nil { changeRecord.add(tables) }
        if readRegion != nil { readRegion?.formUnion(tables.reads) }
    }
}

@available(*, unavailable)
extension Connection: Sendable {}

// SPDX-License-Identifier: MIT

import CSQLite

/// A prepared statement of one connection.
@usableFromInline
final class Statement {
    /// Small values are written here, one after another, and SQLite reads them in place.
    private static let arenaSize = 16_384

    let text: String
    @usableFromInline let handle: OpaquePointer
    /// False for a statement that writes the file in any way.
    let isReadOnly: Bool
    /// Lives as long as this object.
    let lookup: UnsafeMutablePointer<ColumnLookup>
    var tables = StatementTables(reads: .nothing, writes: .nothing)
    // These and the arena are not checked for exclusive access: they are touched for each row or value, on one thread,
    // and no other code runs meanwhile.
    @exclusivity(unchecked) var isRunning = false
    /// Counts up with the uses of its cache.
    @exclusivity(unchecked) var lastUse = 0
    private let connection: OpaquePointer
    private let name: String
    private let parameterCount: Int
    @exclusivity(unchecked) private var arena: UnsafeMutableRawPointer?
    @exclusivity(unchecked) private var arenaUsed = 0

    /// Prepares a text that holds exactly one statement.
    init(_ text: String, on connection: OpaquePointer, name: String) throws {
        var text = text
        let (prepared, rest) = try text.withUTF8 { buffer in
            try Self.prepare(buffer, flags: UInt32(SQLITE_PREPARE_PERSISTENT), connection, name)
        }
        guard let prepared else {
            throw DatabaseError(code: .invalidSQL, message: "There is no statement in “\(text)”.")
        }
        handle = prepared
        isReadOnly = sqlite3_stmt_readonly(prepared) != 0
        lookup = .allocate(capacity: 1)
        lookup.initialize(to: ColumnLookup())
        self.text = text
        self.connection = connection
        self.name = name
        parameterCount = Int(sqlite3_bind_parameter_count(prepared))
        // A second statement would silently not run, so anything after the first but a comment is refused.
        if rest > 0 {
            let next = try? text.withUTF8 { buffer in
                try Self.prepare(UnsafeBufferPointer(rebasing: buffer.suffix(rest)), flags: 0, connection, name)
            }
            guard let next, next.statement == nil else {
                sqlite3_finalize(next?.statement)
                throw DatabaseError(code: .invalidSQL, message: "There is more than one statement in “\(text)”.")
            }
        }
    }

    deinit {
        sqlite3_finalize(handle)
        lookup.pointee.deallocate()
        lookup.deallocate()
        arena?.deallocate()
    }

    /// Prepares the first statement of a text. Returns the number of bytes that follow it; the statement is nil in a
    /// text without one.
    static func prepare(
        _ text: UnsafeBufferPointer<UInt8>, flags: UInt32, _ connection: OpaquePointer, _ name: String
    ) throws -> (statement: OpaquePointer?, rest: Int) {
        guard let base = text.baseAddress, !text.isEmpty else { return (nil, 0) }
        guard text.count < Int(Int32.max) else {
            throw DatabaseError(code: .tooLarge, message: "The statement is longer than 2 GB.")
        }
        return try base.withMemoryRebound(to: CChar.self, capacity: text.count) { start in
            var statement: OpaquePointer?
            var tail: UnsafePointer<CChar>?
            let result = sqlite3_prepare_v3(connection, start, Int32(text.count), flags, &statement, &tail)
            guard result == SQLITE_OK else { throw DatabaseError(sqlite: result, on: connection, name: name) }
            return (statement, tail.map { text.count - (UnsafePointer($0) - start) } ?? 0)
        }
    }

    /// Runs to the next row; false after the last.
    @usableFromInline
    func step() throws -> Bool {
        let result = sqlite3_step(handle)
        if result == SQLITE_ROW {
            lookup.pointee.beginRow()
            return true
        }
        if result == SQLITE_DONE { return false }
        throw failure(result)
    }

    /// Makes the statement ready to run again; its values stay until they are replaced.
    @usableFromInline
    func reset() {
        sqlite3_reset(handle)
    }

    /// Takes the statement from its cache.
    func begin() {
        isRunning = true
        lookup.pointee.beginRun()
    }

    /// Gives the statement back to its cache.
    @usableFromInline
    func end() {
        reset()
        isRunning = false
    }

    func requireValues(_ count: Int) throws {
        guard count == parameterCount else {
            throw DatabaseError(
                code: .invalidSQL,
                message: "“\(text)” has \(parameterCount) parameters for \(count) values: write values as \\(value).")
        }
    }

    func failure(_ result: Int32) -> any Error {
        // The progress handler interrupts a statement when its task is cancelled, and a wait for a lock ends.
        let kind = result & 0xFF
        if kind == SQLITE_INTERRUPT || kind == SQLITE_BUSY, Task.isCancelled { return CancellationError() }
        return DatabaseError(
            sqlite: result, on: connection, name: name,
            statement: ConstrainedStatement(connection: connection, text: text, table: tables.writes.onlyTable))
    }

    // MARK: Values

    func clearArena() {
        arenaUsed = 0
    }

    func bindNull(at index: Int32) throws {
        try check(sqlite3_bind_null(handle, index))
    }

    func bind(_ integer: Int64, at index: Int32) throws {
        try check(sqlite3_bind_int64(handle, index, integer))
    }

    func bind(_ real: Double, at index: Int32) throws {
        guard !real.isNaN else {
            throw DatabaseError(
                code: .invalidValue,
                message: "Value \(index) of “\(text)” is not a number (or a date out of range); it cannot be stored.")
        }
        try check(sqlite3_bind_double(handle, index, real))
    }

    func bindCopy(text: UnsafeBufferPointer<UInt8>, at index: Int32) throws {
        if let copy = copyInArena(UnsafeRawBufferPointer(text)) {
            let start = copy.assumingMemoryBound(to: CChar.self)
            return try check(
                sqlite3_bind_text64(handle, index, start, UInt64(text.count), nil, UInt8(SQLITE_UTF8)))
        }
        try text.withMemoryRebound(to: CChar.self) { text in
            try check(csqlite_bind_text(handle, index, text.baseAddress, UInt64(text.count)))
        }
    }

    func bindCopy(blob: UnsafeRawBufferPointer, at index: Int32) throws {
        if let copy = copyInArena(blob) {
            return try check(sqlite3_bind_blob64(handle, index, copy, UInt64(blob.count), nil))
        }
        try check(csqlite_bind_blob(handle, index, blob.baseAddress, UInt64(blob.count)))
    }

    /// Binds text that stays where it is until the statement is reset.
    func bindInPlace(text: UnsafeBufferPointer<UInt8>, at index: Int32) throws {
        try text.withMemoryRebound(to: CChar.self) { text in
            try check(
                sqlite3_bind_text64(
                    handle, index, text.baseAddress, UInt64(text.count), nil, UInt8(SQLITE_UTF8)))
        }
    }

    /// Binds bytes that stay where they are until the statement is reset.
    func bindInPlace(blob: UnsafeRawBufferPointer, at index: Int32) throws {
        try check(sqlite3_bind_blob64(handle, index, blob.baseAddress, UInt64(blob.count), nil))
    }

    /// Removes the values, some of which are stored elsewhere.
    func clearBindings() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// The address of a copy that lives until the arena is cleared; nil if it does not fit. Never nil for empty bytes:
    /// SQLite takes a null pointer for NULL.
    private func copyInArena(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
        guard bytes.count <= Self.arenaSize - arenaUsed else { return nil }
        let arena = arena ?? .allocate(byteCount: Self.arenaSize, alignment: 16)
        self.arena = arena
        let place = arena + arenaUsed
        if let base = bytes.baseAddress { place.copyMemory(from: base, byteCount: bytes.count) }
        arenaUsed += bytes.count
        return place
    }

    private func check(_ result: Int32) throws {
        guard result == SQLITE_OK else { throw DatabaseError(sqlite: result, on: connection, name: name) }
    }
}

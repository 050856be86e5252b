// SPDX-License-Identifier: MIT

import CSQLite

/// A prepared statement of one connection.
final class Statement {
    let text: String
    let handle: OpaquePointer
    private let connection: OpaquePointer
    private let name: String

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
        self.text = text
        self.connection = connection
        self.name = name
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
    }

    /// Prepares the first statement of a text. Says how many bytes follow it; the statement is nil in a text without one.
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

    /// Binds the values to the question marks, of which there must be as many.
    func bind(_ values: [SQLValue]) throws {
        let expected = Int(sqlite3_bind_parameter_count(handle))
        guard expected == values.count else {
            throw DatabaseError(
                code: .invalidSQL,
                message: "“\(text)” has \(expected) parameters for \(values.count) values: write values as \\(value).")
        }
        for (offset, value) in values.enumerated() {
            let result = try bind(value, at: Int32(offset + 1))
            guard result == SQLITE_OK else { throw DatabaseError(sqlite: result, on: connection, name: name) }
        }
    }

    private func bind(_ value: SQLValue, at index: Int32) throws -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let integer): return sqlite3_bind_int64(handle, index, integer)
        case .real(let real):
            guard !real.isNaN else {
                throw DatabaseError(
                    code: .invalidValue,
                    message:
                        "Value \(index) of “\(text)” is not a number (or a date out of range); it cannot be stored.")
            }
            return sqlite3_bind_double(handle, index, real)
        case .text(var string):
            return string.withUTF8 { buffer in
                // An empty string's buffer may have no address, which SQLite would take for NULL.
                guard let base = buffer.baseAddress else { return csqlite_bind_text(handle, index, "", 0) }
                return base.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
                    csqlite_bind_text(handle, index, $0, UInt64(buffer.count))
                }
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
            return bytes.withUnsafeBytes { csqlite_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) }
        }
    }

    /// Runs to the next row; false when there is none.
    func step() throws -> Bool {
        let result = sqlite3_step(handle)
        switch result {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            // The progress handler interrupts a statement when its task is cancelled.
            if result & 0xFF == SQLITE_INTERRUPT && Task.isCancelled { throw CancellationError() }
            throw DatabaseError(sqlite: result, on: connection, name: name)
        }
    }

    /// Makes the statement ready to run again and lets go of its values.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}

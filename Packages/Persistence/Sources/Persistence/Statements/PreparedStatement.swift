// SPDX-License-Identifier: MIT

/// A statement that is prepared once and run with other values each time; made by ``Connection/prepare(_:)``.
///
/// It cannot be copied and lives no longer than the transaction that it was made in. Values of up to 16 KB together are
/// written into one buffer that is kept, and SQLite reads them there; larger ones are copied once.
public struct PreparedStatement: ~Copyable {
    @usableFromInline let statement: Statement
    private let connection: Connection

    init(_ statement: Statement, on connection: Connection) {
        self.statement = statement
        self.connection = connection
    }

    deinit {
        statement.end()
    }

    /// Runs the statement to its end with these values, one for each `?`.
    @inlinable
    public func execute<each Value: SQLValueConvertible>(_ values: repeat each Value) throws {
        var binder = try start()
        repeat try (each values).bind(to: &binder)
        try binder.finish()
        try runToEnd()
    }

    /// Runs the query with these values and decodes each row, in the query's order.
    @inlinable
    public func query<Decoded, each Value: SQLValueConvertible>(
        _ values: repeat each Value, decode: (borrowing Row) throws -> Decoded
    ) throws -> [Decoded] {
        var binder = try start()
        repeat try (each values).bind(to: &binder)
        try binder.finish()
        defer { statement.reset() }
        var decoded: [Decoded] = []
        while try statement.step() { decoded.append(try decode(Row(statement))) }
        return decoded
    }

    /// Runs the query with these values up to its first row; nil when there is none.
    @inlinable
    public func first<Decoded, each Value: SQLValueConvertible>(
        _ values: repeat each Value, decode: (borrowing Row) throws -> Decoded
    ) throws -> Decoded? {
        var binder = try start()
        repeat try (each values).bind(to: &binder)
        try binder.finish()
        defer { statement.reset() }
        return try statement.step() ? decode(Row(statement)) : nil
    }

    @usableFromInline
    func start() throws -> StatementBinder {
        try connection.requireTransaction()
        connection.note(statement.tables)
        return StatementBinder(statement)
    }

    @usableFromInline
    func runToEnd() throws {
        defer { statement.reset() }
        while try statement.step() {}
    }
}

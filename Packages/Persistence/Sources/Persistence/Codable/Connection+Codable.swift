// SPDX-License-Identifier: MIT

extension Connection {
    /// Runs a query and decodes each row into a `Decodable` type, its properties from the columns with their names.
    ///
    /// A convenience: about five times as slow as ``query(_:_:)`` with a closure, which stays the way for many rows.
    ///
    /// - Integers of every size, `Bool` (0 or 1), `Double`, `Float`, `String`, `[UInt8]` and `Data` (blobs), and `Date` (integer
    ///   milliseconds since 1970) are read as ``Row`` reads them; types that consist of one such value, such as an enum with
    ///   a raw value or a `UUID` as text, as well.
    /// - NULL is nil, and an error for what is not optional. A column that is missing is an error also for an optional.
    /// - Columns that nothing asks for are passed over. Of two columns with one name, neither can be read.
    /// - A type of one value, such as `Int`, is read from the only column.
    ///
    /// - Throws: ``DatabaseError`` with `typeMismatch`, which names the column; what the type's own `init(from:)` throws.
    public func query<Value: Decodable>(_ sql: SQL, as type: Value.Type) throws -> [Value] {
        try withStatement(sql) { statement in
            var values: [Value] = []
            var decoder: RowDecoder?
            defer { decoder?.end() }
            while try statement.step() {
                // Not before the first step, which prepares the statement anew when the schema has changed.
                let current = decoder ?? RowDecoder(statement)
                decoder = current
                values.append(try current.decode(type))
            }
            return values
        }
    }

    /// Runs a query up to its first row and decodes it as ``query(_:as:)`` does; nil when there is none.
    public func first<Value: Decodable>(_ sql: SQL, as type: Value.Type) throws -> Value? {
        try withStatement(sql) { statement in
            guard try statement.step() else { return nil }
            let decoder = RowDecoder(statement)
            defer { decoder.end() }
            return try decoder.decode(type)
        }
    }

    /// Inserts a value as a row: each of its properties into the column with its name, as ``query(_:as:)`` reads them back.
    ///
    /// A property that is nil becomes NULL, also where the column has a default. A property that is not one value, such as
    /// an array, is an error. Fails as an INSERT does when a row with its key is there.
    ///
    /// - Parameters:
    ///   - value: A struct, or another type that encodes itself by keys.
    ///   - table: The table's name, a literal in the program.
    /// - Throws: ``DatabaseError`` with `invalidValue`, which names the column, `invalidSQL` for a column that the table does
    ///   not have, `constraint`, …; what the type's own `encode(to:)` throws.
    public func insert(_ value: some Encodable, into table: StaticString) throws {
        let encoder = RowEncoder()
        try value.encode(to: encoder)
        guard !encoder.values.names.isEmpty else {
            throw DatabaseError(code: .invalidValue, message: "A value without properties is no row of \(table).")
        }
        // The names may come from data, as those of a dictionary do; quoted, they cannot be anything but names.
        let names = encoder.values.names.map(TableSalvager.quoted).joined(separator: ", ")
        let marks = Array(repeating: "?", count: encoder.values.names.count).joined(separator: ", ")
        let sql = SQL(
            fromDatabase: "INSERT INTO \(TableSalvager.quoted(table.description)) (\(names)) VALUES (\(marks))",
            bindings: encoder.values.values)
        try execute(sql)
    }
}

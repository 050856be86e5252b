// SPDX-License-Identifier: MIT

import Digests
import Networking
import Persistence

/// The rows of a table in one database, in the order of the key, which is the same everywhere.
struct TransferRows: Sendable {
    let table: TransferTable
    let shape: TransferTable.Shape
    /// True for PostgreSQL, which assigns numbers itself unless a statement overrides it.
    let isShared: Bool

    init(_ table: TransferTable, isShared: Bool) {
        self.init(table, isShared ? table.shared : table.home, isShared: isShared)
    }

    init(_ table: TransferTable, _ shape: TransferTable.Shape, isShared: Bool) {
        (self.table, self.shape, self.isShared) = (table, shape, isShared)
    }

    nonisolated(nonsending) func count(_ reader: any SQLReader) async throws -> Int {
        try await reader.first(
            "SELECT count(*) AS number FROM \(sql: shape.source) WHERE \(sql: table.filter)", as: Int.self) ?? 0
    }

    /// The rows after a key, at most a batch.
    nonisolated(nonsending) func page(after key: [SQLValue]?, _ reader: any SQLReader) async throws -> [[SQLValue]] {
        var filter = table.filter
        if let key { filter = "\(sql: filter) AND (\(sql: shape.key)) > \(list: key)" }
        return try await reader.query(
            """
            SELECT \(sql: shape.columns) FROM \(sql: shape.source) WHERE \(sql: filter)
            ORDER BY \(sql: shape.key) LIMIT \(table.batch)
            """
        ) { $0.values }
    }

    /// The greatest key; nil for an empty table.
    nonisolated(nonsending) func lastKey(_ reader: any SQLReader) async throws -> [SQLValue]? {
        let orders: [SQL] = ["1 DESC", "1 DESC, 2 DESC", "1 DESC, 2 DESC, 3 DESC"]
        let order = orders[shape.keyWidth - 1]
        return try await reader.first(
            """
            SELECT \(sql: shape.key) FROM \(sql: shape.source) WHERE \(sql: table.filter)
            ORDER BY \(sql: order) LIMIT 1
            """
        ) { $0.values }
    }

    func key(of row: [SQLValue]) -> [SQLValue] { Array(row.prefix(shape.keyWidth)) }

    nonisolated(nonsending) func insert(_ rows: [[SQLValue]], _ writer: any SQLWriter) async throws {
        guard !rows.isEmpty else { return }
        var list = SQL.StringInterpolation(literalCapacity: 0, interpolationCount: rows.count)
        for (index, row) in rows.enumerated() {
            if index > 0 { list.appendLiteral(", ") }
            list.appendInterpolation(list: row)
        }
        let values = SQL(stringInterpolation: list)
        let overriding: SQL = isShared && table.hasNumber ? "OVERRIDING SYSTEM VALUE" : ""
        try await writer.execute(
            "INSERT INTO \(sql: shape.source) (\(sql: shape.columns)) \(sql: overriding) VALUES \(sql: values)")
    }

    /// Reads the whole table.
    nonisolated(nonsending) func sum(_ reader: any SQLReader) async throws -> TransferSum {
        var sum = try TransferSum()
        var last: [SQLValue]?
        while true {
            let rows = try await page(after: last, reader)
            for row in rows { try sum.add(row) }
            guard let end = rows.last, rows.count == table.batch else { return sum }
            last = key(of: end)
        }
    }
}

/// The number and the digest of a table's rows: SHA-256 over each value's type, length and bytes, in the order of the key.
struct TransferSum: Sendable, Equatable {
    private(set) var rows = 0
    /// The digest of all rows so far: each row's is chained to it.
    private(set) var hash: [UInt8]

    init() throws { hash = try MessageDigest.hash([], .sha256) }

    /// The digest in hexadecimal digits.
    var text: String { Hexadecimal.text(hash) }

    mutating func add(_ row: [SQLValue]) throws {
        var bytes = hash
        for value in row { Self.append(value, to: &bytes) }
        hash = try MessageDigest.hash(bytes, .sha256)
        rows += 1
    }

    private static func append(_ value: SQLValue, to bytes: inout [UInt8]) {
        func append(_ kind: UInt8, _ content: some Collection<UInt8>) {
            bytes.append(kind)
            withUnsafeBytes(of: UInt64(content.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: content)
        }
        switch value {
        case .null: append(0, EmptyCollection())
        case .integer(let integer): withUnsafeBytes(of: integer.bigEndian) { append(1, $0) }
        case .real(let real): withUnsafeBytes(of: real.bitPattern.bigEndian) { append(2, $0) }
        case .text(let text): append(3, text.utf8)
        case .blob(let content): append(4, content)
        }
    }
}

// SPDX-License-Identifier: MIT

import CRawSQLite
import Glibc

/// The same work on the C API.
struct Raw {
    let path: String

    func insert(_ items: [Item]) -> Duration { with(items) { raw_insert(path, $0, items.count) } }

    func transactions(_ items: [Item], full: Bool) -> Duration {
        with(items) { raw_transactions(path, $0, items.count, full ? 1 : 0) }
    }

    func handedTransactions(_ items: [Item], full: Bool) -> Duration {
        with(items) { raw_handed_transactions(path, $0, items.count, full ? 1 : 0) }
    }

    func read(_ count: Int) -> Duration { duration(raw_read(path, count)) }

    /// The C API called from Swift with the same strings as the database is given, lent for each run.
    func insertFromSwift(_ items: [Item]) -> Duration {
        var (database, statement): (OpaquePointer?, OpaquePointer?)
        precondition(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK)
        defer { sqlite3_close(database) }
        sqlite3_exec(database, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", nil, nil, nil)
        let start = raw_now()
        sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil)
        sqlite3_prepare_v2(
            database, "INSERT INTO item (id, name, amount) VALUES (?, ?, ?)", -1, &statement, nil)
        for item in items {
            sqlite3_bind_int64(statement, 1, item.id)
            sqlite3_bind_double(statement, 3, item.amount)
            var name = item.name
            let result = name.withUTF8 { bytes in
                let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
                sqlite3_bind_text(statement, 2, start, Int32(bytes.count), nil)
                defer { sqlite3_reset(statement) }
                return sqlite3_step(statement)
            }
            precondition(result == SQLITE_DONE)
        }
        precondition(sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_OK)
        let end = raw_now()
        sqlite3_finalize(statement)
        return .nanoseconds(end - start)
    }

    /// The C API called from Swift, which makes the same structs, with the same strings, as the database does.
    func readIntoSwift(_ count: Int) -> Duration {
        var (database, statement): (OpaquePointer?, OpaquePointer?)
        precondition(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK)
        defer { sqlite3_close(database) }
        let start = raw_now()
        sqlite3_exec(database, "BEGIN", nil, nil, nil)
        sqlite3_prepare_v2(database, "SELECT id, name, amount FROM item ORDER BY id", -1, &statement, nil)
        var found: [Item] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            found.append(
                Item(
                    id: sqlite3_column_int64(statement, 0), name: String(cString: sqlite3_column_text(statement, 1)),
                    amount: sqlite3_column_double(statement, 2)))
        }
        sqlite3_finalize(statement)
        sqlite3_exec(database, "COMMIT", nil, nil, nil)
        let end = raw_now()
        precondition(found.count == count)
        return .nanoseconds(end - start)
    }

    func lookUp(_ keys: [Int64]) -> Duration {
        duration(keys.map { CLongLong($0) }.withUnsafeBufferPointer { raw_look_up(path, $0.baseAddress, keys.count) })
    }

    private func with(_ items: [Item], _ body: (UnsafePointer<raw_item>?) -> Int64) -> Duration {
        let items = items.map { raw_item(id: $0.id, name: strdup($0.name), amount: $0.amount) }
        defer { for item in items { free(item.name) } }
        return duration(items.withUnsafeBufferPointer { body($0.baseAddress) })
    }

    private func duration(_ nanoseconds: Int64) -> Duration {
        precondition(nanoseconds >= 0, "the C API failed")
        return .nanoseconds(nanoseconds)
    }
}

// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A cache's statements inside one transaction.
struct CacheTable<Access: Connection> {
    let connection: Access
    let configuration: CacheStore.Configuration
    let now: Date

    func entry(_ key: String) throws -> (id: Int64, entry: CacheEntry)? {
        try connection.first(
            """
            SELECT id, bytes, metadata, stored_at FROM cache_entry JOIN cache_content ON entry = id
            WHERE key = \(key) AND stored_at BETWEEN \(oldest) AND \(now)
            """
        ) { row in
            let entry = CacheEntry(
                value: try row["bytes"], metadata: try row["metadata"], storedAt: try row["stored_at"])
            return (try row["id"], entry)
        }
    }

    func forEach(_ body: (CacheEntry) throws -> Void) throws {
        try connection.forEach(
            """
            SELECT bytes, metadata, stored_at FROM cache_entry JOIN cache_content ON entry = id
            WHERE stored_at BETWEEN \(oldest) AND \(now) ORDER BY stored_at DESC, id DESC
            """
        ) { row in
            try body(CacheEntry(value: try row["bytes"], metadata: try row["metadata"], storedAt: try row["stored_at"]))
        }
    }

    /// Stores an entry and makes room for it.
    func set(_ bytes: [UInt8], metadata: [UInt8], size: Int, for key: String) throws
    where Access == WritableConnection {
        try removeOutdated()
        try remove(key)
        try evict(until: configuration.maximumBytes - size)
        try connection.execute(
            """
            INSERT INTO cache_entry (key, size, stored_at, used)
            VALUES (\(key), \(size), \(now), \(try newestUse() + 1))
            """)
        try connection.execute(
            "INSERT INTO cache_content VALUES (\(connection.lastInsertedRowID), \(metadata), \(bytes))")
    }

    func remove(_ key: String) throws where Access == WritableConnection {
        try connection.execute("DELETE FROM cache_entry WHERE key = \(key)")
    }

    /// Stores the order in which entries were used.
    func touch(_ ids: [Int64]) throws where Access == WritableConnection {
        var use = try newestUse()
        for id in ids {
            use += 1
            try connection.execute("UPDATE cache_entry SET used = \(use) WHERE id = \(id)")
        }
    }

    func usage() throws -> CacheUsage {
        try connection.first("SELECT entries, bytes FROM cache_total") { row in
            CacheUsage(entries: try row["entries"], bytes: try row["bytes"])
        } ?? CacheUsage(entries: 0, bytes: 0)
    }

    private var oldest: Date { now.addingTimeInterval(-(configuration.maximumAge / .seconds(1))) }

    private func newestUse() throws -> Int {
        try connection.first("SELECT used FROM cache_entry ORDER BY used DESC LIMIT 1", as: Int.self) ?? 0
    }

    private func removeOutdated() throws where Access == WritableConnection {
        try connection.execute("DELETE FROM cache_entry WHERE stored_at < \(oldest)")
        // The clock was set back: the age of these is unknown.
        try connection.execute("DELETE FROM cache_entry WHERE stored_at > \(now)")
    }

    /// Removes entries until `size` more bytes fit; see ``CacheStore/makeRoom(for:removing:)``.
    func makeRoom(for size: Int, removing order: ([CacheItem]) -> [CacheItem]) throws -> Bool
    where Access == WritableConnection {
        let most = configuration.maximumBytes - size
        guard try usage().bytes > most else { return true }
        try removeOutdated()
        var total = try usage().bytes
        guard total > most else { return true }
        for item in try order(items()) where total > most - configuration.maximumBytes / 20 {
            total -=
                try connection.first("DELETE FROM cache_entry WHERE key = \(item.key) RETURNING size", as: Int.self)
                ?? 0
        }
        return total <= most
    }

    private func items() throws -> [CacheItem] {
        try connection.query("SELECT key, size, stored_at FROM cache_entry ORDER BY used") { row in
            CacheItem(key: try row["key"], size: try row["size"], storedAt: try row["stored_at"])
        }
    }

    private func evict(until limit: Int) throws where Access == WritableConnection {
        var total = try usage().bytes
        while total > limit {
            let size = try connection.first(
                """
                DELETE FROM cache_entry WHERE id = (SELECT id FROM cache_entry ORDER BY used LIMIT 1) RETURNING size
                """, as: Int.self)
            guard let size else { return }
            total -= size
        }
    }
}

// SPDX-License-Identifier: MIT

public import Diagnostics
public import FoundationEssentials

/// A cache on the disk, bounded in size and age. When it is full, the least recently used entry is removed.
///
/// It survives the end of the process; power loss may take the newest entries. A file that is damaged, or that another
/// version of the program has made, is set aside and the cache begins anew. Several processes may use one file; each
/// learns of the others' hits with their next writes.
public actor CacheStore {
    /// The bounds.
    public nonisolated let configuration: Configuration
    private let file: CacheFile
    private let now: @Sendable () -> Date
    private var database: Database
    private var reopening: Task<Database, any Error>?
    private var isClosed = false
    /// The entries that were used since the last write, with the hit's number.
    private var hits: [Int64: Int] = [:]
    private var hitCount = 0

    /// Opens a cache, or creates it and the folders on its path.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - configuration: The bounds.
    ///   - seal: The seal of the file; a plain file, or one of another key, is set aside.
    ///   - now: The wall clock. When it is set back, entries with a date in the future are dropped.
    ///   - logger: Logs that the cache begins anew.
    /// - Throws: The errors of ``Database/init(at:configuration:logger:)``, except for damage.
    public init(
        at path: String, configuration: Configuration = .init(), seal: DatabaseSeal? = nil,
        now: @escaping @Sendable () -> Date = { Date() }, logger: Logger = .disabled
    ) async throws {
        self.configuration = configuration
        self.now = now
        file = CacheFile(path: path, seal: seal, logger: logger.with(category: "cache"))
        database = try await file.open()
    }

    /// The entry of a key, unless it has expired; it then counts as used.
    public func entry(for key: String) async throws -> CacheEntry? {
        guard let (id, entry) = try await read({ try $0.entry(key) }) else { return nil }
        hitCount += 1
        hits[id] = hitCount
        if hits.count >= configuration.hitsPerWrite { try await flush() }
        return entry
    }

    /// Stores an entry in the place of the key's present one, and evicts others until it fits, in one transaction.
    ///
    /// - Throws: ``DatabaseError`` with `tooLarge` when key, metadata and value together are over the cache's size; the
    ///   present entry then stays. Otherwise the errors of a write.
    public func set(_ value: [UInt8], metadata: [UInt8] = [], for key: String) async throws {
        let size = value.count + metadata.count + key.utf8.count
        guard size <= configuration.maximumBytes else {
            throw DatabaseError(
                code: .tooLarge,
                message: "An entry of \(size) bytes is over the cache's \(configuration.maximumBytes): make the cache "
                    + "larger, or do not keep this entry.")
        }
        try await write { try $0.set(value, metadata: metadata, size: size, for: key) }
    }

    /// Removes entries in the caller's order until `size` bytes of key, metadata and value fit, in one transaction. Beyond that
    /// it frees a twentieth of the cache, so that the next entries need no decision.
    ///
    /// - Parameter order: Called only in a full cache, with its entries, the least recently used first. Returns those that may
    ///   go, the first to go first.
    /// - Returns: True if there is room; false if what may go was not enough and is gone, or if `size` is over the cache's size.
    public func makeRoom(
        for size: Int, removing order: @escaping @Sendable ([CacheItem]) -> [CacheItem]
    ) async throws -> Bool {
        guard size <= configuration.maximumBytes else { return false }
        return try await write { try $0.makeRoom(for: size, removing: order) }
    }

    /// Removes a key's entry, if there is one.
    public func remove(_ key: String) async throws {
        try await write { try $0.remove(key) }
    }

    /// Removes every entry, from the file's log, too.
    public func removeAll() async throws {
        try await write { try $0.connection.execute("DELETE FROM cache_entry") }
        try await run { try await $0.emptyLog() }
    }

    /// Calls `body` with each entry that has not expired, the newest first; they do not count as used.
    public func forEach(_ body: @escaping @Sendable (CacheEntry) throws -> Void) async throws {
        try await read { try $0.forEach(body) }
    }

    /// The number and size of the stored entries.
    public func usage() async throws -> CacheUsage {
        try await read { try $0.usage() }
    }

    /// Writes the order of use down now.
    public func flush() async throws {
        if !hits.isEmpty { try await write { _ in } }
    }

    /// Writes the order of use down and closes the file. Later uses throw (`closed`).
    public func close() async {
        // A lost order costs a wrong eviction.
        try? await flush()
        isClosed = true
        await database.close()
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (CacheTable<WritableConnection>) throws -> Value
    ) async throws -> Value {
        let used = hits.sorted { $0.value < $1.value }.map(\.key)
        hits = [:]
        let (configuration, now) = (configuration, now())
        return try await run { database in
            try await database.write(durability: .normal) { connection in
                let table = CacheTable(connection: connection, configuration: configuration, now: now)
                try table.touch(used)
                return try body(table)
            }
        }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (CacheTable<Connection>) throws -> Value
    ) async throws -> Value {
        let (configuration, now) = (configuration, now())
        return try await run { database in
            try await database.read { try body(CacheTable(connection: $0, configuration: configuration, now: now)) }
        }
    }

    /// Runs a transaction, and once more on a new file if it finds damage.
    private func run<Value: Sendable>(_ body: (Database) async throws -> Value) async throws -> Value {
        let used = database
        do {
            return try await body(used)
        } catch let error as DatabaseError where isSupplanted(error.code) {
            return try await body(try await reopened(instead: used))
        }
    }

    /// True if an error may mean that the file is damaged, or that it was replaced because it was: SQLite does not
    /// write to a file that was renamed.
    private func isSupplanted(_ code: DatabaseError.Code) -> Bool {
        code == .damaged || code == .readOnly || (code == .closed && !isClosed)
    }

    /// The file that takes the place of `damaged`; concurrent callers that find the damage get the same one.
    private func reopened(instead damaged: Database) async throws -> Database {
        guard database === damaged else { return database }
        let task = reopening ?? Task { [file] in try await file.reopen(instead: damaged) }
        reopening = task
        defer { reopening = nil }
        database = try await task.value
        hits = [:]
        return database
    }
}

/// An entry of a ``CacheStore``.
public struct CacheEntry: Sendable, Equatable {
    /// The stored bytes.
    public let value: [UInt8]
    /// The caller's data beside them, such as a response's headers.
    public let metadata: [UInt8]
    /// The time of storing, to the millisecond.
    public let storedAt: Date
}

/// An entry of a ``CacheStore`` without its content.
public struct CacheItem: Sendable, Hashable {
    /// The key.
    public let key: String
    /// The bytes of key, metadata and value.
    public let size: Int
    /// The time of storing, to the millisecond.
    public let storedAt: Date
}

/// The content of a ``CacheStore`` in numbers, expired entries that are not removed yet included.
public struct CacheUsage: Sendable, Equatable {
    /// The number of entries.
    public let entries: Int
    /// The bytes of keys, metadata and contents; the file is larger by SQLite's own pages.
    public let bytes: Int
}

extension CacheStore {
    /// A cache's bounds. Programs that share a file should use the same.
    public struct Configuration: Sendable, Equatable {
        /// The most bytes of keys, metadata and contents; 100 MB by default.
        public var maximumBytes: Int
        /// Entries above this age are not returned, and are removed with the next write; 7 days by default.
        public var maximumAge: Duration
        /// The hits after which the order of use is written; 64 by default. Every other write includes it.
        public var hitsPerWrite: Int

        /// A configuration.
        public init(
            maximumBytes: Int = 100_000_000, maximumAge: Duration = .seconds(7 * 86_400), hitsPerWrite: Int = 64
        ) {
            self.maximumBytes = maximumBytes
            self.maximumAge = maximumAge
            self.hitsPerWrite = hitsPerWrite
        }
    }
}

// SPDX-License-Identifier: MIT

extension Database {
    /// How a database is opened.
    public struct Configuration: Sendable {
        /// How long a statement waits for another process's lock before it throws `busy`; 5 seconds by default. A cancelled
        /// task waits no longer.
        public var busyTimeout: Duration
        /// Whether the file is only read: it must exist, and writing or migrating throws `readOnly`.
        public var isReadOnly: Bool
        /// Whether views and triggers may use virtual tables and functions that could have side effects; false by default, since
        /// a file can come from anywhere. SQLite before 3.41 counts FTS5 tables among them, so a trigger that writes one needs
        /// this; writing it in the same transaction as its source does not.
        public var trustsSchema: Bool
        /// How many prepared statements each connection keeps; 64 by default.
        public var statementCacheCapacity: Int

        /// How many connections read at the same time, each on a thread of its own that starts when it is needed; 4 by
        /// default, at least 1. More reads wait their turn.
        public var readerCount: Int
        /// After how many pages (4 KB each) in the log a commit copies them into the file; 1,000 by default, as in SQLite.
        /// The log can be larger while a read goes on that needs it.
        public var checkpointPages: Int
        /// The cipher of the file, its log and its backups; nil for a plain file. `Database.reseal` changes it.
        public var seal: DatabaseSeal?
        /// The SQLite VFS to use; nil for the system's. Tests put one in that fails.
        package var vfs: String?
        /// The VFS that seals, over ``vfs``; connections keep it.
        private(set) var sealedVFS: SealedVFS?

        /// A configuration.
        public init(
            busyTimeout: Duration = .seconds(5),
            isReadOnly: Bool = false,
            trustsSchema: Bool = false,
            statementCacheCapacity: Int = 64,
            readerCount: Int = 4,
            checkpointPages: Int = 1_000,
            seal: DatabaseSeal? = nil
        ) {
            self.busyTimeout = busyTimeout
            self.isReadOnly = isReadOnly
            self.trustsSchema = trustsSchema
            self.statementCacheCapacity = statementCacheCapacity
            self.readerCount = readerCount
            self.checkpointPages = checkpointPages
            self.seal = seal
        }

        /// The configuration with the VFS that its seal needs.
        func withVFS() throws -> Configuration {
            guard let seal, sealedVFS == nil else { return self }
            var configuration = self
            configuration.sealedVFS = try SealedVFS(seal, over: vfs)
            return configuration
        }

        /// The VFS that SQLite opens files with.
        var vfsName: String? { sealedVFS?.name ?? vfs }
    }
}

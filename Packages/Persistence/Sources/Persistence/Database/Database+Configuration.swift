// SPDX-License-Identifier: MIT

extension Database {
    /// How a database is opened.
    public struct Configuration: Sendable {
        /// How long a statement waits for another process's lock before it throws `busy`; 5 seconds by default. A cancelled
        /// task waits no longer.
        public var busyTimeout: Duration
        /// The cipher of the file, its log and its backups; nil for a plain file. `Database.reseal` changes it.
        public var seal: DatabaseSeal?
        /// Whether the file is only read: it must exist, and writing or migrating throws `readOnly`.
        package var isReadOnly = false
        /// How many prepared statements each connection keeps.
        package var statementCacheCapacity = 64
        /// How many connections read at the same time, each on a thread of its own that starts when it is needed; at least 1.
        package var readerCount = 4
        /// After how many pages (4 KB each) in the log a commit copies them into the file, as in SQLite.
        package var checkpointPages = 1_000
        /// The SQLite VFS to use; nil for the system's. Tests put one in that fails.
        package var vfs: String?
        /// The VFS that seals, over ``vfs``; connections keep it.
        private(set) var sealedVFS: SealedVFS?

        /// A configuration.
        public init(busyTimeout: Duration = .seconds(5), seal: DatabaseSeal? = nil) {
            self.busyTimeout = busyTimeout
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

// SPDX-License-Identifier: MIT

extension Database {
    /// The options for opening a database.
    public struct Configuration: Sendable {
        /// The longest wait for another process's lock before a statement throws `busy`; 5 seconds by default. A
        /// cancelled task waits no longer.
        public var busyTimeout: Duration
        /// The cipher of the file, its log and its backups; nil for a plain file. `Database.reseal` changes it.
        public var seal: DatabaseSeal?
        /// True to only read the file: it must exist, and writing or migrating throws `readOnly`.
        package var isReadOnly = false
        /// The number of prepared statements that each connection keeps.
        package var statementCacheCapacity = 64
        /// The number of concurrent readers, each on a thread of its own that starts when it is needed; at least 1.
        package var readerCount = 4
        /// The number of pages (4 KB each) in the log after which a commit copies them into the file, as in SQLite.
        package var checkpointPages = 1_000
        /// The SQLite VFS to use; nil for the system's. Tests use one that fails.
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

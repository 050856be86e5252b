// SPDX-License-Identifier: MIT

extension Database {
    /// How a database is opened.
    public struct Configuration: Sendable {
        /// How long a statement waits for another process's lock before it throws `busy`; 5 seconds by default.
        public var busyTimeout: Duration
        /// Whether the file is only read: it must exist, and writing or migrating throws `readOnly`.
        public var isReadOnly: Bool
        /// Whether views and triggers may use virtual tables and functions that could have side effects; false by default, since
        /// a file can come from anywhere. SQLite before 3.41 counts FTS5 tables among them, so a trigger that writes one needs
        /// this; writing it in the same transaction as its source does not.
        public var trustsSchema: Bool
        /// How many prepared statements each connection keeps; 64 by default.
        public var statementCacheCapacity: Int

        /// A configuration.
        public init(
            busyTimeout: Duration = .seconds(5),
            isReadOnly: Bool = false,
            trustsSchema: Bool = false,
            statementCacheCapacity: Int = 64
        ) {
            self.busyTimeout = busyTimeout
            self.isReadOnly = isReadOnly
            self.trustsSchema = trustsSchema
            self.statementCacheCapacity = statementCacheCapacity
        }

        var busyMilliseconds: Int32 {
            let (seconds, attoseconds) = busyTimeout.components
            guard seconds >= 0, seconds < 1_000_000 else { return seconds < 0 ? 0 : 1_000_000_000 }
            return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
        }
    }
}

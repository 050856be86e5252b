// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Postgres

/// The room on the disk of a PostgreSQL server, which an instance learns of by statements that fail: reading goes on, so
/// that no other check sees it.
final class DatabaseSpace: Sendable {
    private let isFull = Guarded(false)
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// Takes a statement's failure, and writes a line for the first of them.
    func noteFull(_ error: PostgresError) {
        guard isFull.withLock({ $0.exchange(with: true) }) == false else { return }
        logger.error(
            "the disk of the database is full; nothing is stored until there is room: \(error.message, privacy: .public)"
        )
    }

    /// Returns while there is room. After a failure it writes some pages that do not stay.
    ///
    /// - Throws: `PostgresError` with the code `diskFull`.
    func check(_ database: PostgresDatabase) async throws {
        guard isFull.withLock({ $0 }) else { return }
        try await database.write { connection in
            _ = try await connection.execute(
                """
                CREATE TEMPORARY TABLE parley_room ON COMMIT DROP AS
                SELECT repeat(md5(CAST(n AS TEXT)), 100) AS text FROM generate_series(1, 100) AS n
                """)
        }
        isFull.withLock { $0 = false }
        logger.notice("the disk of the database has room again")
    }
}

extension Bool {
    /// Sets a value, and returns the earlier one.
    fileprivate mutating func exchange(with value: Bool) -> Bool {
        defer { self = value }
        return self
    }
}

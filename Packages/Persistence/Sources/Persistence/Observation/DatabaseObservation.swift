// SPDX-License-Identifier: MIT

/// The results of a query, now and after each change of the tables that it reads; made by ``Database/observe(_:)``.
///
/// The first value is read at once. Later ones follow commits, of this process or another, that touch a table that the
/// query read, even if the result is the same. Nothing is buffered: a value is read when it is asked for, so that a
/// slow consumer gets the newest only, and many commits in a row make one value. It ends when its task is cancelled. It
/// throws the query's errors, and `closed` after the database is closed.
public struct DatabaseObservation<Value: Sendable>: AsyncSequence, Sendable {
    let database: Database
    let query: @Sendable (Connection) throws -> Value

    /// Starts an observation of its own.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(database: database, query: query)
    }

    /// Reads, waits for a change, reads again.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let database: Database
        let query: @Sendable (Connection) throws -> Value
        private var registration: Registration?
        private var isOver = false

        init(database: Database, query: @escaping @Sendable (Connection) throws -> Value) {
            self.database = database
            self.query = query
        }

        /// The next value; nil at cancellation.
        public mutating func next() async throws -> Value? {
            guard !isOver else { return nil }
            do {
                return try await read()
            } catch is CancellationError {
                isOver = true
                registration = nil
                return nil
            } catch {
                isOver = true
                registration = nil
                throw error
            }
        }

        private mutating func read() async throws -> Value {
            if let registration {
                await database.commits.change(for: registration.id)
            } else {
                registration = try Registration(database)
            }
            guard let id = registration?.id else { throw CancellationError() }
            database.commits.beginRead(id)
            let query = query
            let (value, region) = try await database.read { connection in
                try connection.recordingRegion { try query(connection) }
            }
            database.commits.endRead(id, region)
            return value
        }
    }

    /// An observer's registration, for as long as its iterator lives.
    private final class Registration: Sendable {
        let id: UInt64
        private let database: Database

        init(_ database: Database) throws {
            self.database = database
            // Before the first read, so that nothing is missed after it.
            try database.watcher.start()
            id = database.commits.add()
        }

        deinit {
            database.commits.remove(id)
            database.watcher.stop()
        }
    }
}

extension Database {
    /// Observes the result of a query.
    ///
    /// - Parameter query: Reads, like the closure of ``read(_:)``; it is called again after each change of the tables
    ///   it read.
    public func observe<Value: Sendable>(
        _ query: @escaping @Sendable (Connection) throws -> Value
    ) -> DatabaseObservation<Value> {
        DatabaseObservation(database: self, query: query)
    }
}

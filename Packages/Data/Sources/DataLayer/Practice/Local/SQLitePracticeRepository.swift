// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Persistence
public import PracticeWire

/// One owner's results in an SQLite database.
///
/// On a device the owner is who is signed in, or nobody; results of nobody belong to the first account that takes them over
/// with ``PracticeDatabase/adopt(by:queue:)``. Rows of one account are never listed for, found by or deleted by another.
public struct SQLitePracticeRepository: PracticeRepository {
    private let database: PracticeDatabase
    private let owner: String
    private let queue: OutboxSyncQueue?
    private let quota: PracticeQuota?

    /// The results of an owner.
    ///
    /// - Parameters:
    ///   - database: Where they are.
    ///   - owner: The account; `nil` for nobody.
    ///   - queue: Where results are put to be sent, in the transaction that stores them; `nil` when they stay here.
    ///   - quota: How much the owner may have; nil for any amount. What is over it is turned down with
    ///     `DomainError.overLimit`, and what is there stays.
    public init(
        _ database: PracticeDatabase, owner: String?, queue: OutboxSyncQueue? = nil, quota: PracticeQuota? = nil
    ) {
        self.database = database
        self.owner = owner ?? ""
        self.queue = queue
        self.quota = quota
    }

    /// See `PracticeRepository`.
    public func store(_ results: [PracticeResult]) async throws {
        _ = try await insertReturningNew(results)
    }

    /// Stores results, all or none, and returns the ids of the new ones.
    public func insertReturningNew(_ results: [PracticeResult]) async throws -> Set<Identifier<PracticeResult>> {
        let (owner, queue, quota) = (owner, queue, quota)
        return try await database.write { connection in
            let table = PracticeTable(connection: connection, owner: owner)
            var new: Set<Identifier<PracticeResult>> = []
            for result in results where try table.store(result) {
                new.insert(result.id)
                try queue?.enqueue(.send(.result, result.id), after: result.recording, on: connection)
            }
            if let quota, !new.isEmpty { try quota.check(table.usage()) }
            return new
        }
    }

    /// See `PracticeRepository`.
    public func result(_ id: Identifier<PracticeResult>) async throws -> PracticeResult? {
        try await database.read { [owner] in try PracticeTable(connection: $0, owner: owner).result(id) }
    }

    /// See `PracticeRepository`.
    public func page(_ query: PracticeQuery, after cursor: PracticeCursor?) async throws -> PracticePage {
        let listed = try await database.read { [owner] in
            try PracticeTable(connection: $0, owner: owner).list(query, after: cursor)
        }
        let next = listed.hasMore ? listed.results.last.map(PracticeCursor.init(after:)) : nil
        return PracticePage(results: listed.results, next: next)
    }

    /// What happened to the results after a place, 0 for the beginning; a page of at most 200.
    public func changes(after place: Int64, limit: Int = PracticeChanges.limits.upperBound) async throws
        -> PracticeChanges
    {
        try await database.read { [owner] in
            try PracticeTable(connection: $0, owner: owner).changes(after: place, limit: max(1, limit))
        }
    }

    /// See `PracticeRepository`. A result that waits to be sent is not sent any more, and the server is told, if there is a queue.
    public func delete(_ id: Identifier<PracticeResult>) async throws -> Bool {
        let (owner, queue, quota) = (owner, queue, quota)
        return try await database.write { connection in
            let table = PracticeTable(connection: connection, owner: owner)
            guard let result = try table.result(id), try table.delete(id) else { return false }
            try queue?.enqueue(.delete(.result, id), after: result.recording, on: connection)
            if let quota { try table.compactDeletions(to: quota.deletions) }
            return true
        }
    }
}

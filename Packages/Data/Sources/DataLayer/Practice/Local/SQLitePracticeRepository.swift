// SPDX-License-Identifier: MIT

public import Domain
import FoundationEssentials
import Persistence
public import PracticeWire

/// One owner's results in an SQLite database.
///
/// On a device the owner is the account that is signed in, or no account; results without an account belong to the
/// first account that adopts them with ``PracticeDatabase/adopt(by:queue:)``. No account can list, find or delete the
/// rows of another.
public struct SQLitePracticeRepository: PracticeRepository {
    private let database: PracticeDatabase
    private let owner: String
    private let queue: OutboxSyncQueue?
    private let quota: PracticeQuota?

    /// Makes the repository of an owner.
    ///
    /// - Parameters:
    ///   - database: The database with the results.
    ///   - owner: The account; `nil` for no account.
    ///   - queue: The queue that gets each result in the transaction that stores it; `nil` if results stay here.
    ///   - quota: The most that the owner may have; nil without a limit. A result above it is refused with
    ///     `DomainError.overLimit`, and stored ones stay.
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

    /// The changes of the results after a cursor, 0 for the beginning; a page of at most 200.
    public func changes(after cursor: Int64, limit: Int = PracticeChanges.limits.upperBound) async throws
        -> PracticeChanges
    {
        try await database.read { [owner] in
            try PracticeTable(connection: $0, owner: owner).changes(after: cursor, limit: max(1, limit))
        }
    }

    /// See `PracticeRepository`. A waiting result is not sent any more; with a queue, the server learns of the
    /// deletion.
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

// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import FoundationEssentials
import PracticeWire

/// The port to the catalogue of cues and to the results of all accounts.
protocol PracticeStorage: Sendable {
    var cues: any CueCatalogueStore { get }

    func results(of account: String, _ quota: PracticeQuota) -> any AccountResults

    /// The extent of all results that an account has now.
    func extent(of account: String) async throws -> PracticeExtent

    /// The extent of the results that were stored before the first result that was practised after a time.
    func extent(of account: String, practisedBefore time: Date) async throws -> PracticeExtent

    /// Deletes an account's results, in one transaction; results stored after `lastChange` stay.
    func deleteResults(of account: String, through lastChange: Int64) async throws

    /// Deletes everything of an account.
    func erase(_ account: String) async throws

    /// Called at each start: changes after it get higher numbers than all before, also those that a backup lacks.
    func beginChanges(at time: Date) async throws

    func close() async
}

/// The catalogue of cues, for its operator.
protocol CueCatalogueStore: CueRepository {
    /// Adds cues, or replaces those with the same ids; all or none.
    func add(_ cues: [Cue]) async throws
    /// Deletes cues; a missing one is no error.
    func remove(_ ids: [Identifier<Cue>]) async throws
    /// The number of cues.
    func count() async throws -> Int
}

/// The results of one account.
protocol AccountResults: PracticeRepository {
    /// Stores results, all or none, and returns the ids of the new ones.
    func insertReturningNew(_ results: [PracticeResult]) async throws -> Set<Identifier<PracticeResult>>
    /// The changes after a cursor, 0 for the beginning.
    func changes(after cursor: Int64, limit: Int) async throws -> PracticeChanges
}

extension SQLiteCueStore: CueCatalogueStore {}
extension SQLitePracticeRepository: AccountResults {}

/// The file of a home.
struct SQLitePracticeStorage: PracticeStorage {
    let database: PracticeDatabase

    var cues: any CueCatalogueStore { SQLiteCueStore(database) }

    func results(of account: String, _ quota: PracticeQuota) -> any AccountResults {
        SQLitePracticeRepository(database, owner: account, quota: quota)
    }

    func extent(of account: String) async throws -> PracticeExtent { try await database.extent(of: account) }

    func extent(of account: String, practisedBefore time: Date) async throws -> PracticeExtent {
        try await database.extent(of: account, practisedBefore: time)
    }

    func deleteResults(of account: String, through lastChange: Int64) async throws {
        try await database.deleteResults(of: account, through: lastChange)
    }

    func erase(_ account: String) async throws { _ = try await database.erase(owner: account) }

    func beginChanges(at time: Date) async throws { try await database.beginChanges(at: time) }

    func close() async { await database.close() }
}

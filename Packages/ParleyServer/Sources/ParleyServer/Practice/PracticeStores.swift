// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import FoundationEssentials
import Persistence

/// The server's data other than sign-in: three databases and the folder of sound.
struct PracticeStores: Sendable {
    /// The catalogue and the results of all accounts.
    let practice: PracticeDatabase
    /// Recordings, uploads, evaluations and receipts.
    let database: Database
    let folder: SoundFolder
    /// The relay's objects.
    let sync: SyncStore
    private let quota: PracticeQuota

    var cues: SQLiteCueStore { SQLiteCueStore(practice) }
    var recordings: RecordingStore { RecordingStore(database: database) }
    var jobs: EvaluationJobs { EvaluationJobs(database: database) }
    var presence: PresenceStore { PresenceStore(database: database) }

    /// Opens the data in a server's home, or makes it.
    init(
        _ home: String, quota: PracticeQuota = PracticeQuota(), sync policy: SyncPolicy = SyncPolicy()
    ) async throws {
        self.quota = quota
        folder = try SoundFolder(home + "/recordings")
        database = try await Database(at: home + "/recordings.sqlite")
        do {
            try await database.migrate(RecordingSchema.migrations)
            practice = try await PracticeDatabase(path: home + "/practice.sqlite")
            do {
                sync = try await Self.sync(at: home + "/sync.sqlite", policy)
            } catch {
                await practice.close()
                throw error
            }
        } catch {
            await database.close()
            throw error
        }
        try await addStarterCues()
    }

    func results(of account: String) -> SQLitePracticeRepository {
        SQLitePracticeRepository(practice, owner: account, quota: quota)
    }

    func close() async {
        await sync.database.close()
        await practice.close()
        await database.close()
    }

    private static func sync(at path: String, _ policy: SyncPolicy) async throws -> SyncStore {
        let database = try await Database(at: path)
        do {
            return try await SyncStore(database, policy: policy)
        } catch {
            await database.close()
            throw error
        }
    }

    /// Adds the program's starter cues to a new catalogue; those that an operator removed stay removed.
    private func addStarterCues() async throws {
        let isDone = try await database.read { connection in
            try connection.first("SELECT value FROM setting WHERE name = 'starter-cues'", as: String.self) != nil
        }
        guard !isDone else { return }
        try await cues.add(StarterCues.all)
        try await database.write(durability: .full) { connection in
            try connection.execute("INSERT OR IGNORE INTO setting (name, value) VALUES ('starter-cues', 'added')")
        }
    }
}

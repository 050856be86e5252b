// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Domain
import FoundationEssentials
import ObjectStore
import Persistence

/// The server's data other than sign-in: its databases and the sound of recordings.
struct PracticeStores: Sendable {
    let storage: ServerStorage
    let sounds: SoundStore
    /// The relay's objects.
    let sync: SyncStore
    private let quota: PracticeQuota

    var practice: any PracticeStorage { storage.practice }
    var cues: any CueCatalogueStore { storage.practice.cues }
    var recordings: RecordingStore { RecordingStore(database: storage.recordings) }
    var jobs: EvaluationJobs { EvaluationJobs(database: storage.recordings, instance: storage.instance) }
    var presence: PresenceStore { PresenceStore(database: storage.recordings) }
    var settings: SettingStore { SettingStore(database: storage.recordings) }

    /// The stores of open databases, and the files of a server's home.
    init(
        _ storage: ServerStorage, home: String, quota: PracticeQuota = PracticeQuota(),
        sync policy: SyncPolicy = SyncPolicy(), bucket: (any ObjectStore)? = nil
    ) async throws {
        self.storage = storage
        self.quota = quota
        sounds = try SoundStore(SoundFolder(home + "/recordings"), bucket: bucket)
        sync = try await SyncStore(storage.sync, policy: policy)
        try await addStarterCues()
    }

    func results(of account: String) -> any AccountResults { storage.practice.results(of: account, quota) }

    /// Adds the program's starter cues to a new catalogue; those that an operator removed stay removed.
    private func addStarterCues() async throws {
        guard try await settings.value("starter-cues") == nil else { return }
        try await cues.add(StarterCues.all)
        try await settings.set("starter-cues", to: "added")
    }
}

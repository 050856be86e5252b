// SPDX-License-Identifier: MIT

import Auth
import DataLayer
import DataVoice
import Domain
import FoundationEssentials
import Security

/// What commands about practice need, for one person on this device.
struct PracticeServices: Sendable {
    /// Who is signed in; nil for nobody.
    let account: String?
    /// Whether that is still so, after a look at what is stored; what cannot be read has not changed.
    let isCurrent: @Sendable () async -> Bool
    /// What happens to the session from now on; nil when the server is not to be asked.
    let sessionEvents: (@Sendable () async -> AsyncStream<AuthEvent>)?
    /// Ends the worker's pauses early.
    let bell: SyncBell
    /// The server of the account.
    let server: URL?
    /// The cues on this device.
    let cues: any CueStore
    /// The server's cues; nil when it is not to be asked.
    let serverCues: (any CueRepository)?
    /// The results on this device.
    let results: any PracticeRepository
    /// What the server made of recordings.
    let evaluations: any EvaluationStore
    /// What is known of the recordings on this device, without their sound.
    let index: SQLiteRecordingIndex
    /// The recordings on this device. The first use asks for their key.
    let recordings: SealedRecordingRepository
    /// What waits to be sent; nil when nobody is signed in.
    let queue: OutboxSyncQueue?
    /// Each account's answer about uploads.
    let consents: SQLiteUploadConsentStore
    /// Lets recordings and results out; nil when nobody is signed in.
    let gate: UploadGate?
    /// Sends what waits; nil when the server is not to be asked.
    let worker: (any SyncWorker)?
    /// Brings what other devices and the server did; nil when the server is not to be asked.
    let puller: ChangePuller?
    /// The server's evaluations, each waited for so long; nil when it is not to be asked.
    let evaluator: (@Sendable (_ timeLimit: Duration) -> any RecordingEvaluator)?
    /// Flags and profile.
    let session: SessionManager
    /// Where the recordings are.
    let folder: @Sendable () async throws -> SealedRecordingFolder
    /// The file that all of it is in.
    let database: PracticeDatabase
    /// What the server has of the account; nil when it is not to be asked.
    let rights: RemoteDataRights?
}

extension PracticeServices {
    /// True if a recording may be sent now.
    var maySend: Bool { get async { (try? await gate?.permission()) == .allowed } }

    /// What waits to be sent.
    ///
    /// - Throws: `signInNeeded`: whoever has no account has nobody to send to.
    func waiting() throws -> any SyncQueue {
        guard let queue else { throw DomainError.signInNeeded }
        return queue
    }

    /// The sound with a name that begins so: of a recording that was kept, or of one that was not finished.
    func sound(_ name: NamePrefix) async throws -> NamedSound {
        let kept = try await index.all().map {
            NamedSound(id: $0.id, duration: .seconds($0.duration), isFinished: true)
        }
        let unfinished = try await recordings.unfinished().map {
            NamedSound(id: $0.id, duration: .seconds($0.duration), isFinished: false)
        }
        let id = try name.one(of: (kept + unfinished).map(\.id), called: "recording")
        guard let sound = (kept + unfinished).first(where: { $0.id == id }) else {
            throw DomainError.notFound("recording \(name)")
        }
        return sound
    }
}

/// A recording, as far as its sound is concerned.
struct NamedSound: Sendable {
    let id: Identifier<Recording>
    let duration: Duration
    /// Whether it was kept, and not left by a crash.
    let isFinished: Bool
}

extension SQLiteRecordingIndex {
    /// Recordings, the newest first.
    func all(limit: Int = .max) async throws -> [Recording] {
        var recordings: [Recording] = []
        while recordings.count < limit {
            let cursor = recordings.last.map { RecordingCursor(after: $0) }
            let page = try await self.recordings(after: cursor, limit: min(limit - recordings.count, 200))
            if page.isEmpty { break }
            recordings += page
        }
        return recordings
    }
}

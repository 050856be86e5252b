// SPDX-License-Identifier: MIT

import Auth
import DataLayer
import DataVoice
import Domain
import FoundationEssentials
import Glibc
import Security

/// Practice of one person on this device.
struct Practice: Sendable {
    let storage: PracticeStorage
    let session: PracticeSession
    /// Nil if nobody is signed in, or the server is left alone.
    let sync: PracticeSync?
}

/// The rows and recordings on this device.
struct PracticeStorage: Sendable {
    let database: PracticeDatabase
    let cues: any CueStore
    let results: any PracticeRepository
    /// The evaluations of recordings, by the server and by this device.
    let evaluations: any EvaluationStore
    /// The rows of recordings, without their sound.
    let index: SQLiteRecordingIndex
    /// The recordings. The first use of a sound asks for their key.
    let recordings: SealedRecordingRepository
    /// The folder of the sounds.
    let folder: @Sendable () async throws -> SealedRecordingFolder
}

/// The person who practises: flags and profile of their account, or of no account, and their answer about uploads.
struct PracticeSession: Sendable {
    /// Nil if nobody is signed in.
    let account: PracticeAccount?
    let manager: SessionManager
    let consents: SQLiteUploadConsentStore
}

/// An account that is signed in on this device.
struct PracticeAccount: Sendable {
    let id: String
    let server: URL
    /// The results and recordings that wait to be sent.
    let queue: OutboxSyncQueue
    /// Decides that recordings and results may be sent.
    let gate: UploadGate
    /// True while the same session is stored; a session that cannot be read has not changed.
    let isCurrent: @Sendable () async -> Bool
}

/// The server of the account.
struct PracticeSync: Sendable {
    let cues: any CueRepository
    /// Sends the waiting items.
    let worker: any SyncWorker
    /// Fetches the changes of other devices and the server.
    let puller: ChangePuller
    /// Ends the worker's pauses early.
    let wakeup: SyncWakeup
    /// The server's evaluations.
    let evaluator: any RecordingEvaluator
    /// Export and deletion of the server's data.
    let rights: RemoteDataRights
    /// The events of the account's session from now on.
    let sessionEvents: @Sendable () async -> AsyncStream<AuthEvent>
}

extension PracticeSession {
    /// The age in seconds at which the server's flags are fetched again.
    static let flagAge: TimeInterval = 300

    /// Fetches the server's flags, unless they are new. Without an answer the stored ones stay.
    func refreshFlags() async {
        _ = try? await manager.recent(within: Self.flagAge, now: Date())
    }

    /// The time for which the server's evaluation is awaited, by the stored flags.
    var evaluationTimeLimit: Duration {
        get async throws {
            max(.seconds(1), try await manager.stored().flags.seconds(Flags.evaluationTimeLimit, at: Date()))
        }
    }

    /// The account.
    ///
    /// - Throws: `signInNeeded`.
    func signedIn() throws(DomainError) -> PracticeAccount {
        guard let account else { throw .signInNeeded }
        return account
    }
}

extension Practice {
    /// Chooses what to practise next, by the stored flags.
    func chooseNextCue(_ query: CueQuery) async throws -> ChooseNextCue {
        let retention = try await session.manager.stored().flags.value(Flags.wantedRetention, at: Date())
        return ChooseNextCue(
            cues: storage.cues, results: storage.results, query: query,
            schedule: CueSchedule(scheduler: FSRS(retention: retention)))
    }

    /// The next cue.
    ///
    /// - Throws: `notFound` if there is no cue.
    func nextCue(_ query: CueQuery, skipping seen: Set<Identifier<Cue>> = []) async throws -> Cue {
        let cue = try await chooseNextCue(query)(at: Date(), skipping: seen)
        guard let cue else { throw DomainError.notFound("cue of this kind") }
        return cue
    }

    /// Those of the cues that were practised.
    func practised(_ cues: [Cue]) async throws -> Set<Identifier<Cue>> {
        var practised: Set<Identifier<Cue>> = []
        for cue in cues {
            let page = try await storage.results.page(PracticeQuery(cue: cue.id, limit: 1), after: nil)
            if !page.results.isEmpty { practised.insert(cue.id) }
        }
        return practised
    }
}

extension PracticeStorage {
    /// Puts the starter cues into an empty catalogue.
    func installStarterCues() async throws { try await StarterCues.install(in: SQLiteCueStore(database)) }

    /// The sound of the recording with this prefix of its id, kept or unfinished.
    func sound(_ name: NamePrefix) async throws -> NamedSound {
        let kept = try await index.all().map {
            NamedSound(id: $0.id, duration: .seconds($0.duration), isFinished: true)
        }
        var known = kept
        do {
            known += try await recordings.unfinished().map {
                NamedSound(id: $0.id, duration: .seconds($0.duration), isFinished: false)
            }
        } catch {
            // Without the key: one that is kept is found, so that it can be deleted.
            guard (try? name.one(of: kept.map(\.id), called: "recording")) != nil else { throw error }
        }
        let id = try name.one(of: known.map(\.id), called: "recording")
        guard let sound = known.first(where: { $0.id == id }) else {
            throw DomainError.notFound("recording \(name)")
        }
        return sound
    }
}

/// A recording's sound.
struct NamedSound: Sendable {
    let id: Identifier<Recording>
    let duration: Duration
    /// False for a recording that a crash left unfinished.
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

extension CalendarDate {
    /// Today by the system's clock and time zone.
    static func today() -> CalendarDate { CalendarDate(localDayOf: .now) }

    /// The day of a moment by the system's time zone.
    init(localDayOf date: Date) {
        let parts = date.local
        let day = CalendarDate(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        self = day ?? .epoch
    }

    /// The first moment of the day by the system's time zone.
    var localStart: Date {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        // Summer time or not is for the system to find out.
        parts.tm_isdst = -1
        return Date(timeIntervalSince1970: Double(mktime(&parts)))
    }
}

// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials
import Persistence
import PracticeWire

/// Fetches other devices' changes of the account's results, and the server's evaluations that arrived after practice
/// stopped waiting for them.
///
/// Results that are here and not sent yet stay; results deleted here stay deleted. A page and the cursor after it are
/// one transaction, so that an interrupted pull resumes at its cursor, and repeating one changes nothing. Several
/// processes may pull at once.
public struct ChangePuller: Sendable {
    /// The most evaluations that one pull requests.
    static let evaluationLimit = 100
    /// The time for which a recording that the server does not have is requested; another device may still be sending
    /// it.
    static let patience: TimeInterval = 7 * 86_400

    private let database: PracticeDatabase
    private let account: String
    private let server: PracticeServer
    private let program: String
    private let now: @Sendable () -> Date

    /// Makes a puller.
    ///
    /// - Parameters:
    ///   - database: This device's database.
    ///   - account: The account that is signed in.
    ///   - server: The account's server.
    ///   - program: The program's version; another version may read results that this one cannot.
    ///   - now: The wall clock.
    public init(
        _ database: PracticeDatabase, account: String, server: PracticeServer, program: String,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.database = database
        self.account = account
        self.server = server
        self.program = program
        self.now = now
    }

    /// Pulls all changes.
    ///
    /// - Throws: `DomainError` or `CancellationError`; the changes before the error stay.
    public func pull() async throws -> PulledChanges {
        var summary = PulledChanges()
        while try await pullPage(into: &summary) { try Task.checkCancellation() }
        try await pullSkipped(into: &summary)
        try await pullEvaluations(into: &summary)
        return summary
    }

    /// Pulls one page; true if there is more.
    private func pullPage(into summary: inout PulledChanges) async throws -> Bool {
        let (account, program) = (account, program)
        let start = try await database.read { try Self.place($0, account) }
        let changes = try await RemotePracticeRepository(server).changes(after: start)
        let applied = try await database.write { connection -> (added: Int, removed: Int)? in
            // Another process has pulled meanwhile: start again from its cursor.
            guard try Self.place(connection, account) == start else { return nil }
            let table = PracticeTable(connection: connection, owner: account)
            let awaited = AwaitedEvaluations(connection: connection, owner: account)
            var (added, removed) = (0, 0)
            for result in changes.results where try table.store(result) {
                added += 1
                if let recording = result.recording { try awaited.add(recording) }
            }
            for id in changes.deleted where try table.deleteForGood(id) { removed += 1 }
            let skipped = SkippedResults(connection: connection, account: account)
            for id in changes.skipped.compactMap(\.id).compactMap(Identifier<PracticeResult>.init) {
                try skipped.note(id, program: program)
            }
            for id in changes.results.map(\.id) + changes.deleted { try skipped.remove(id) }
            try connection.execute(
                "INSERT OR REPLACE INTO pulled (account, place) VALUES (\(account), \("\(changes.next)"))")
            return (added, removed)
        }
        guard let applied else { return true }
        summary.added += applied.added
        summary.removed += applied.removed
        summary.skipped += changes.skipped.count
        return changes.hasMore && changes.next != start
    }

    /// Fetches results that an older program could not read.
    private func pullSkipped(into summary: inout PulledChanges) async throws {
        let (account, program) = (account, program)
        let ids = try await database.read { try SkippedResults(connection: $0, account: account).list(not: program) }
        for id in ids {
            try Task.checkCancellation()
            let answer = try await RemotePracticeRepository(server).readable(id)
            let isNew = try await database.write { connection in
                let skipped = SkippedResults(connection: connection, account: account)
                guard case .found(let result) = answer else {
                    if case .missing = answer { try skipped.remove(id) } else { try skipped.note(id, program: program) }
                    return false
                }
                try skipped.remove(id)
                guard try PracticeTable(connection: connection, owner: account).store(result) else { return false }
                if let recording = result.recording {
                    try AwaitedEvaluations(connection: connection, owner: account).add(recording)
                }
                return true
            }
            if isNew { summary.added += 1 }
        }
    }

    private func pullEvaluations(into summary: inout PulledChanges) async throws {
        let account = account
        let awaited = try await database.read {
            try AwaitedEvaluations(connection: $0, owner: account).list(limit: Self.evaluationLimit)
        }
        let store = SQLiteEvaluationStore(database, owner: account)
        var failure: DomainError?
        for (recording, since) in awaited {
            try Task.checkCancellation()
            var isOver = false
            do {
                switch try await RemoteEvaluator.verdict(of: recording, at: server) {
                case .success(let evaluation)?:
                    try await store.store(evaluation, of: recording)
                    summary.evaluations += 1
                case .failure?: isOver = true
                case nil: break
                }
            } catch DomainError.notFound {
                isOver = now().timeIntervalSince(since) > Self.patience
            } catch let error as DomainError {
                switch error {
                case .offline, .signInNeeded, .timedOut, .rateLimited, .storage: throw error
                // One that the server cannot give, or this program cannot read, is asked for again after the others.
                default: failure = failure ?? error
                }
            }
            let (time, isFinal) = (now(), isOver)
            try await database.write(durability: .normal) { connection in
                let table = AwaitedEvaluations(connection: connection, owner: account)
                if isFinal { try table.remove(recording) } else { try table.noteAsked(recording, at: time) }
            }
        }
        summary.awaited = try await database.read { try AwaitedEvaluations(connection: $0, owner: account).count() }
        if let failure { throw failure }
    }

    private static func place(_ connection: Connection, _ account: String) throws -> Int64 {
        let place = try connection.first("SELECT place FROM pulled WHERE account = \(account)", as: String.self)
        return place.flatMap { Int64($0) } ?? 0
    }
}

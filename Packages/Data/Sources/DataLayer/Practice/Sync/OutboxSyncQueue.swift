// SPDX-License-Identifier: MIT

public import Diagnostics
public import Domain
import FoundationEssentials
public import Persistence
import PracticeWire

/// What waits to be sent for one account, in the file that it is about.
///
/// A result or recording and its place in the queue are one transaction, so that neither is there without the other after a
/// crash. What belongs to one recording is done in order: its upload, the results that name it, its deletion. Items of other
/// accounts on this device are not seen.
public struct OutboxSyncQueue: SyncQueue {
    /// A killed process uses up an attempt, so there are many.
    static let maximumAttempts = 50

    let outbox: Outbox
    let account: String
    private let database: PracticeDatabase

    /// The queue of an account.
    ///
    /// - Parameters:
    ///   - database: Where it is.
    ///   - account: Who is signed in.
    ///   - clock: Where the time comes from.
    ///   - random: Where the spread of waits comes from.
    ///   - logger: Is told of what is given up.
    public init(
        _ database: PracticeDatabase, account: String, clock: OutboxClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger = .disabled
    ) {
        self.account = account
        self.database = database
        // A short lease gives a killed process's item back soon.
        outbox = Outbox(
            database: database.database,
            configuration: .init(
                lease: .seconds(15), maximumAttempts: Self.maximumAttempts, maximumItems: 200_000,
                maximumBytes: 256 << 20),
            clock: clock, random: random, logger: logger)
    }

    /// The lanes that a worker may take up: deletions always, the rest only while uploads are allowed.
    func lanes(_ permission: UploadPermission) -> [String] {
        permission == .allowed ? [account, deletionLane] : [deletionLane]
    }

    private var deletionLane: String { account + "/deletions" }

    /// Puts work into the queue in a transaction of the caller's; what is there already is not doubled. Without the person's yes
    /// a recording or a result is held back instead.
    ///
    /// - Parameter recording: The recording that the work has to wait for.
    func enqueue(
        _ work: SyncItem.Work, after recording: Identifier<Recording>? = nil, on connection: WritableConnection
    ) throws {
        let table = UploadConsentTable(connection: connection, account: account)
        var message = OutboxMessage(
            payload: try WireJSON.encode(SyncWorkRecord(work)), idempotencyKey: work.idempotencyKey,
            orderingKey: work.orderingKey(after: recording), lane: account)
        if let upload = work.undone {
            // What was held back since it was kept never got to the server.
            if try table.drop(upload.idempotencyKey) { return }
            message.lane = deletionLane
        } else if try table.consent()?.decision != .given {
            // What is done already, or waits from before, is not doubled.
            if try outbox.stage(ofKey: message.idempotencyKey, on: connection) == nil { try table.hold(message) }
            return
        }
        _ = try outbox.enqueue(message, on: connection)
    }

    /// Holds work back whatever the answer is.
    func hold(
        _ work: SyncItem.Work, after recording: Identifier<Recording>? = nil, on connection: WritableConnection
    ) throws {
        try UploadConsentTable(connection: connection, account: account).hold(
            OutboxMessage(
                payload: try WireJSON.encode(SyncWorkRecord(work)), idempotencyKey: work.idempotencyKey,
                orderingKey: work.orderingKey(after: recording), lane: account))
    }

    /// Takes every recording and result out of the queue, and holds it back.
    func holdUploads(on connection: WritableConnection) throws {
        let table = UploadConsentTable(connection: connection, account: account)
        for item in try outbox.take(lane: account, on: connection) { try table.hold(item) }
    }

    /// Puts what was held back into the queue.
    func releaseHeld(on connection: WritableConnection) throws {
        let table = UploadConsentTable(connection: connection, account: account)
        for message in try table.takeHeld() { _ = try outbox.enqueue(message, on: connection) }
    }

    /// Removes all that waits, for an erasure; how much there was.
    func removeAll(on connection: WritableConnection) throws -> Int {
        try outbox.removeAll(lane: account, on: connection) + outbox.removeAll(lane: deletionLane, on: connection)
    }

    private func entries() async throws -> [OutboxEntry] {
        let all = try await outbox.entries(lane: account) + outbox.entries(lane: deletionLane)
        return all.sorted { $0.item.id < $1.item.id }
    }

    /// The count of items that wait and are not stuck.
    func waitingCount() async throws -> Int { try await outbox.pendingCount(lanes: [account, deletionLane]) }

    /// See `SyncQueue`. What a newer program has put there is left out.
    public func items() async throws -> [SyncItem] {
        try await domainErrors {
            try await entries().compactMap { entry in
                entry.item.work.map { work in
                    SyncItem(
                        id: entry.item.id, work: work, stage: entry.syncStage, attempts: entry.item.attempts,
                        createdAt: entry.item.enqueuedAt)
                }
            }
        }
    }

    /// See `SyncQueue`.
    public func retry(_ id: Int64) async throws {
        try await changing(id) { try await outbox.retry(id) }
    }

    /// See `SyncQueue`.
    public func discard(_ id: Int64) async throws {
        try await changing(id) { try await outbox.discard(id) }
    }

    /// Whether a recording still has to get to the server, stuck or not: until then its sound must stay.
    public func isWaiting(for recording: Identifier<Recording>) async throws -> Bool {
        try await domainErrors {
            let stage = try await outbox.stage(ofKey: SyncItem.Work.send(.recording, recording).idempotencyKey)
            return stage != nil && stage != .done
        }
    }

    /// True if a recording is held back until the person says yes.
    public func isHeld(_ recording: Identifier<Recording>) async throws -> Bool {
        try await database.read { [account] connection in
            try UploadConsentTable(connection: connection, account: account)
                .isHeld(SyncItem.Work.send(.recording, recording).idempotencyKey)
        }
    }

    /// Notes that the server has a recording, for as long as it is kept here, and will evaluate it.
    func noteSent(_ recording: Identifier<Recording>) async throws {
        try await database.write { [account] connection in
            try RecordingTable(connection: connection, owner: account).noteSent(recording)
            try AwaitedEvaluations(connection: connection, owner: account).add(recording)
        }
    }

    /// The same in a transaction of the caller's: nothing comes between the answer and what follows from it.
    func isWaiting(for recording: Identifier<Recording>, on connection: Connection) throws -> Bool {
        let stage = try outbox.stage(
            ofKey: SyncItem.Work.send(.recording, recording).idempotencyKey, on: connection)
        return stage != nil && stage != .done
    }

    private func changing(_ id: Int64, _ body: () async throws -> Void) async throws {
        try await domainErrors {
            guard try await entries().contains(where: { $0.item.id == id }) else {
                throw DomainError.notFound("stuck item \(id)")
            }
            do {
                try await body()
            } catch let error as DatabaseError where error.code == .notPoisoned {
                throw DomainError.notFound("stuck item \(id)")
            }
        }
    }
}

extension OutboxEntry {
    fileprivate var syncStage: SyncItem.Stage {
        switch stage {
        case .poisoned: .stuck(reason ?? "")
        case .leased: .sending
        case .pending, .done: .waiting
        }
    }
}

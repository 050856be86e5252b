// SPDX-License-Identifier: MIT

public import Diagnostics
public import Domain
import FoundationEssentials
public import Persistence
import PracticeWire

/// The items that wait to be sent for one account, in the practice file.
///
/// A result or recording and its queue item are one transaction, so that a crash leaves both or none. The items of one
/// recording are sent in order: its upload, then the results that name it. A deletion takes what it deletes out of the
/// queue, and waits for nothing but an attempt that is under way. Items of other accounts on this device are not
/// visible.
public struct OutboxSyncQueue: SyncQueue {
    /// The most attempts of an item; many, since a killed process uses one up.
    static let maximumAttempts = 50

    let outbox: Outbox
    let account: String
    private let database: PracticeDatabase

    /// Makes the queue of an account.
    ///
    /// - Parameters:
    ///   - database: The practice database.
    ///   - account: The account that is signed in.
    ///   - clock: The wall clock.
    ///   - random: The random generator of the jitter of waits.
    ///   - logger: Logs the items that are given up.
    public init(
        _ database: PracticeDatabase, account: String, clock: OutboxClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger = .disabled
    ) {
        self.account = account
        self.database = database
        // A short lease soon returns the item of a killed process.
        outbox = Outbox(
            database: database.database,
            configuration: .init(
                lease: .seconds(15), maximumAttempts: Self.maximumAttempts, maximumItems: 200_000,
                maximumBytes: 256 << 20),
            clock: clock, random: random, logger: logger)
    }

    /// The lanes that a worker may take: deletions always, the rest only while uploads are allowed.
    func lanes(_ permission: UploadPermission) -> [String] {
        permission == .allowed ? [account, deletionLane] : [deletionLane]
    }

    private var deletionLane: String { account + "/deletions" }

    /// Puts work into the queue in the caller's transaction; existing work is not doubled. Without the person's consent
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
            // A held-back item never reached the server, so nothing has to be deleted there.
            if try table.drop(upload.idempotencyKey) { return }
            // Nobody sends what is gone. One that is under way is waited for.
            try outbox.withdraw(key: upload.idempotencyKey, on: connection)
            message.lane = deletionLane
        } else if try table.consent()?.decision != .given {
            // Work that is done, or waits already, is not doubled.
            if try outbox.stage(ofKey: message.idempotencyKey, on: connection) == nil { try table.hold(message) }
            return
        }
        _ = try outbox.enqueue(message, on: connection)
    }

    /// Holds work back, whatever the person's answer is.
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

    /// Puts the held-back items into the queue.
    func releaseHeld(on connection: WritableConnection) throws {
        let table = UploadConsentTable(connection: connection, account: account)
        for message in try table.takeHeld() { _ = try outbox.enqueue(message, on: connection) }
    }

    /// Deletes all waiting items, for an erasure; returns their number.
    func removeAll(on connection: WritableConnection) throws -> Int {
        try outbox.removeAll(lane: account, on: connection) + outbox.removeAll(lane: deletionLane, on: connection)
    }

    private func entries() async throws -> [OutboxEntry] {
        let all = try await outbox.entries(lane: account) + outbox.entries(lane: deletionLane)
        return all.sorted { $0.item.id < $1.item.id }
    }

    /// The number of waiting items, without poisoned ones.
    func waitingCount() async throws -> Int { try await outbox.pendingCount(lanes: [account, deletionLane]) }

    /// See `SyncQueue`. Items of a newer program are left out.
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

    /// True while a recording is still to be sent, poisoned or not: until then its sound must stay.
    public func isWaiting(for recording: Identifier<Recording>) async throws -> Bool {
        try await domainErrors {
            let stage = try await outbox.stage(ofKey: SyncItem.Work.send(.recording, recording).idempotencyKey)
            return stage != nil && stage != .done
        }
    }

    /// True while a recording is held back for want of consent.
    public func isHeld(_ recording: Identifier<Recording>) async throws -> Bool {
        try await database.read { [account] connection in
            try UploadConsentTable(connection: connection, account: account)
                .isHeld(SyncItem.Work.send(.recording, recording).idempotencyKey)
        }
    }

    /// Notes that the server has a recording and will evaluate it.
    func noteSent(_ recording: Identifier<Recording>) async throws {
        try await database.write { [account] connection in
            try RecordingTable(connection: connection, owner: account).noteSent(recording)
            try AwaitedEvaluations(connection: connection, owner: account).add(recording)
        }
    }

    /// Does the same in the caller's transaction, so that nothing changes between the answer and its use.
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
        case .poisoned: .poisoned(reason ?? "")
        case .leased: .sending
        case .pending, .done: .waiting
        }
    }
}

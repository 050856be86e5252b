// SPDX-License-Identifier: MIT

import Concurrency
public import Diagnostics

/// A durable queue of messages to a receiver that may be out of reach.
///
/// An enqueued message survives power loss and is delivered at least once. A worker may die between the receiver's
/// answer and its own note of it; then the item is delivered again with the same idempotency key, by which the receiver
/// recognises the repetition: so the effect is exactly one. Several tasks and several processes may enqueue and work at
/// once; no two work on one item, as long as they keep their leases.
///
/// Items with one ordering key are delivered one after another; any others in the order in which they become due.
///
/// ``work(lanes:_:)`` delivers until it is cancelled or the outbox is closed, ``drain(lanes:_:)`` until no item is due.
public actor Outbox {
    /// The work of this process.
    struct Activity: Sendable {
        var deliveries = 0
        var isClosed = false
    }

    /// The limits and rules.
    public let configuration: Configuration
    private let database: Database
    private let ownsDatabase: Bool
    let activity = Monitor(Activity())
    let clock: OutboxClock
    private let logger: Logger
    private var random: any RandomNumberGenerator & Sendable

    /// The tables; a program that keeps them in a database of its own adds these to its list of migrations.
    public static var migrations: [Migration] { OutboxSchema.migrations }

    /// An outbox in a database that has ``migrations``.
    ///
    /// - Parameters:
    ///   - database: The database of the items.
    ///   - configuration: Limits and rules.
    ///   - clock: The source of the time.
    ///   - random: The source of the jitter.
    ///   - logger: Logs poisoned items.
    public init(
        database: Database, configuration: Configuration = .init(), clock: OutboxClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger = .disabled
    ) {
        self.init(database, ownsDatabase: false, configuration, clock, random, logger)
    }

    /// Opens an outbox in a file of its own, or creates it.
    ///
    /// - Throws: The errors of ``Database/init(at:configuration:logger:)`` and ``Database/migrate(_:now:)``.
    public init(
        at path: String, configuration: Configuration = .init(), clock: OutboxClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(), logger: Logger = .disabled
    ) async throws {
        let database = try await Database(at: path)
        do {
            try await database.migrate(Self.migrations)
        } catch {
            await database.close()
            throw error
        }
        self.init(database, ownsDatabase: true, configuration, clock, random, logger)
    }

    private init(
        _ database: Database, ownsDatabase: Bool, _ configuration: Configuration, _ clock: OutboxClock,
        _ random: any RandomNumberGenerator & Sendable, _ logger: Logger
    ) {
        self.database = database
        self.ownsDatabase = ownsDatabase
        self.configuration = configuration
        self.clock = clock
        self.random = random
        self.logger = logger.with(category: "outbox")
    }

    /// Ends the work and waits for it: no more items are claimed, ``work(lanes:_:)`` returns, and running handlers are
    /// cancelled. Their outcomes are stored before this returns. Later claims throw `closed`.
    ///
    /// A file of the outbox's own is closed; a given database stays open.
    public func close() async {
        activity.withLock { $0.isClosed = true }
        // Not cancelled with the caller's task: the handlers are cancelled already, and their outcomes must be stored.
        await Task { [activity] in try? await activity.wait { $0.deliveries == 0 } }.value
        if ownsDatabase { await database.close() }
    }

    /// Stores a message. Once this returns, it survives power loss.
    ///
    /// - Throws: ``DatabaseError`` with `outboxFull`, `invalidValue` (an empty idempotency key), or the errors of a
    ///   write.
    @discardableResult
    public func enqueue(_ message: OutboxMessage) async throws -> OutboxReceipt {
        try await database.write { try self.enqueue(message, on: $0) }
    }

    /// Stores a message in a transaction of the caller's, together with the data that it is about: either both are
    /// stored or neither.
    nonisolated public func enqueue(_ message: OutboxMessage, on connection: WritableConnection) throws -> OutboxReceipt
    {
        try OutboxTable(connection: connection, configuration: configuration, now: clock.now()).insert(message)
    }

    /// Leases the next due item, if there is one.
    ///
    /// - Parameter lanes: The lanes to claim from; all if nil.
    public func claim(lanes: [String]? = nil) async throws -> OutboxDelivery? { try await look(lanes).delivery }

    /// Leases the next item; waits without polling until one is due. Any process may enqueue it.
    ///
    /// - Parameter lanes: The lanes to claim from; all if nil.
    /// - Throws: `CancellationError`, `closed` after ``close()``, or the errors of a write.
    public func next(lanes: [String]? = nil) async throws -> OutboxDelivery {
        while true {
            let look = try await look(lanes)
            if let delivery = look.delivery { return delivery }
            let (clock, changes) = (clock, database.observe { try OutboxSchema.pulse($0) })
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Its first value is newer than the look, so that nothing between the two is missed.
                group.addTask { for try await pulse in changes where pulse != look.pulse { return } }
                if let wait = look.wait { group.addTask { try await clock.sleep(wait) } }
                group.addTask { [activity] in try await activity.wait(until: \.isClosed) }
                try await group.next()
                group.cancelAll()
            }
            try Task.checkCancellation()
        }
    }

    /// Stores the outcome of an attempt. Once this returns, it survives power loss.
    ///
    /// - Throws: ``DatabaseError`` with `leaseLost` when the lease ended and another worker took the item: its state is
    ///   as the other worker left it.
    public func finish(_ delivery: OutboxDelivery, _ outcome: OutboxOutcome) async throws {
        let jitter = Double.random(in: 0..<1, using: &random)
        let state = try await apply(.finish(token: delivery.token, outcome, jitter: jitter), to: delivery.item.id)
        if case .poisoned = state {
            logger.warning("item \(delivery.item.id) is poisoned after \(delivery.item.attempts) attempts")
        }
    }

    /// Renews a lease for its full time from now.
    ///
    /// - Throws: ``DatabaseError`` with `leaseLost`.
    public func renew(_ delivery: OutboxDelivery) async throws {
        _ = try await apply(.renew(token: delivery.token), to: delivery.item.id, durability: .normal)
    }

    /// Gives a poisoned item all its attempts again, at its old place in the order.
    ///
    /// - Throws: ``DatabaseError`` with `notPoisoned`.
    public func retry(_ id: OutboxItem.ID) async throws {
        _ = try await apply(.revive, to: id)
    }

    /// Removes a poisoned item for good; its idempotency key may be used again.
    ///
    /// - Throws: ``DatabaseError`` with `notPoisoned`.
    public func discard(_ id: OutboxItem.ID) async throws {
        try await write { try $0.discard(id) }
    }

    /// Removes an item by its idempotency key for good, in a transaction of the caller's, unless it is being delivered or
    /// is done. Its idempotency key may be used again.
    nonisolated public func withdraw(key: String, on connection: WritableConnection) throws {
        try OutboxTable(connection: connection, configuration: configuration, now: clock.now()).withdraw(key)
    }

    /// Removes all items of a lane for good, in any stage, in a transaction of the caller's. An attempt that is under
    /// way may still reach the receiver; its outcome does not count. Their idempotency keys may be used again.
    ///
    /// - Returns: The number of removed items.
    nonisolated public func removeAll(lane: String, on connection: WritableConnection) throws -> Int {
        try connection.execute("DELETE FROM outbox_item WHERE lane = \(lane)")
        return connection.changes
    }

    /// Removes all items of a lane like ``removeAll(lane:on:)``, and returns them, the oldest first.
    nonisolated public func take(lane: String, on connection: WritableConnection) throws -> [OutboxItem] {
        let table = OutboxTable(connection: connection, configuration: configuration, now: clock.now())
        let entries = try table.items("WHERE \(sql: OutboxSchema.isIn([lane])) ORDER BY id")
        _ = try removeAll(lane: lane, on: connection)
        return entries.map(\.item)
    }

    /// The items that are not done, oldest first, with their stages.
    ///
    /// - Parameters:
    ///   - lane: The lane; all if nil.
    ///   - stage: The stage; all if nil.
    public func entries(lane: String? = nil, stage: OutboxStage? = nil) async throws -> [OutboxEntry] {
        let isAtStage: SQL = stage.map { "stage = \($0.number)" } ?? "TRUE"
        return try await read { table in
            try table.items("WHERE \(sql: OutboxSchema.isIn(lane.map { [$0] })) AND \(sql: isAtStage) ORDER BY id")
        }
    }

    /// The stage of the item with an idempotency key; nil if there is none, or its key has been removed after delivery.
    public func stage(ofKey key: String) async throws -> OutboxStage? {
        try await read { try $0.stage(ofKey: key) }
    }

    /// The same in a transaction of the caller's.
    nonisolated public func stage(ofKey key: String, on connection: Connection) throws -> OutboxStage? {
        try OutboxTable(connection: connection, configuration: configuration, now: clock.now()).stage(ofKey: key)
    }

    /// The number of items that are still to be delivered: waiting ones, and those that a worker has. It reaches 0,
    /// since poisoned ones do not count.
    ///
    /// - Parameter lanes: The lanes to count; all if nil.
    public func pendingCount(lanes: [String]? = nil) async throws -> Int {
        try await read { try $0.pendingCount(lanes: lanes) }
    }

    /// Returns when an item is still to be delivered; any process may enqueue it.
    ///
    /// - Parameter lanes: The lanes to look at; all if nil.
    /// - Throws: `CancellationError`, or the errors of a read.
    public func untilPending(lanes: [String]? = nil) async throws {
        let counts = database.observe { [configuration, clock] connection in
            try OutboxTable(connection: connection, configuration: configuration, now: clock.now())
                .pendingCount(lanes: lanes)
        }
        for try await count in counts where count > 0 { return }
        try Task.checkCancellation()
    }

    /// The number of items in each stage; delivered items do not count, and a stage without items is missing.
    public func counts() async throws -> [OutboxStage: Int] {
        try await read { try $0.counts() }
    }

    private func look(_ lanes: [String]?) async throws -> (
        delivery: OutboxDelivery?, wait: Duration?, pulse: [SQLValue]
    ) {
        guard !activity.withLock({ $0.isClosed }) else { throw DatabaseError.closed }
        let token = Int64.random(in: .min ... .max, using: &random)
        // A lease that power loss undoes is void after the restart anyway.
        return try await write(durability: .normal) { table in
            try table.look()
            if let delivery = try table.claim(token: token, lanes: lanes) { return (delivery, nil, []) }
            return (nil, try table.wait(lanes: lanes), try OutboxSchema.pulse(table.connection))
        }
    }

    private func apply(
        _ event: OutboxState.Event, to id: Int64, durability: Durability = .full
    ) async throws -> OutboxState {
        try await write(durability: durability) { try $0.apply(event, to: id) }
    }

    private func write<Value: Sendable>(
        durability: Durability = .full, _ body: @Sendable (OutboxTable<WritableConnection>) throws -> Value
    ) async throws -> Value {
        let (configuration, clock) = (configuration, clock)
        return try await database.write(durability: durability) { connection in
            try body(OutboxTable(connection: connection, configuration: configuration, now: clock.now()))
        }
    }

    private func read<Value: Sendable>(_ body: @Sendable (OutboxTable<Connection>) throws -> Value) async throws
        -> Value
    {
        let (configuration, clock) = (configuration, clock)
        return try await database.read { connection in
            try body(OutboxTable(connection: connection, configuration: configuration, now: clock.now()))
        }
    }
}

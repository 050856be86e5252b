// SPDX-License-Identifier: MIT

import Concurrency

/// Delivers events to handlers and streams.
///
/// Each handler and each stream has a queue of its own, of ``queueLimit`` events: `emit` never waits, and a slow
/// handler loses its oldest events (counted) and delays no others. A handler is called for one event after another, in
/// the order in which they were emitted, whatever their types; all handlers see the same order. Synchronous handlers
/// run on a queue of their own and may block; asynchronous ones run in a task of their own.
///
/// Handlers end with ``EventSubscription/cancel()``, ``close()``, and the emitter, which they should hold weakly.
public final class EventEmitter: EventEmitterProtocol {
    /// The default limit of events that a handler or a stream may be behind.
    public static let defaultQueueLimit = 1024

    private struct Subscriber {
        let types: Set<EventType>?
        let take: @Sendable (ConversationEvent) -> Void
        let end: @Sendable () -> Void
    }

    private struct State {
        var subscribers: [(id: UInt64, subscriber: Subscriber)] = []
        var lastID: UInt64 = 0
        var isClosed = false
    }

    /// The limit of events that a handler may be behind.
    public let queueLimit: Int
    private let state = Guarded(State())

    /// An emitter without handlers.
    ///
    /// - Parameter queueLimit: The number of events that a handler may be behind; at least 1.
    public init(queueLimit: Int = defaultQueueLimit) {
        self.queueLimit = max(1, queueLimit)
    }

    deinit { endAll() }

    /// Delivers an event to every handler and stream of its type. Never waits.
    public func emit(_ event: ConversationEvent) {
        // Under the lock, so that all of them see the same order. Delivery only appends the event to a queue.
        state.withLock { state in
            for (_, subscriber) in state.subscribers where subscriber.types?.contains(event.type) ?? true {
                subscriber.take(event)
            }
        }
    }

    /// Calls a handler for each event of these types, one after another, on a queue of its own; it may block.
    @discardableResult
    public func when(
        _ types: [EventType], handler: @escaping @Sendable (EchoEvent) -> Void
    ) -> EventSubscription {
        let queue = BlockingHandlerQueue(limit: queueLimit, handler: handler)
        let id = add(Subscriber(types: Set(types), take: { queue.add($0.detail) }, end: { queue.end() }))
        return subscription(id, dropped: queue.dropped)
    }

    /// Calls a handler for each event of these types, one after another, in a task of its own.
    @discardableResult
    public func when(
        _ types: [EventType], asyncHandler: @escaping @Sendable (EchoEvent) async -> Void
    ) -> EventSubscription {
        let (stream, continuation) = AsyncStream.makeStream(
            of: EchoEvent.self, bufferingPolicy: .bufferingNewest(queueLimit))
        let dropped = EventCount()
        let task = Task {
            for await event in stream { await asyncHandler(event) }
        }
        let id = add(
            Subscriber(
                types: Set(types), take: { if case .dropped = continuation.yield($0.detail) { dropped.add() } },
                end: {
                    continuation.finish()
                    task.cancel()
                }))
        return subscription(id, dropped: dropped)
    }

    /// All events from now on, for one consumer.
    ///
    /// - Parameter limit: The number of events that the stream holds; beyond that the oldest is dropped and counted.
    public func events(buffering limit: Int = defaultQueueLimit) -> EventStream {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ConversationEvent.self, bufferingPolicy: .bufferingNewest(max(1, limit)))
        let dropped = EventCount()
        let id = add(
            Subscriber(
                types: nil, take: { if case .dropped = continuation.yield($0) { dropped.add() } },
                end: { continuation.finish() }))
        continuation.onTermination = { [weak self] _ in self?.remove(id) }
        return EventStream(events: stream, dropped: dropped)
    }

    /// Ends all handlers and streams, including those added later.
    public func close() {
        state.withLock { $0.isClosed = true }
        endAll()
    }

    private func add(_ subscriber: Subscriber) -> UInt64 {
        let (id, isClosed) = state.withLock { state in
            state.lastID += 1
            if !state.isClosed { state.subscribers.append((state.lastID, subscriber)) }
            return (state.lastID, state.isClosed)
        }
        if isClosed { subscriber.end() }
        return id
    }

    private func remove(_ id: UInt64) {
        let subscriber = state.withLock { state -> Subscriber? in
            guard let index = state.subscribers.firstIndex(where: { $0.id == id }) else { return nil }
            return state.subscribers.remove(at: index).subscriber
        }
        // Outside the lock: the end of a stream calls back here.
        subscriber?.end()
    }

    private func endAll() {
        let all = state.withLock { state in
            defer { state.subscribers = [] }
            return state.subscribers
        }
        for (_, subscriber) in all { subscriber.end() }
    }

    private func subscription(_ id: UInt64, dropped: EventCount) -> EventSubscription {
        EventSubscription(id: id, remove: { [weak self] in self?.remove(id) }, dropped: { dropped.value })
    }
}

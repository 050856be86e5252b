// SPDX-License-Identifier: MIT

extension Echo {
    /// Calls a handler for each event of a type, one after another in their order. It runs on a queue of its own, and
    /// may block without delaying others. A handler that is ``EventEmitter/queueLimit`` events behind loses the oldest,
    /// counted.
    ///
    /// Hold `echo` weakly in it: the handler lives as long as `echo` does, or until the subscription is cancelled.
    @discardableResult
    public func when(
        _ eventType: EventType, handler: @escaping @Sendable (EchoEvent) -> Void
    ) -> EventSubscription {
        emitter.when([eventType], handler: handler)
    }

    /// Calls an asynchronous handler for each event of a type, one after another in their order. It delays no others. A
    /// handler that is ``EventEmitter/queueLimit`` events behind loses the oldest, counted.
    @discardableResult
    public func when(
        _ eventType: EventType, asyncHandler: @escaping @Sendable (EchoEvent) async -> Void
    ) -> EventSubscription {
        emitter.when([eventType], asyncHandler: asyncHandler)
    }

    /// Calls a handler for each event of several types, in one order.
    @discardableResult
    public func when(
        _ eventTypes: [EventType], handler: @escaping @Sendable (EchoEvent) -> Void
    ) -> EventSubscription {
        emitter.when(eventTypes, handler: handler)
    }

    /// Calls an asynchronous handler for each event of several types, in one order.
    @discardableResult
    public func when(
        _ eventTypes: [EventType], asyncHandler: @escaping @Sendable (EchoEvent) async -> Void
    ) -> EventSubscription {
        emitter.when(eventTypes, asyncHandler: asyncHandler)
    }

    /// All events from now on, for one consumer; each access is a stream of its own. It holds 1,024 unread events; one
    /// more, and the oldest is dropped and counted.
    public var events: EventStream { emitter.events() }

    /// All events from now on, for one consumer, with another limit of unread events.
    public func events(buffering limit: Int) -> EventStream { emitter.events(buffering: limit) }
}

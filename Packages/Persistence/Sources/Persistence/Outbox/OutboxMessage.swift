// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A message for an ``Outbox``.
public struct OutboxMessage: Sendable, Equatable {
    /// The key by which the receiver recognises repetitions; unique in the outbox, not empty.
    public var idempotencyKey: String
    /// Messages of a lane with the same ordering key are delivered one after another, in the order in which they were
    /// enqueued. One of another lane holds them up only while it is being delivered. nil for a message that waits for no
    /// other.
    public var orderingKey: String?
    /// The receiver or account of the message, if several share an outbox: a worker may deliver those of one lane only.
    public var lane: String?
    /// The content; the outbox does not look into it.
    public var payload: [UInt8]
    /// The wait before the first attempt; zero by default.
    public var delay: Duration

    /// A message with bytes.
    public init(
        payload: [UInt8], idempotencyKey: String = UUID().uuidString, orderingKey: String? = nil, lane: String? = nil,
        delay: Duration = .zero
    ) {
        self.payload = payload
        self.idempotencyKey = idempotencyKey
        self.orderingKey = orderingKey
        self.lane = lane
        self.delay = delay
    }

    /// A message with a value as JSON.
    ///
    /// - Throws: `EncodingError`.
    public init(
        encoding value: some Encodable, idempotencyKey: String = UUID().uuidString, orderingKey: String? = nil,
        lane: String? = nil, delay: Duration = .zero
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        self.init(
            payload: Array(try encoder.encode(value)), idempotencyKey: idempotencyKey, orderingKey: orderingKey,
            lane: lane, delay: delay)
    }
}

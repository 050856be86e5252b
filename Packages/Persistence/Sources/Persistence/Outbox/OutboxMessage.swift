// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// What is put into an ``Outbox``.
public struct OutboxMessage: Sendable, Equatable {
    /// What the receiver tells repetitions by; unique in the outbox, not empty.
    public var idempotencyKey: String
    /// Messages with the same ordering key are handed out one after another, in the order in which they were enqueued; nil
    /// for a message that waits for no other.
    public var orderingKey: String?
    /// Whose message it is, where several receivers or accounts share an outbox: a worker may take up those of one lane only.
    public var lane: String?
    /// The content; the outbox does not look into it.
    public var payload: [UInt8]
    /// How long to wait before the first attempt; zero by default.
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

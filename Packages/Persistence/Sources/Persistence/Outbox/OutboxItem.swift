// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A message in an ``Outbox``.
public struct OutboxItem: Sendable, Equatable, Identifiable {
    /// The place in the order of enqueueing; never used twice.
    public let id: Int64
    /// What the receiver tells repetitions by.
    public let idempotencyKey: String
    /// What orders it among others; nil when nothing does.
    public let orderingKey: String?
    /// Whose it is; nil where nobody has said.
    public let lane: String?
    /// The content.
    public let payload: [UInt8]
    /// How many attempts began, the current one included.
    public let attempts: Int
    /// When it was enqueued, by the wall clock of that moment.
    public let enqueuedAt: Date

    /// The content as a value that was encoded as JSON.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(payload))
    }
}

// SPDX-License-Identifier: MIT

/// The values that a key of a ``KeyValueStore`` takes on.
public struct KeyValueChanges<Value: Codable & Sendable>: AsyncSequence, Sendable {
    let key: KeyValueKey<Value>
    let bytes: DatabaseObservation<[UInt8]?>

    /// One reader's position.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let key: KeyValueKey<Value>
        fileprivate var bytes: DatabaseObservation<[UInt8]?>.AsyncIterator
        private var last: [UInt8]??

        fileprivate init(_ changes: KeyValueChanges) {
            key = changes.key
            bytes = changes.bytes.makeAsyncIterator()
        }

        /// The present value at first, then the next one that differs; the inner optional is nil if the key has no
        /// value.
        ///
        /// - Throws: ``DatabaseError``, with `typeMismatch` when the stored value is not of the key's type.
        public mutating func next() async throws -> Value?? {
            while let stored = try await bytes.next() {
                guard last != .some(stored) else { continue }
                last = .some(stored)
                return .some(try stored.map { try KeyValueTransaction<Connection>.decode($0, for: key) })
            }
            return nil
        }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

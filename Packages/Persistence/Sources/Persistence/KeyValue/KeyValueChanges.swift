// SPDX-License-Identifier: MIT

/// The values that a key of a ``KeyValueStore`` takes on.
public struct KeyValueChanges<Value: Codable & Sendable>: AsyncSequence, Sendable {
    let store: KeyValueStore
    let key: KeyValueKey<Value>

    /// One reader's place.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let store: KeyValueStore
        fileprivate let key: KeyValueKey<Value>
        private var calls: AsyncStream<Void>.AsyncIterator?
        private var last: [UInt8]?

        fileprivate init(store: KeyValueStore, key: KeyValueKey<Value>) {
            self.store = store
            self.key = key
        }

        /// The current value at first, then the next one that differs; the inner optional is nil when there is no value.
        ///
        /// - Throws: ``DatabaseError``, with `typeMismatch` when what is stored is not of the key's type.
        public mutating func next() async throws -> Value?? {
            let isFirst = calls == nil
            if isFirst { calls = await store.addBell().makeAsyncIterator() }
            while true {
                if !isFirst, await calls?.next() == nil { return nil }
                let (name, namespace) = (key.name, key.namespace)
                let bytes = try await store.read { try $0.bytes(name, in: namespace) }
                guard isFirst || bytes != last else { continue }
                last = bytes
                return .some(try bytes.map { try KeyValueTransaction.decode($0, for: key) })
            }
        }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(store: store, key: key) }
}

// SPDX-License-Identifier: MIT

import Concurrency
public import Sync
public import SyncWire

/// A place in memory that several devices of a test share.
public final class MemoryPlace: SyncTransport {
    private struct State {
        var objects: [SyncObjectName: (bytes: [UInt8], number: Int)] = [:]
        var written = 0
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var watched = 0
    }

    private let state = Guarded(State())

    /// An empty place.
    public init() {}

    /// The cursor is the number of objects that were ever created.
    /// See `SyncTransport`.
    public func list(after cursor: SyncCursor?) async throws -> SyncListing {
        let after = cursor.flatMap { Int($0.text) }
        return state.withLock { state in
            let from = after.map { (0...state.written).contains($0) ? $0 : 0 } ?? 0
            let objects = state.objects.filter { $0.value.number > from }.sorted { $0.value.number < $1.value.number }
            let named = objects.prefix(SyncLimit.listingCount)
            return SyncListing(
                objects: named.map { SyncObject(name: $0.key, size: $0.value.bytes.count) },
                cursor: SyncCursor("\(named.last?.value.number ?? state.written)"), isWhole: from == 0,
                hasMore: named.count < objects.count)
        }
    }

    /// The bytes as they were created.
    /// See `SyncTransport`.
    public func read(_ name: SyncObjectName) async throws -> [UInt8] {
        guard let bytes = state.withLock({ $0.objects[name]?.bytes }) else {
            throw SyncError(code: .notFound, message: "There is no object \(name).")
        }
        return bytes
    }

    /// Keeps the bytes and reports the object to all watchers.
    /// See `SyncTransport`.
    public func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {
        guard bytes.count <= SyncLimit.objectByteCount else {
            throw SyncError(code: .tooLarge, message: "An object has at most \(SyncLimit.objectByteCount) bytes.")
        }
        let watchers = try state.withLock { state -> [AsyncStream<Void>.Continuation] in
            if let existing = state.objects[name] {
                guard existing.bytes == bytes else {
                    throw SyncError(code: .exists, message: "There is another object \(name).")
                }
                return []
            }
            state.written += 1
            state.objects[name] = (bytes, state.written)
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.yield() }
    }

    /// Removes the object at once.
    /// See `SyncTransport`.
    public func remove(_ name: SyncObjectName) async throws {
        state.withLock { _ = $0.objects.removeValue(forKey: name) }
    }

    /// An event after each object that was created.
    /// See `SyncTransport`.
    public func changes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = state.withLock { state in
                state.watched += 1
                state.watchers[state.watched] = continuation
                return state.watched
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.watchers.removeValue(forKey: id) }
            }
        }
    }
}

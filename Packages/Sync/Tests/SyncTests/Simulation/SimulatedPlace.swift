// SPDX-License-Identifier: MIT

import Concurrency
import SyncWire

@testable import Sync

/// A place that several devices share and that does whatever a bad network, a bad disk or a bad relay does.
final class SimulatedPlace: Sendable {
    struct Object {
        var bytes: [UInt8]
        let number: Int
        /// Withheld from everybody.
        var isHidden = false
        /// Withheld from one device.
        var hiddenFrom: DeviceID?

        func isShown(to reader: DeviceID) -> Bool { !isHidden && hiddenFrom != reader }
    }

    /// The changes that an honest place makes to a listing.
    struct Weather {
        /// So many of the newest objects are not listed yet, unless the reader has seen or written a newer one.
        var lag = 0
        var isDoubled = false
        /// The seed of another order.
        var order: UInt64?
    }

    struct State {
        var objects: [SyncObjectName: Object] = [:]
        var written = 0
        /// The objects that it promised to keep.
        var genuine: [SyncObjectName: [UInt8]] = [:]
        var isFull = false
        var isReadOnly = false
        /// The chance of a call to fail, before or after it had its effect.
        var failures = 0.0
        /// Lists everything each time, as a folder does.
        var hasCursors = true
        /// The objects that were removed, and the newest object of then: a listing that lags still has them.
        var removed: [(name: SyncObjectName, object: Object, at: Int)] = []
        /// The number of the newest object of then, when a device last listed or wrote something.
        var known: [DeviceID: Int] = [:]

        /// The objects that a device is shown.
        func shown(to reader: DeviceID) -> [SyncObjectName: [UInt8]] {
            objects.filter { $0.value.isShown(to: reader) }.mapValues(\.bytes)
        }
    }

    let state = Guarded(State())

    /// The place as a device sees it.
    struct View: SyncTransport {
        let place: SimulatedPlace
        let reader: DeviceID
        /// Decides what happens at a call, and may let others do something meanwhile.
        let interrupt: @Sendable () async throws -> Void
        let weather: @Sendable () async -> Weather

        func list(after cursor: SyncCursor?) async throws -> SyncListing {
            try await interrupt()
            let weather = await weather()
            let listing = place.state.withLock { state in
                let after = state.hasCursors ? cursor.flatMap { Int($0.text) } ?? 0 : 0
                let from = after <= state.written ? after : 0
                let end = min(state.written, max(state.known[reader] ?? 0, state.written - weather.lag))
                let removed = state.removed.filter { $0.at > end }.map { ($0.name, $0.object) }
                let objects = state.objects.merging(removed) { there, _ in there }.filter {
                    from < $0.value.number && $0.value.number <= end && $0.value.isShown(to: reader)
                }.sorted { $0.value.number < $1.value.number }
                let page = state.hasCursors ? Array(objects.prefix(7)) : objects
                let hasMore = page.count < objects.count
                state.known[reader] = max(state.known[reader] ?? 0, end)
                var listed = page.map { SyncObject(name: $0.key, size: $0.value.bytes.count) }
                if weather.isDoubled { listed += listed.prefix(3) }
                if let seed = weather.order {
                    var generator = SplitMix64(seed: seed)
                    listed.shuffle(using: &generator)
                }
                return SyncListing(
                    objects: listed,
                    cursor: state.hasCursors ? SyncCursor("\(hasMore ? page.last?.value.number ?? 0 : end)") : nil,
                    isWhole: from == 0, hasMore: hasMore)
            }
            try await interrupt()
            return listing
        }

        func read(_ name: SyncObjectName) async throws -> [UInt8] {
            try await interrupt()
            let object = place.state.withLock { state in
                // A copy of the place whose listing lags has the objects of that listing.
                state.objects[name]
                    ?? state.removed.last { $0.name == name && $0.at > state.known[reader] ?? 0 }?.object
            }
            guard let object, object.isShown(to: reader) else {
                throw SyncError(code: .notFound, message: "There is no object \(name).")
            }
            return object.bytes
        }

        func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {
            try await interrupt()
            try place.state.withLock { state in
                if state.isFull { throw SyncError(code: .full, message: "The place is full.") }
                if state.isReadOnly { throw SyncError(code: .readOnly, message: "The place takes nothing.") }
                if let existing = state.objects[name] {
                    guard existing.bytes == bytes else {
                        throw SyncError(code: .exists, message: "There is another object \(name).")
                    }
                    return
                }
                state.written += 1
                state.objects[name] = Object(bytes: bytes, number: state.written)
                state.genuine[name] = bytes
                state.known[reader] = state.written
            }
            try await interrupt()
        }

        func remove(_ name: SyncObjectName) async throws {
            try await interrupt()
            place.state.withLock { state in
                if let object = state.objects.removeValue(forKey: name) {
                    state.removed.append((name, object, state.written))
                }
                state.genuine[name] = nil
            }
        }

        func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    }
}

// MARK: - The end

extension SimulatedPlace {
    /// Works again; what it did stays done.
    func recover() { state.withLock { ($0.isFull, $0.isReadOnly, $0.failures) = (false, false, 0) } }

    /// Makes everything as it was promised.
    func heal() {
        state.withLock { state in
            for (name, bytes) in state.genuine {
                if state.objects[name] == nil {
                    state.written += 1
                    state.objects[name] = Object(bytes: bytes, number: state.written)
                } else if state.objects[name]?.bytes != bytes || state.objects[name]?.isHidden == true
                    || state.objects[name]?.hiddenFrom != nil
                {
                    // A device that read the bad one looks again when it is listed anew.
                    state.written += 1
                    state.objects[name] = Object(bytes: bytes, number: state.written)
                }
            }
        }
        recover()
    }
}

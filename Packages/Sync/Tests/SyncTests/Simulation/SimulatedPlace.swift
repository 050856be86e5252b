// SPDX-License-Identifier: MIT

import Concurrency
import SyncWire

@testable import Sync

/// A place that several devices share and that does whatever a bad network, a bad disk or a bad relay does.
final class SimulatedPlace: Sendable {
    struct Object {
        var bytes: [UInt8]
        let number: Int
        /// Listed, but not for the reader: withheld, or not arrived.
        var isHidden = false
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
    }

    let state = Guarded(State())

    /// The place as a device sees it.
    struct View: SyncTransport {
        let place: SimulatedPlace
        /// Decides what happens at a call, and may let others do something meanwhile.
        let interrupt: @Sendable () async throws -> Void

        func list(after cursor: SyncCursor?) async throws -> SyncListing {
            try await interrupt()
            let listing = place.state.withLock { state in
                let after = state.hasCursors ? cursor.flatMap { Int($0.text) } ?? 0 : 0
                let from = after <= state.written ? after : 0
                let objects = state.objects.filter { $0.value.number > from && !$0.value.isHidden }
                    .sorted { $0.value.number < $1.value.number }
                let page = objects.prefix(7)
                let hasMore = page.count < objects.count && state.hasCursors
                return SyncListing(
                    objects: (state.hasCursors ? Array(page) : objects).map {
                        SyncObject(name: $0.key, size: $0.value.bytes.count)
                    },
                    cursor: state.hasCursors
                        ? SyncCursor("\(hasMore ? page.last?.value.number ?? 0 : state.written)") : nil,
                    isWhole: from == 0, hasMore: hasMore)
            }
            try await interrupt()
            return listing
        }

        func read(_ name: SyncObjectName) async throws -> [UInt8] {
            try await interrupt()
            guard let object = place.state.withLock({ $0.objects[name] }), !object.isHidden else {
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
            }
            try await interrupt()
        }

        func remove(_ name: SyncObjectName) async throws {
            try await interrupt()
            place.state.withLock { state in
                state.objects[name] = nil
                state.genuine[name] = nil
            }
        }

        func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    }
}

// MARK: - Misbehaviour

extension SimulatedPlace {
    enum Misbehaviour: CaseIterable {
        /// Goes back to an earlier state.
        case rollBack
        /// Does not show some objects.
        case withhold
        /// Changes a bit.
        case alter
        /// Gives one object's bytes under another name.
        case replay
        /// Puts other keys into a record of devices.
        case swapKeys
    }

    /// Does something bad, and returns the objects that are not as they were.
    func misbehave(_ kind: Misbehaviour, _ generator: inout SplitMix64) -> [SyncObjectName] {
        state.withLock { state in
            let names = state.objects.keys.sorted { $0.text < $1.text }
            guard !names.isEmpty else { return [] }
            switch kind {
            case .rollBack:
                let end = Int.random(in: 0...state.written, using: &generator)
                let gone = names.filter { (state.objects[$0]?.number ?? 0) > end }
                for name in gone { state.objects[name] = nil }
                // A place that counts on keeps its cursors valid, and is found out by a whole listing.
                if Bool.random(using: &generator) { state.written = end }
                return gone
            case .withhold:
                let hidden = names.filter { _ in UInt8.random(in: 0..<4, using: &generator) == 0 }
                for name in hidden { state.objects[name]?.isHidden = true }
                return hidden
            case .alter:
                guard let name = names.randomElement(using: &generator), var bytes = state.objects[name]?.bytes else {
                    return []
                }
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                state.objects[name]?.bytes = bytes
                return [name]
            case .replay:
                guard let name = names.randomElement(using: &generator),
                    let other = names.randomElement(using: &generator), name != other,
                    let bytes = state.objects[other]?.bytes
                else { return [] }
                state.objects[name]?.bytes = bytes
                return [name]
            case .swapKeys:
                let records = names.filter { if case .membership = $0 { true } else { false } }
                guard let name = records.randomElement(using: &generator), var bytes = state.objects[name]?.bytes,
                    bytes.count > 150
                else { return [] }
                for index in 90..<122 { bytes[index] = UInt8.random(in: .min ... .max, using: &generator) }
                state.objects[name]?.bytes = bytes
                return [name]
            }
        }
    }

    /// Makes everything as it was promised.
    func heal() {
        state.withLock { state in
            for (name, bytes) in state.genuine {
                if state.objects[name] == nil {
                    state.written += 1
                    state.objects[name] = Object(bytes: bytes, number: state.written)
                } else if state.objects[name]?.bytes != bytes || state.objects[name]?.isHidden == true {
                    // A device that read the bad one looks again when it is listed anew.
                    state.written += 1
                    state.objects[name] = Object(bytes: bytes, number: state.written)
                }
            }
            (state.isFull, state.isReadOnly, state.failures) = (false, false, 0)
        }
    }
}

// SPDX-License-Identifier: MIT

import Concurrency
import SyncWire

@testable import Sync

extension SimulatedPlace {
    enum Misbehaviour: String, CaseIterable {
        /// Goes back to an earlier state.
        case rollBack
        /// Says that it keeps an object, and does not.
        case drop
        /// Does not show some objects.
        case withhold
        /// Shows one device less than the others.
        case split
        /// Changes a bit.
        case alter
        /// Cuts the end of an object off.
        case cut
        /// Gives one object's bytes under another name.
        case replay
        /// Exchanges objects of two devices.
        case exchange
        /// Puts other keys into a record of devices.
        case swapKeys

        /// The findings that name it.
        var findings: Set<SyncFinding.Kind> {
            switch self {
            case .rollBack, .drop, .withhold, .split: [.missing, .rolledBack]
            case .alter, .cut, .replay, .exchange, .swapKeys: [.forged, .misnamed]
            }
        }
    }

    /// Does something bad, and returns the objects that are not as they were.
    func misbehave(
        _ kind: Misbehaviour, to victim: DeviceID, _ generator: inout SplitMix64
    ) -> [SyncObjectName] {
        state.withLock { state in
            let names = state.objects.keys.sorted { $0.text < $1.text }
            guard !names.isEmpty else { return [] }
            switch kind {
            case .rollBack:
                let end = Int.random(in: 0...state.written, using: &generator)
                // A place that counts on keeps its cursors valid, and is found out by a whole listing.
                return state.rollBack(to: end, countsOn: !Bool.random(using: &generator))
            case .drop:
                guard let name = names.max(by: { state.objects[$0]?.number ?? 0 < state.objects[$1]?.number ?? 0 })
                else { return [] }
                state.objects[name] = nil
                return [name]
            case .withhold, .split:
                let hidden = names.filter { _ in UInt8.random(in: 0..<4, using: &generator) == 0 }
                for name in hidden {
                    if kind == .withhold {
                        state.objects[name]?.isHidden = true
                    } else {
                        state.objects[name]?.hiddenFrom = victim
                    }
                }
                return hidden
            case .alter:
                return state.change(names.randomElement(using: &generator)) { bytes in
                    let index = Int.random(in: 0..<bytes.count, using: &generator)
                    bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                }
            case .cut:
                return state.change(names.randomElement(using: &generator)) { bytes in
                    bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
                }
            case .replay:
                guard let name = names.randomElement(using: &generator),
                    let other = names.randomElement(using: &generator), name != other,
                    let bytes = state.objects[other]?.bytes
                else { return [] }
                return state.change(name) { $0 = bytes }
            case .exchange:
                let logs = names.filter { if case .log = $0 { true } else { false } }
                guard let name = logs.randomElement(using: &generator),
                    let other = logs.filter({ $0.text.prefix(34) != name.text.prefix(34) })
                        .randomElement(using: &generator),
                    let (bytes, others) = state.objects[name].flatMap({ object in
                        state.objects[other].map { (object.bytes, $0.bytes) }
                    })
                else { return [] }
                return state.change(name) { $0 = others } + state.change(other) { $0 = bytes }
            case .swapKeys:
                let records = names.filter(\.isMembership)
                return state.change(records.randomElement(using: &generator)) { bytes in
                    for index in bytes.indices.dropFirst(90).prefix(32) {
                        bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
                    }
                }
            }
        }
    }
}

extension SimulatedPlace.State {
    /// Goes back to the time when so many objects had been written: what was removed since is there again.
    ///
    /// - Returns: The objects that are gone. Without any, nothing changes.
    mutating func rollBack(to end: Int, countsOn: Bool) -> [SyncObjectName] {
        let gone = objects.filter { $0.value.number > end }.keys.sorted { $0.text < $1.text }
        guard !gone.isEmpty else { return [] }
        for name in gone { objects[name] = nil }
        for (name, object, at) in removed where object.number <= end && end < at { objects[name] = object }
        removed.removeAll { $0.at > end }
        if !countsOn { written = end }
        return gone
    }

    fileprivate mutating func change(
        _ name: SyncObjectName?, _ body: (inout [UInt8]) -> Void
    ) -> [SyncObjectName] {
        guard let name, var bytes = objects[name]?.bytes, !bytes.isEmpty else { return [] }
        body(&bytes)
        guard bytes != objects[name]?.bytes else { return [] }
        objects[name]?.bytes = bytes
        return [name]
    }
}

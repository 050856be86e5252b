// SPDX-License-Identifier: MIT

import Sync
import SyncWire

extension SyncTransportContract {
    /// Promises about several devices at once.
    static let devices: [Check] = [
        Check(description: "what devices create at once appears whole") { subject in
            let objects = Dictionary(
                uniqueKeysWithValues: (1...24).map { (name($0), bytes(90_000 + $0, seed: UInt8($0))) })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for device in 0..<4 {
                    let place = try await subject.device()
                    for number in 1...6 {
                        let name = name(6 * device + number)
                        group.addTask {
                            try await place.create(name, objects[name] ?? [])
                            // Others are being created meanwhile.
                            try await requireWhole(place, objects)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await require(requireWhole(subject.device(), objects) == 24, "an object was lost")
        },
        Check(description: "the same object of several devices is one") { subject in
            let content = bytes(90_000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    let place = try await subject.device()
                    group.addTask { try await place.create(name(1), content) }
                }
                try await group.waitForAll()
            }
            let place = try await subject.device()
            try await require(place.read(name(1)) == content, "it has other bytes")
            try await require(listed(place).sizes == [name(1): content.count], "it is there twice")
        },
        Check(description: "of different objects of one name, one is kept whole") { subject in
            let contents = (0..<6).map { bytes(90_000 + $0, seed: UInt8($0)) }
            let kept = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                for content in contents {
                    let place = try await subject.device()
                    group.addTask {
                        let code = await code { try await place.create(name(1), content) }
                        try require(code == nil || code == .exists, "the code is \(code?.rawValue ?? "missing")")
                        return code == nil ? content : nil
                    }
                }
                return try await group.reduce(into: [[UInt8]]()) { if let content = $1 { $0.append(content) } }
            }
            let place = try await subject.device()
            let found = try await place.read(name(1))
            try require(kept.contains(found), "what is there is nobody's who was told so")
            try require(!subject.isExclusive || kept.count == 1, "\(kept.count) devices were told that theirs is kept")
            try await require(listed(place).sizes == [name(1): found.count], "the size is another one's")
        },
        Check(description: "what another device creates is an event") { subject in
            guard subject.reportsChanges else { return }
            let (place, other) = (try await subject.device(), try await subject.device())
            var events = place.changes().makeAsyncIterator()
            // One event may tell that watching began, so that several objects must each have one.
            for number in 1...4 {
                try await other.create(name(number), [1])
                try await require(events.next() != nil, "the events ended")
            }
        },
        Check(description: "events end with the consumer's task") { subject in
            let (place, other) = (try await subject.device(), try await subject.device())
            let task = Task { for await _ in place.changes() {} }
            try await other.create(name(1), [1])
            task.cancel()
            await task.value
        },
    ]

    /// Reads everything at a place, and returns the number of objects.
    @discardableResult
    private static func requireWhole(
        _ place: any SyncTransport, _ objects: [SyncObjectName: [UInt8]]
    ) async throws -> Int {
        let sizes = try await listed(place).sizes
        for (name, size) in sizes {
            let bytes = objects[name] ?? []
            try require(size == bytes.count, "\(name) is listed with \(size) bytes")
            try await require(place.read(name) == bytes, "\(name) is not whole")
        }
        return sizes.count
    }
}

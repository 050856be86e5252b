// SPDX-License-Identifier: MIT

import Sync
import SyncWire

extension SyncTransportContract {
    /// Promises about single objects.
    static let objects: [Check] = [
        Check(description: "an object that was never created is not found and is removed already") { subject in
            let place = try await subject.device()
            try await require(code { _ = try await place.read(name(1)) } == .notFound, "read what does not exist")
            try await place.remove(name(1))
            try await place.create(name(1), [1])
            try await require(code { _ = try await place.read(name(2)) } == .notFound, "read another one")
            try await place.remove(name(2))
            try await require(place.read(name(1)) == [1], "removed another one")
        },
        Check(description: "names of every kind and bytes of every value come back") { subject in
            let (place, other) = (try await subject.device(), try await subject.device())
            let id = [UInt8](repeating: 0xFF, count: 16)
            let names: [SyncObjectName] = [
                .membership(hash: [UInt8](0..<32)), .membership(hash: [UInt8](repeating: 0, count: 32)),
                .log(device: id, first: 1, last: 1), .log(device: id, first: 1, last: 11),
                .log(device: id, first: SyncLimit.number - 1, last: SyncLimit.number - 1),
                .log(device: [UInt8](0..<16), first: 1, last: 1),
                .snapshot(device: id, number: SyncLimit.number - 1, part: .max, parts: .max),
                .snapshot(device: id, number: 0, part: 1, parts: 2), .pairing(id: id, step: 0),
                .pairing(id: id, step: 255),
            ]
            for (index, name) in names.enumerated() {
                try await place.create(name, bytes(300 + index, seed: UInt8(index)))
            }
            for (index, name) in names.enumerated() {
                try await require(
                    other.read(name) == bytes(300 + index, seed: UInt8(index)), "\(name) has other bytes")
            }
            let sizes = try await listed(other).sizes
            let wanted = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, 300 + $0) })
            try require(sizes == wanted, "the listing has \(sizes)")
        },
        Check(description: "an object has from no byte to the limit, and not one more") { subject in
            let place = try await subject.device()
            let limit = SyncLimit.objectByteCount
            for (index, count) in [0, 1, 65_537, limit].enumerated() {
                let content = bytes(count)
                try await place.create(name(index + 1), content)
                try await require(place.read(name(index + 1)) == content, "\(count) bytes changed")
                try await require(listed(place).sizes[name(index + 1)] == count, "\(count) bytes have another size")
            }
            let large = bytes(limit + 1)
            try await require(code { try await place.create(name(9), large) } == .tooLarge, "took a byte too many")
            try await require(object(name(9), at: place) == nil, "took a byte too many, and complained")
            guard let plant = subject.plant else { return }
            try await plant(name(9).text, large)
            try await require(code { _ = try await place.read(name(9)) } == .tooLarge, "read a byte too many")
        },
        Check(description: "an object is written once") { subject in
            let (place, other) = (try await subject.device(), try await subject.device())
            try await place.create(name(1), bytes(500))
            try await place.create(name(1), bytes(500))
            try await other.create(name(1), bytes(500))
            for content in [[], bytes(499), bytes(501), bytes(500, seed: 1)] {
                for device in [place, other] {
                    let code = await code { try await device.create(name(1), content) }
                    try require(code == .exists, "\(content.count) other bytes: \(code?.rawValue ?? "no error")")
                }
            }
            try await require(other.read(name(1)) == bytes(500), "the bytes changed")
            try await require(listed(place).sizes == [name(1): 500], "there is more than the object")
        },
        Check(description: "a removed object is gone, and others stay") { subject in
            let (place, other) = (try await subject.device(), try await subject.device())
            for number in 1...3 { try await place.create(name(number), [UInt8(number)]) }
            try await other.remove(name(2))
            try await other.remove(name(2))
            for device in [place, other] {
                try await require(code { _ = try await device.read(name(2)) } == .notFound, "it is still there")
                try await require(listed(device).sizes == [name(1): 1, name(3): 1], "not the two that are left")
            }
            try await place.create(name(2), [7, 7])
            try await require(other.read(name(2)) == [7, 7], "a removed name cannot come back")
        },
        Check(description: "a call of a cancelled task is done or ends with CancellationError") { subject in
            let (place, other) = (try await subject.device(), try await subject.device())
            let content = bytes(100_000)
            let isCreated = try await isDoneDespiteCancellation { try await place.create(name(1), content) }
            let found = try await object(name(1), at: other)
            try require(found == nil && !isCreated || found == content, "half an object, or none after success")
            try await place.create(name(2), content)
            _ = try await isDoneDespiteCancellation { _ = try await place.list(after: nil) }
            _ = try await isDoneDespiteCancellation { _ = try await place.read(name(2)) }
            let isRemoved = try await isDoneDespiteCancellation { try await place.remove(name(2)) }
            let left = try await object(name(2), at: other)
            try require(left == content && !isRemoved || left == nil, "not removed, and no error")
            try await place.create(name(1), content)
        },
    ]
}

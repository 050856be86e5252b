// SPDX-License-Identifier: MIT

import Foundation
import Persistence
import Security
import Sync
import SyncTransports
import SyncWire

/// A folder with the extent of what was written to it.
// SAFETY: one exchange at a time creates, one object after the other, and alone changes the counts.
final class CountedPlace: SyncTransport, @unchecked Sendable {
    let folder: FolderTransport
    private(set) var byteCount = 0
    private(set) var objectCount = 0

    init(_ path: String) { folder = FolderTransport(folder: path) }

    func list(after cursor: SyncCursor?) async throws -> SyncListing { try await folder.list(after: cursor) }
    func read(_ name: SyncObjectName) async throws -> [UInt8] { try await folder.read(name) }
    func remove(_ name: SyncObjectName) async throws { try await folder.remove(name) }
    func changes() -> AsyncStream<Void> { folder.changes() }

    func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {
        try await folder.create(name, bytes)
        byteCount += bytes.count
        objectCount += 1
    }
}

/// A device in a folder of its own: its keys, and the database that an app would have.
struct Device {
    let sync: SyncDevice
    let database: Database

    static func open(_ home: String) async throws -> Device {
        let database = try await Database(at: home + "/sync.sqlite")
        return Device(sync: try await SyncDevice.open(in: database, keys: try keys(home)), database: database)
    }

    static func found(_ home: String) async throws -> Device {
        let database = try await makeDatabase(home)
        let sync = try await SyncDevice.found(
            in: database, keys: try keys(home), recovery: SecretKeys().publicKeys, name: "first")
        return Device(sync: sync, database: database)
    }

    /// Adds the device of another folder to the group; it joins with ``join(_:)``.
    func add(_ home: String) async throws {
        try await sync.add(Self.keys(home).publicKeys, name: "another")
        let (group, founding) = try await sync.invitation()
        try Data(group.bytes + founding).write(to: URL(fileURLWithPath: home + "/invitation"))
    }

    static func join(_ home: String) async throws -> Device {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: home + "/invitation")))
        guard let group = Hash(Array(bytes.prefix(32))) else { exit(1) }
        let database = try await makeDatabase(home)
        let sync = try await SyncDevice.join(
            group: group, founding: Array(bytes.dropFirst(32)), in: database, keys: try keys(home))
        return Device(sync: sync, database: database)
    }

    private static func makeDatabase(_ home: String) async throws -> Database {
        let database = try await Database(at: home + "/sync.sqlite")
        try await database.migrate(SyncDevice.migrations)
        return database
    }

    private static func keys(_ home: String) throws -> SecretKeys {
        let file = URL(fileURLWithPath: home + "/keys")
        if let bytes = try? Data(contentsOf: file) { return try SecretKeys(stored: Sensitive([UInt8](bytes))) }
        let keys = try SecretKeys()
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        try keys.stored.withExposed { try Data($0).write(to: file) }
        return keys
    }
}

/// A message as a conversation has them: an id of 32 bytes, and nine fields with 200 bytes of values.
struct Message {
    private static let sizes: [UInt32: Int] = [1: 37, 2: 5, 3: 5, 4: 87, 5: 7, 6: 7, 7: 9, 9: 6, 10: 37]

    static func change(_ number: Int) -> SyncChange {
        let conversation = number / 100
        let id =
            [UInt8](repeating: 0, count: 12) + (0..<4).map { UInt8(truncatingIfNeeded: conversation >> (8 * $0)) }
            + (0..<16).map { _ in UInt8.random(in: 0 ... .max) }
        let fields = sizes.map { field, size in
            (SyncField(field, .last), [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size))
        }
        return SyncChange(SyncRecordKey(kind: 17, id: id), Dictionary(uniqueKeysWithValues: fields))
    }
}

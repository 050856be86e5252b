// SPDX-License-Identifier: MIT

import Concurrency
import Foundation
import Persistence
import Sync
import SyncTransports
import SyncWire
import TestKit
import Testing

/// A folder that goes away after some operations, as a stick that is pulled out.
private final class VanishingFolder: SyncTransport {
    private let path: String
    private let place: FolderTransport
    private let left: Guarded<Int>

    init(_ path: String, after count: Int) {
        self.path = path
        place = FolderTransport(folder: path)
        left = Guarded(count)
    }

    private func step() throws {
        let isLast = left.withLock { left in
            left -= 1
            return left == -1
        }
        if isLast { try FileManager.default.moveItem(atPath: path, toPath: path + ".away") }
    }

    func list(after cursor: SyncCursor?) async throws -> SyncListing {
        try step()
        return try await place.list(after: cursor)
    }

    func read(_ name: SyncObjectName) async throws -> [UInt8] {
        try step()
        return try await place.read(name)
    }

    func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {
        try step()
        try await place.create(name, bytes)
    }

    func remove(_ name: SyncObjectName) async throws {
        try step()
        try await place.remove(name)
    }

    func changes() -> AsyncStream<Void> { place.changes() }
}

@Suite(.timeLimit(.minutes(5))) struct VanishingFolderTests {
    private let field = SyncField(1, .last)

    private func database() async throws -> Database {
        let database = try await Database.inMemory()
        try await database.migrate(SyncDevice.migrations)
        return database
    }

    private func key(_ number: UInt8) -> SyncRecordKey {
        SyncRecordKey(kind: 2, id: [UInt8](repeating: number, count: 16))
    }

    @Test(arguments: 0..<12)
    func `a folder that vanishes in the middle of an exchange loses nothing`(count: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("stick")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let now: @Sendable () -> Int64 = { 1_700_000_000_000 }
        let keys = try SecretKeys()
        let first = try await SyncDevice.found(
            in: database(), keys: SecretKeys(), recovery: SecretKeys().publicKeys, name: "desk")
        try await first.add(keys.publicKeys, name: "laptop")
        let invitation = try await first.invitation()
        let second = try await SyncDevice.join(
            group: invitation.group, founding: invitation.founding, in: database(), keys: keys)
        _ = try await first.sync(with: FolderTransport(folder: path), now: now, isWhole: true)
        _ = try await second.sync(with: FolderTransport(folder: path), now: now, isWhole: true)
        try await second.write([SyncChange(key(2), [field: [2]])], now: now())
        _ = try await second.sync(with: FolderTransport(folder: path), now: now, isWhole: true)
        try await first.write([SyncChange(key(1), [field: [1]])], now: now())

        do {
            _ = try await first.sync(with: VanishingFolder(path, after: count), now: now, isWhole: true)
        } catch let error as SyncError {
            #expect(error.code == .unreachable && error.message.contains("Connect the disk"), "\(error)")
        }
        if FileManager.default.fileExists(atPath: path + ".away") {
            #expect(!FileManager.default.fileExists(atPath: path))
            try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        }
        for device in [first, second] {
            let report = try await device.sync(with: FolderTransport(folder: path), now: now, isWhole: true)
            #expect(report.findings.isEmpty)
        }
        for (device, number) in [(first, UInt8(2)), (second, 1)] {
            #expect(try await device.record(key(number))?[field] == [number], "vanished after \(count)")
        }
    }
}

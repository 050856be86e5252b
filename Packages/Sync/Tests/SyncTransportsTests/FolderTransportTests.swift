// SPDX-License-Identifier: MIT

import DurableFiles
import Glibc
import Sync
import SyncTestSupport
import SyncWire
import TestKit
import Testing

@testable import SyncTransports

struct FolderTransportTests {
    private static let name = SyncObjectName.pairing(id: [UInt8](0..<16), step: 1)
    private static let other = SyncObjectName.pairing(id: [UInt8](0..<16), step: 2)

    private let folder: TemporaryFolder
    private let place: FolderTransport

    init() throws {
        folder = try TemporaryFolder()
        place = FolderTransport(folder: folder.path)
    }

    private func path(_ name: SyncObjectName) -> String { "\(place.objectFolder)/\(name)" }

    private func code(_ body: () async throws -> Void) async -> SyncError.Code? {
        do { try await body() } catch { return (error as? SyncError)?.code }
        return nil
    }

    @Test(.timeLimit(.minutes(5)), arguments: SyncTransportContract.checks)
    func `a folder keeps the contract`(check: SyncTransportContract.Check) async throws {
        try await check.run(
            SyncTransportContract.Subject(
                device: { [folder] in FolderTransport(folder: folder.path) },
                plant: { [folder] name, bytes in
                    mkdir(folder.file("parley-sync"), 0o700)
                    try folder.write(bytes, to: "parley-sync/\(name)")
                }))
    }

    @Test func `an object is one file of its name`() async throws {
        try await place.create(Self.name, [1, 2])
        #expect(try folder.names() == ["parley-sync"])
        let names = try FolderListing(place.objectFolder)
        #expect(names.objects == [SyncObject(name: Self.name, size: 2)])
        #expect(Set(names.otherNames) == [".", ".."])
    }

    @Test func `a folder that does not exist is never made`() async {
        let missing = FolderTransport(folder: folder.file("disk"))
        #expect(await code { _ = try await missing.list(after: nil) } == .unreachable)
        #expect(await code { _ = try await missing.read(Self.name) } == .unreachable)
        #expect(await code { try await missing.create(Self.name, [1]) } == .unreachable)
        #expect(await code { try await missing.remove(Self.name) } == .unreachable)
        #expect(access(folder.file("disk"), F_OK) != 0)
    }

    @Test func `a folder that vanishes is out of reach and not empty`() async throws {
        try await place.create(Self.name, [1])
        try #require(rename(place.objectFolder, folder.file("elsewhere")) == 0)
        #expect(await code { _ = try await place.list(after: nil) } == .unreachable)
        #expect(await code { _ = try await place.read(Self.name) } == .unreachable)
        #expect(await code { try await place.create(Self.other, [1]) } == .unreachable)
        #expect(await code { try await place.remove(Self.name) } == .unreachable)
        #expect(try folder.names() == ["elsewhere"])
        try #require(rename(folder.file("elsewhere"), place.objectFolder) == 0)
        #expect(try await place.list(after: nil).objects.count == 1)
    }

    @Test(.timeLimit(.minutes(5))) func `events begin with the folder and end with it`() async throws {
        var events = place.changes().makeAsyncIterator()
        try await place.create(Self.name, [1])
        #expect(await events.next() != nil)
        try #require(rename(place.objectFolder, folder.file("elsewhere")) == 0)
        // What is left of the first events, and the one of the end.
        while await events.next() != nil {}
    }

    @Test(.timeLimit(.minutes(5))) func `links, pipes and folders are no objects`() async throws {
        try await place.create(Self.other, [1])
        let secret = try folder.write([42], to: "secret")
        for make: (String) -> Int32 in [{ symlink(secret, $0) }, { mkfifo($0, 0o600) }, { mkdir($0, 0o700) }] {
            try #require(make(path(Self.name)) == 0)
            #expect(await code { _ = try await place.read(Self.name) } == .invalidAnswer)
            #expect(await code { try await place.create(Self.name, [42]) } == .invalidAnswer)
            #expect(try await place.list(after: nil).objects.map(\.name) == [Self.other])
            Glibc.remove(path(Self.name))
        }
    }

    @Test func `leftovers are removed after a day`() async throws {
        let now: Int64 = 1_000_000_000
        let place = FolderTransport(folder: folder.path, now: { now })
        try await place.create(Self.name, [1])
        let (old, young) = (UnfinishedName.make(now: now - 86_401), UnfinishedName.make(now: now - 86_400))
        for name in [old, young, ".parley-1-g.tmp", ".parley-1.tmp", "parley-1-1.tmp", ".stfolder"] {
            try folder.write([1], to: "parley-sync/\(name)")
        }
        _ = try await place.list(after: nil)
        let left = try FolderListing(place.objectFolder).otherNames
        #expect(!left.contains(old) && left.contains(young) && left.count == 7)
    }

    @Test(.enabled(if: geteuid() != 0 || SmallDisk.isPossible, "the system's administrator may write everywhere"))
    func `a folder that takes nothing is read only`() async throws {
        try await place.create(Self.name, [1])
        chmod(place.objectFolder, 0o500)
        defer { chmod(place.objectFolder, 0o700) }
        let disk = geteuid() == 0 ? try SmallDisk.mount(on: place.objectFolder, "ro") : nil
        #expect(await code { try await place.create(Self.other, [1]) } == .readOnly)
        #expect(try await place.list(after: nil).objects.count == (disk == nil ? 1 : 0))
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
    func `a full disk is told, and nothing is left of the object`() async throws {
        let disk = try #require(try SmallDisk.mount(on: folder.path, "size=256k"))
        try await place.create(Self.name, [UInt8](repeating: 1, count: 100_000))
        #expect(await code { try await place.create(Self.other, [UInt8](repeating: 1, count: 300_000)) } == .full)
        let listing = try FolderListing(place.objectFolder)
        #expect(listing.objects.map(\.name) == [Self.name] && listing.otherNames.count == 2)
        withExtendedLifetime(disk) {}
    }
}

/// A file system in memory over a folder, for as long as this value lives.
final class SmallDisk: Sendable {
    private let folder: String

    private init(_ folder: String) { self.folder = folder }

    deinit { _ = try? ChildProcess("umount", ["-l", folder], errors: .discarded).finish() }

    /// Nil if the system does not allow it.
    static func mount(on folder: String, _ options: String) throws -> SmallDisk? {
        let mount = try ChildProcess("mount", ["-t", "tmpfs", "-o", options, "none", folder], errors: .discarded)
        return mount.finish().code == 0 ? SmallDisk(folder) : nil
    }

    static let isPossible: Bool = {
        guard let folder = try? TemporaryFolder() else { return false }
        return (try? mount(on: folder.path, "size=64k")) != nil
    }()
}

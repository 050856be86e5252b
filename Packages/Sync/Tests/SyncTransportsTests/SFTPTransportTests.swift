// SPDX-License-Identifier: MIT

import Glibc
import Networking
import NetworkingTestSupport
import Sync
import SyncTestSupport
import SyncWire
import TestKit
import Testing

@testable import SyncTransports

@Suite(.enabled(if: OpenSSHServer.isInstalled, "needs openssh-server and openssh-client"), .timeLimit(.minutes(5)))
struct SFTPTransportTests {
    private static let name = SyncObjectName.pairing(id: [UInt8](0..<16), step: 1)
    private static let other = SyncObjectName.pairing(id: [UInt8](0..<16), step: 2)

    private let server: OpenSSHServer

    init() throws { server = try OpenSSHServer.start() }

    private func place(
        _ folder: String = "files", key: String = "id", known: String = "known",
        now: Int64 = UnfinishedName.currentTime()
    ) throws -> SFTPTransport {
        try SFTPTransport(
            server: server.configuration(key: key, known: known), folder: server.folder.file(folder), now: { now })
    }

    private func code(_ body: () async throws -> Void) async -> SyncError.Code? {
        do { try await body() } catch { return (error as? SyncError)?.code }
        return nil
    }

    @Test(arguments: SyncTransportContract.checks)
    func `OpenSSH keeps the contract`(check: SyncTransportContract.Check) async throws {
        try await check.run(
            SyncTransportContract.Subject(
                device: { try place() },
                plant: { [server] name, bytes in
                    mkdir(server.folder.file("files/parley-sync"), 0o700)
                    try server.folder.write(bytes, to: "files/parley-sync/\(name)")
                }, reportsChanges: false))
    }

    @Test func `an unknown key of either side is a refusal`() async throws {
        for (key, known) in [("stranger", "known"), ("id", "changed"), ("id", "missing"), ("missing", "known")] {
            let stranger = try place(key: key, known: known)
            #expect(await code { _ = try await stranger.list(after: nil) } == .refused)
            #expect(await code { _ = try await stranger.read(Self.name) } == .refused)
            #expect(await code { try await stranger.create(Self.name, [1]) } == .refused)
            #expect(await code { try await stranger.remove(Self.name) } == .refused)
        }
        #expect(access(server.folder.file("files/parley-sync"), F_OK) != 0)
    }

    @Test func `a folder that does not exist is out of reach and never made`() async throws {
        let missing = try place("nothing")
        #expect(await code { _ = try await missing.list(after: nil) } == .unreachable)
        #expect(await code { try await missing.create(Self.name, [1]) } == .unreachable)
        #expect(access(server.folder.file("nothing"), F_OK) != 0)
    }

    @Test func `a folder that vanishes is out of reach and not empty`() async throws {
        let place = try place()
        try await place.create(Self.name, [1])
        try #require(rename(server.folder.file("files/parley-sync"), server.folder.file("elsewhere")) == 0)
        #expect(await code { _ = try await place.list(after: nil) } == .unreachable)
        #expect(await code { try await place.create(Self.name, [1]) } == .unreachable)
        #expect(access(server.folder.file("files/parley-sync"), F_OK) != 0)
    }

    @Test func `leftovers are removed after a day`() async throws {
        let place = try place(now: 1_086_401)
        try await place.create(Self.name, [1])
        let (old, young) = (UnfinishedName.make(now: 1_000_000), UnfinishedName.make(now: 1_000_001))
        for name in [old, young] { try server.folder.write([1], to: "files/parley-sync/\(name)") }
        #expect(try await place.list(after: nil).objects == [SyncObject(name: Self.name, size: 1)])
        #expect(access(server.folder.file("files/parley-sync/\(old)"), F_OK) != 0)
        #expect(access(server.folder.file("files/parley-sync/\(young)"), F_OK) == 0)
    }

    @Test func `a connection that the server ended is replaced`() async throws {
        let place = try place()
        try await place.create(Self.name, [1])
        try server.endConnections()
        #expect(try await place.read(Self.name) == [1])
        await place.close()
        #expect(await code { _ = try await place.list(after: nil) } == .unreachable)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
    func `a full server fails, and nothing is left of the object`() async throws {
        let disk = try #require(try SmallDisk.mount(on: server.folder.file("files"), "size=256k"))
        let place = try place()
        try await place.create(Self.name, [UInt8](repeating: 1, count: 100_000))
        let code = await code { try await place.create(Self.other, [UInt8](repeating: 1, count: 300_000)) }
        // OpenSSH does not tell the reason.
        #expect(code == .unreachable)
        #expect(try await place.list(after: nil).objects.map(\.name) == [Self.name])
        #expect(try FolderListing(server.folder.file("files/parley-sync")).otherNames.count == 2)
        withExtendedLifetime(disk) {}
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
    func `a server that takes nothing fails with the likely reasons`() async throws {
        let disk = try #require(try SmallDisk.mount(on: server.folder.file("files"), "ro"))
        // OpenSSH tells a missing permission and no other reason.
        let error = await #expect(throws: SyncError.self) { try await place().create(Self.name, [1]) }
        #expect(error?.code == .unreachable && error?.message.contains("read-only") == true)
        withExtendedLifetime(disk) {}
    }

    @Test func `a port that refuses is out of reach`() async throws {
        var configuration = server.configuration()
        configuration.port = refusingPort
        let place = try SFTPTransport(server: configuration, folder: "")
        #expect(await code { _ = try await place.list(after: nil) } == .unreachable)
    }
}

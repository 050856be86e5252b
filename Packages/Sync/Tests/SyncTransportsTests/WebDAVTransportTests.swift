// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Glibc
import Networking
import NetworkingTestSupport
import Sync
import SyncTestSupport
import SyncWire
import TestKit
import Testing

@testable import SyncTransports

@Suite(.enabled(if: ApacheServer.isInstalled, "needs apache2-bin"))
struct WebDAVTransportTests {
    private static let name = SyncObjectName.pairing(id: [UInt8](0..<16), step: 1)

    private func place(
        _ server: ApacheServer, password: String = "secret", folder: String = "",
        now: Int64 = UnfinishedName.currentTime()
    ) throws -> WebDAVTransport {
        try WebDAVTransport(
            url: server.url(folder), user: "ada", password: password,
            over: CurlTransport(configuration: ApacheServer.connections), now: { now })
    }

    private func code(_ body: () async throws -> Void) async -> SyncError.Code? {
        do { try await body() } catch { return (error as? SyncError)?.code }
        return nil
    }

    @Test(.timeLimit(.minutes(5)), arguments: SyncTransportContract.checks)
    func `Apache keeps the contract`(check: SyncTransportContract.Check) async throws {
        let server = try ApacheServer.start()
        try await check.run(
            SyncTransportContract.Subject(
                device: { try place(server) }, plant: { name, bytes in try server.plant(bytes, name) },
                reportsChanges: false, isExclusive: false))
    }

    @Test func `a wrong password and a missing right are refusals`() async throws {
        let server = try ApacheServer.start()
        let stranger = try place(server, password: "guess")
        #expect(await code { _ = try await stranger.list(after: nil) } == .refused)
        #expect(await code { _ = try await stranger.read(Self.name) } == .refused)
        #expect(await code { try await stranger.create(Self.name, [1]) } == .refused)
        #expect(await code { try await stranger.remove(Self.name) } == .refused)
        #expect(access(server.folder.file("www/parley-sync"), F_OK) != 0)
    }

    @Test func `an address without a collection is out of reach and never made`() async throws {
        let server = try ApacheServer.start()
        let missing = try place(server, folder: "missing")
        #expect(await code { _ = try await missing.list(after: nil) } == .unreachable)
        #expect(await code { try await missing.create(Self.name, [1]) } == .unreachable)
        #expect(access(server.folder.file("www/missing"), F_OK) != 0)
    }

    @Test func `a collection that vanishes is out of reach and not empty`() async throws {
        let server = try ApacheServer.start()
        let place = try place(server)
        try await place.create(Self.name, [1])
        try #require(rename(server.folder.file("www/parley-sync"), server.folder.file("elsewhere")) == 0)
        #expect(await code { _ = try await place.list(after: nil) } == .unreachable)
        #expect(await code { try await place.create(Self.name, [1]) } == .unreachable)
        #expect(access(server.folder.file("www/parley-sync"), F_OK) != 0)
    }

    @Test func `leftovers are removed after a day`() async throws {
        let server = try ApacheServer.start()
        let (old, young) = (UnfinishedName.make(now: 1_000_000), UnfinishedName.make(now: 1_000_001))
        for name in [old, young] { try server.plant([1], name) }
        let listing = try await place(server, now: 1_086_401).list(after: nil)
        #expect(listing.objects.isEmpty && listing.time ?? 0 > 1_700_000_000_000)
        #expect(try server.folder.names().contains("www"))
        #expect(access(server.folder.file("www/parley-sync/\(old)"), F_OK) != 0)
        #expect(access(server.folder.file("www/parley-sync/\(young)"), F_OK) == 0)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs the right to mount a file system"))
    func `a full server is told`() async throws {
        let server = try ApacheServer.start()
        let disk = try #require(try SmallDisk.mount(on: server.folder.file("www"), "size=256k,mode=777"))
        let place = try place(server)
        try await place.create(Self.name, [UInt8](repeating: 1, count: 100_000))
        let other = SyncObjectName.pairing(id: [UInt8](0..<16), step: 2)
        #expect(await code { try await place.create(other, [UInt8](repeating: 1, count: 300_000)) } == .full)
        #expect(try await place.list(after: nil).objects.map(\.name) == [Self.name])
        withExtendedLifetime(disk) {}
    }

    @Test func `a server that is not there is out of reach`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(refusingPort)/"))
        let place = try WebDAVTransport(
            url: url, user: "ada", password: "secret", connections: ApacheServer.connections)
        #expect(await code { _ = try await place.list(after: nil) } == .unreachable)
    }
}

struct WebDAVAnswerTests {
    private func code(_ body: () async throws -> Void) async -> SyncError.Code? {
        do { try await body() } catch { return (error as? SyncError)?.code }
        return nil
    }

    private func place(_ url: String, status: Int = 200, user: String = "ada") throws -> WebDAVTransport {
        let answer: @Sendable (HTTPRequest) -> HTTPResponse = { HTTPResponse(status: status, url: $0.url) }
        let transport = ScriptedTransport(Array(repeating: answer, count: 8))
        return try WebDAVTransport(
            url: #require(URL(string: url)), user: user, password: "secret", over: transport)
    }

    @Test(
        arguments: [
            (401, SyncError.Code.refused), (403, .refused), (405, .readOnly), (413, .tooLarge), (507, .full),
            (500, .unreachable), (503, .unreachable), (429, .unreachable), (302, .invalidAnswer), (418, .invalidAnswer),
        ]) func `a status has a code`(status: Int, code: SyncError.Code) async throws
    {
        let place = try place("https://cloud.example/dav", status: status)
        let name = SyncObjectName.pairing(id: [UInt8](0..<16), step: 1)
        #expect(await self.code { try await place.create(name, [1]) } == code)
    }

    /// Two tasks of one device create the first objects of a place; the first one's upload is answered last.
    @Test func `a place that another task made meanwhile is not out of reach`() async throws {
        let (isAsked, isMade) = (Promise<Void>(), Promise<Void>())
        let uploads = Guarded(0)
        let transport = ScriptedTransport { request in
            var status = 201
            if request.method == .put {
                let number = uploads.withLock { count in
                    count += 1
                    return count
                }
                if number == 1 {
                    isAsked.resolve()
                    try await isMade.value()
                    status = 404
                }
            } else if request.method == .mkcol {
                status = 405
            }
            return HTTPResponse(status: status, url: request.url)
        }
        let place = try WebDAVTransport(
            url: #require(URL(string: "https://cloud.example/dav")), user: "ada", password: "secret", over: transport)
        async let first: Void = place.create(.pairing(id: [UInt8](0..<16), step: 1), [1])
        try await isAsked.value()
        try await place.create(.pairing(id: [UInt8](0..<16), step: 2), [2])
        isMade.resolve()
        try await first
        #expect(transport.requests.filter { $0.method == .mkcol }.count == 1)
    }

    @Test(
        arguments: [
            "ftp://cloud.example/", "https:///dav", "https://ada@cloud.example/", "https://cloud.example/?a", "dav",
        ]) func `an invalid address is a mistake`(url: String)
    {
        let error = #expect(throws: SyncError.self) { try place(url) }
        #expect(error?.code == .mistyped)
    }

    @Test func `a user name has no colon`() {
        let error = #expect(throws: SyncError.self) { try place("https://cloud.example/", user: "a:b") }
        #expect(error?.code == .mistyped)
    }

    @Test func `listings are read with any prefix, host and encoding`() throws {
        let name = SyncObjectName.pairing(id: [UInt8](0..<16), step: 1)
        let listing = try WebDAVListing(
            Array(
                """
                <x:multistatus xmlns:x="DAV:"><x:response><x:href>https://cloud.example/dav/parley%2Dsync/</x:href>
                <x:propstat><x:prop><x:resourcetype><x:collection/></x:resourcetype></x:prop>
                <x:status>HTTP/1.1 200 OK</x:status></x:propstat></x:response>
                <x:response><x:href>
                /dav/parley-sync/\(name.text.replacing("-", with: "%2d")) </x:href><x:propstat><x:prop>
                <x:getcontentlength> 7 </x:getcontentlength></x:prop><x:status>HTTP/2 200</x:status></x:propstat></x:response>
                <x:response><x:href>/dav/parley-sync/%zz</x:href></x:response></x:multistatus>
                """.utf8))
        #expect(listing.objects == [SyncObject(name: name, size: 7)] && listing.otherNames == ["%zz"])
    }

    @Test(arguments: ["", "<html/>", "<multistatus/>", "<!DOCTYPE html><html><body>Sign in</body></html>"])
    func `another answer than a listing is invalid`(body: String) {
        let error = #expect(throws: SyncError.self) { try WebDAVListing(Array(body.utf8)) }
        #expect(error?.code == .invalidAnswer)
    }
}

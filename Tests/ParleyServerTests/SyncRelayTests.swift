// SPDX-License-Identifier: MIT

import AuthServer
import Digests
import Foundation
import Networking
import Persistence
import SyncWire
import TestKit
import Testing

@testable import ParleyServer

/// The relay over HTTP: objects of devices, and the news of them.
@Suite(.timeLimit(.minutes(5))) struct SyncRelayTests {
    @Test func `an object is written once and read as it was`() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let bytes = SoundSample(70_000).bytes
        #expect(try await fixture.putObject(SyncSample.path(1), bytes, as: ada).status == 201)
        #expect(try await fixture.putObject(SyncSample.path(1), bytes, as: ada).status == 200)
        #expect(try await fixture.putObject(SyncSample.path(1), Array(bytes.dropLast()), as: ada).status == 409)
        #expect(try await fixture.putObject(SyncSample.path(2), [], as: ada).status == 201)
        let read = try await fixture.call(.get, SyncSample.path(1), as: ada)
        #expect(read.status == 200 && read.body == bytes && read.headers["Cache-Control"] == "no-store")
        #expect(read.headers["Content-Type"] == "application/octet-stream")
        let empty = try await fixture.call(.get, SyncSample.path(2), as: ada)
        #expect(empty.status == 200 && empty.body.isEmpty)

        let whole = try await fixture.listObjects(as: ada)
        #expect(whole.objects.map(\.name) == [SyncSample.name(1).text, SyncSample.name(2).text])
        #expect(whole.objects.map(\.size) == [bytes.count, 0] && whole.whole && !whole.more)
        let none = try await fixture.listObjects(whole.cursor, as: ada)
        #expect(none.objects.isEmpty && !none.whole && none.cursor == whole.cursor)
        for _ in 0..<2 { #expect(try await fixture.call(.delete, SyncSample.path(1), as: ada).status == 204) }
        #expect(try await fixture.call(.get, SyncSample.path(1), as: ada).status == 404)
        // A name that was removed may be written again, and is news then.
        #expect(try await fixture.putObject(SyncSample.path(1), [1], as: ada).status == 201)
        let news = try await fixture.listObjects(whole.cursor, as: ada)
        #expect(news.objects == [RelayListing.Item(name: SyncSample.name(1).text, size: 1)] && !news.whole)
        await fixture.stop()
    }

    @Test func `a restarted server has every object`() async throws {
        let home = try TemporaryFolder()
        var fixture = try await ServerFixture(home: home) { $0.publicAddress = "http://127.0.0.1:1" }
        let ada = try await fixture.signIn("ada@example.org")
        for number in 1...3 {
            #expect(try await fixture.putObject(SyncSample.path(number), [UInt8(number)], as: ada).status == 201)
        }
        let before = try await fixture.listObjects(as: ada)
        await fixture.stop()
        fixture = try await ServerFixture(home: home) { $0.publicAddress = "http://127.0.0.1:1" }
        #expect(try await fixture.listObjects(as: ada) == before)
        #expect(try await fixture.listObjects(before.cursor, as: ada).objects.isEmpty)
        #expect(try await fixture.call(.get, SyncSample.path(2), as: ada).body == [2])
        await fixture.stop()
    }

    @Test(arguments: [
        "/sync/a1/objects", "/sync/\(String(repeating: "A1", count: 32))/objects", "/sync/%2e%2e/objects",
        "/sync/\(String(repeating: "a1", count: 33))/objects", "/sync/\(String(repeating: "g1", count: 32))/objects",
        SyncSample.path + "/objects/m-00", SyncSample.path + "/objects/%2e%2e%2fserver.sqlite",
        SyncSample.path(1) + ".sync-conflict-2026", SyncSample.path(1).uppercased().replacing("/SYNC/", with: "/sync/"),
    ]) func `an address that names nothing is refused`(path: String) async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let methods: [HTTPMethod] = path.hasSuffix("/objects") ? [.get] : [.get, .put, .delete]
        for method in methods {
            let answer = try await fixture.send(
                method, path, token: ada.token, body: method == .put ? [1] : nil, type: "application/octet-stream")
            #expect([400, 404].contains(answer.status), "\(method) \(path): \(answer.status)")
        }
        await fixture.stop()
    }

    @Test func `an object has at most four mebibytes`() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let longest = [UInt8](repeating: 7, count: SyncLimit.objectByteCount)
        #expect(try await fixture.putObject(SyncSample.path(1), longest, as: ada).status == 201)
        #expect(try await fixture.putObject(SyncSample.path(2), longest + [7], as: ada).status == 413)
        // Without a length that says so.
        let url = try #require(URL(string: fixture.server.address + SyncSample.path(2)))
        let chunks = AsyncStream<[UInt8]> { continuation in
            for _ in 0..<5 { continuation.yield([UInt8](repeating: 7, count: 1 << 20)) }
            continuation.finish()
        }
        let headers: HTTPHeaders = [
            "Authorization": "Bearer \(ada.token)", "Content-Type": "application/octet-stream",
        ]
        let answer = try await fixture.client.send(
            HTTPRequest(.put, url, headers: headers, body: .stream(HTTPBodyStream(chunks))))
        #expect(answer.status == 413)
        let typed = try await fixture.send(.put, SyncSample.path(2), token: ada.token, body: [1], type: "text/plain")
        #expect(typed.status == 415)
        #expect(try await fixture.listObjects(as: ada).objects.map(\.size) == [longest.count])
        await fixture.stop()
    }

    @Test func `one group id under two accounts is two groups`() async throws {
        let fixture = try await ServerFixture()
        let (ada, bob) = (try await fixture.signIn("ada@example.org"), try await fixture.signIn("bob@example.org"))
        #expect(try await fixture.putObject(SyncSample.path(1), [1, 2, 3], as: ada).status == 201)
        #expect(try await fixture.call(.get, SyncSample.path(1), as: bob).status == 404)
        let empty = try await fixture.listObjects(as: bob)
        #expect(empty.objects.isEmpty && empty.cursor.hasSuffix("-0"), "nothing shows that others are there")
        #expect(try await fixture.putObject(SyncSample.path(1), [4], as: bob).status == 201)
        #expect(try await fixture.call(.get, SyncSample.path(1), as: bob).body == [4])
        #expect(try await fixture.call(.get, SyncSample.path(1), as: ada).body == [1, 2, 3])
        #expect(try await fixture.call(.delete, SyncSample.path(1), as: bob).status == 204)
        #expect(try await fixture.listObjects(as: ada).objects.count == 1)
        // Another group of the same account is apart, too.
        let other = SyncSample.path(1).replacing("a1a1", with: "b2b2")
        #expect(try await fixture.call(.get, other, as: ada).status == 404)
        #expect(try await fixture.putObject(other, [9], as: ada).status == 201)
        #expect(try await fixture.listObjects(as: ada).objects.map(\.size) == [3])
        await fixture.stop()
    }

    @Test func `a long listing comes in pages without gap or double`() async throws {
        let store = try await SyncStore(SQLiteServerDatabase.open(nil, SyncSchema.migrations, clock: .system))
        let group = SyncGroup(account: "ada", id: SyncSample.group)
        let count = SyncLimit.listingCount * 2 + 1
        for number in 1...count { #expect(try await store.create(SyncSample.name(number), [1], in: group) == .new) }
        var (found, cursor, pages) = ([SyncObjectName](), SyncCursor?.none, 0)
        while true {
            let page = try await store.list(group, after: cursor)
            #expect(page.isWhole == (cursor == nil))
            found += page.objects.map(\.name)
            (cursor, pages) = (page.cursor, pages + 1)
            if !page.hasMore { break }
        }
        #expect(pages == 3 && found == (1...count).map { SyncSample.name($0) })
        // A cursor of another epoch, of the future or of another form begins anew.
        let other = try await SyncStore(SQLiteServerDatabase.open(nil, SyncSchema.migrations, clock: .system))
        let last = try #require(cursor)
        let foreign = try await other.list(group, after: last).cursor
        let future = SyncCursor(last.text.replacing("-\(count)", with: "-\(count + 1)"))
        for cursor in [foreign, future, SyncCursor(""), SyncCursor("-1"), SyncCursor(last.text + "-1")] {
            let page = try await store.list(group, after: cursor)
            #expect(page.isWhole && page.hasMore, "\(String(describing: cursor))")
        }
        await store.database.close()
        await other.database.close()
    }

    @Test func `many bytes are deleted in parts, and later ones stay`() async throws {
        let store = try await SyncStore(SQLiteServerDatabase.open(nil, SyncSchema.migrations, clock: .system))
        let group = SyncGroup(account: "ada", id: SyncSample.group)
        let longest = [UInt8](repeating: 1, count: SyncLimit.objectByteCount)
        for number in 1...9 { #expect(try await store.create(SyncSample.name(number), longest, in: group) == .new) }
        let last = try await store.usage(of: "ada").last
        #expect(try await store.create(SyncSample.name(10), [1], in: group) == .new)
        #expect(try await store.removeSome(of: "bob", through: last) == 0)
        var parts: [Int] = []
        while case let count = try await store.removeSome(of: "ada", through: last), count > 0 { parts.append(count) }
        #expect(parts == [8, 1])
        let usage = try await store.usage(of: "ada")
        #expect(usage == (10, 1, 1))
        #expect(try await store.list(group, after: nil).objects.map(\.name) == [SyncSample.name(10)])
        await store.database.close()
    }

    @Test func `a restored relay is listed anew`() async throws {
        let fixture = try await ServerFixture { $0.publicAddress = "http://127.0.0.1:1" }
        let ada = try await fixture.signIn("ada@example.org")
        for number in 1...2 { _ = try await fixture.putObject(SyncSample.path(number), [UInt8(number)], as: ada) }
        let backup = fixture.home.path + "-backup"
        defer { try? FileManager.default.removeItem(atPath: backup) }
        _ = try await ServerBackup(of: fixture.home.path, to: backup).run()
        _ = try await fixture.putObject(SyncSample.path(3), [3], as: ada)
        let cursor = try await fixture.listObjects(as: ada).cursor
        #expect(try await fixture.listObjects(cursor, as: ada).objects.isEmpty, "a backup changes nothing here")
        await fixture.stop()
        let home = try TemporaryFolder()
        _ = try await ServerRestore(of: backup, to: home.path).run()
        let restored = try await ServerFixture(home: home) { $0.publicAddress = "http://127.0.0.1:1" }
        // As many as before, with another one among them: the number alone would hide it.
        _ = try await restored.putObject(SyncSample.path(4), [4], as: ada)
        let listing = try await restored.listObjects(cursor, as: ada)
        #expect(listing.whole && listing.objects.map(\.name) == [1, 2, 4].map { SyncSample.name($0).text })
        #expect(try await restored.call(.get, SyncSample.path(2), as: ada).body == [2])
        await restored.stop()
    }

    @Test func `a backup of an earlier version's home is made and restored`() async throws {
        let fixture = try await ServerFixture()
        await fixture.stop()
        let home = fixture.home.path
        try FileManager.default.removeItem(atPath: home + "/sync.sqlite")
        let backup = home + "-backup"
        defer { try? FileManager.default.removeItem(atPath: backup) }
        _ = try await ServerBackup(of: home, to: backup).run()
        let other = try TemporaryFolder()
        _ = try await ServerRestore(of: backup, to: other.path).run()
        let restored = try await ServerFixture(home: other)
        #expect(try await restored.get("/readyz").status == 200)
        await restored.stop()
    }
}

// SPDX-License-Identifier: MIT

import AuthServer
import Foundation
import Networking
import SyncWire
import TestKit
import Testing

@testable import ParleyServer

/// The news of a group, as server-sent events.
@Suite(.timeLimit(.minutes(5))) struct SyncEventTests {
    @Test func `each new object of the group is an event`() async throws {
        let fixture = try await ServerFixture()
        let (ada, bob) = (try await fixture.signIn("ada@example.org"), try await fixture.signIn("bob@example.org"))
        let response = try await fixture.syncEvents(as: ada)
        #expect(response.status == 200 && response.headers["Content-Type"] == "text/event-stream")
        var reader = SyncEventReader(response)
        // The position at the start: what was created before the stream was open is not missed.
        let start = try #require(try await reader.next())
        #expect(start.type == "changed" && start.data == start.lastEventID)
        let other = SyncSample.path(1).replacing("a1a1", with: "b2b2")
        _ = try await fixture.putObject(SyncSample.path(1), [1], as: bob)
        _ = try await fixture.putObject(other, [1], as: ada)
        _ = try await fixture.putObject(SyncSample.path(1), [1], as: ada)
        let first = try #require(try await reader.next())
        // Neither another account nor another group has made it, nor does what is there already.
        #expect(try await fixture.putObject(SyncSample.path(1), [1], as: ada).status == 200)
        #expect(try await fixture.putObject(SyncSample.path(1), [2], as: ada).status == 409)
        _ = try await fixture.putObject(SyncSample.path(2), [1], as: ada)
        let second = try #require(try await reader.next())
        #expect(Set([start, first, second].map(\.data)).count == 3)
        let listing = try await fixture.listObjects(first.lastEventID, as: ada)
        #expect(listing.objects.map(\.name) == [SyncSample.name(2).text] && listing.cursor == second.data)
        await fixture.stop()
    }

    @Test func `a client that comes back hears only what it missed`() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        _ = try await fixture.putObject(SyncSample.path(1), [1], as: ada)
        var reader = SyncEventReader(try await fixture.syncEvents(as: ada))
        let known = try #require(try await reader.next()).lastEventID
        // Nothing was missed: the first event is the next object.
        var second = SyncEventReader(try await fixture.syncEvents(as: ada, after: known))
        try await eventually("both streams are open") { fixture.server.syncStreams == 2 }
        _ = try await fixture.putObject(SyncSample.path(2), [1], as: ada)
        let news = try #require(try await second.next())
        #expect(news.lastEventID != known)
        var third = SyncEventReader(try await fixture.syncEvents(as: ada, after: known))
        #expect(try await third.next() == news)
        var foreign = SyncEventReader(try await fixture.syncEvents(as: ada, after: "another-1"))
        #expect(try await foreign.next() == news)
        await fixture.stop()
    }

    @Test func `an account has so many streams and no more`() async throws {
        let fixture = try await ServerFixture { $0.sync.maximumStreams = 2 }
        let (ada, bob) = (try await fixture.signIn("ada@example.org"), try await fixture.signIn("bob@example.org"))
        do {
            var readers: [SyncEventReader] = []
            for _ in 0..<2 {
                var reader = SyncEventReader(try await fixture.syncEvents(as: ada))
                #expect(try await reader.next() != nil)
                readers.append(reader)
            }
            let refused = try await fixture.call(.get, SyncSample.path + "/events", as: ada)
            #expect(refused.status == 429 && refused.headers["Retry-After"] == "30")
            // Another account's are its own, and a HEAD takes none.
            var bobs = SyncEventReader(try await fixture.syncEvents(as: bob))
            #expect(try await bobs.next() != nil)
            #expect(try await fixture.call(.head, SyncSample.path + "/events", as: bob).status == 200)
            #expect(readers.count == 2)
        }
        // Clients that have gone are noticed when there is something to send, a heartbeat at the latest.
        _ = try await fixture.putObject(SyncSample.path(1), [1], as: ada)
        _ = try await fixture.putObject(SyncSample.path(1), [1], as: bob)
        try await eventually("streams of gone clients end") { fixture.server.syncStreams == 0 }
        var again = SyncEventReader(try await fixture.syncEvents(as: ada))
        #expect(try await again.next() != nil)
        await fixture.stop()
    }

    @Test func `a stream ends with its session`() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let device = try await fixture.signIn("ada@example.org")
        #expect(device.account == ada.account)
        var reader = SyncEventReader(try await fixture.syncEvents(as: device))
        #expect(try await reader.next() != nil)
        #expect(try await fixture.call(.post, "/logout?scope=local", as: device).status == 204)
        _ = try await fixture.putObject(SyncSample.path(1), [1], as: ada)
        #expect(try await reader.next() == nil)
        #expect(try await fixture.call(.get, SyncSample.path + "/events", as: device).status == 403)
        await fixture.stop()
    }

    @Test func `a stream lives no longer than a token`() async throws {
        let fixture = try await ServerFixture { $0.policy.accessTokenLifetime = .seconds(1) }
        let ada = try await fixture.signIn("ada@example.org")
        var reader = SyncEventReader(try await fixture.syncEvents(as: ada))
        #expect(try await reader.next() != nil)
        #expect(try await reader.next() == nil)
        #expect(fixture.server.syncStreams == 0)
        await fixture.stop()
    }
}

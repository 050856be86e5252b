// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import DataLayer
import Diagnostics
import Domain
import Foundation
import Networking
import NetworkingTestSupport
import ObjectStore
import Persistence
import TestKit
import Testing

@testable import ParleyServer

/// Deletion by age, and the clock that decides it.
@Suite(.timeLimit(.minutes(5))) struct RetentionTests {
    private func makeFixture(
        _ wall: VirtualAuthClock, _ monotonic: VirtualAuthClock, _ change: (inout ServerOptions) -> Void = { _ in }
    ) async throws -> ServerFixture {
        try await ServerFixture {
            ($0.clock, $0.monotonicClock, $0.callsPerAccountAndMinute) = (wall.clock, monotonic.clock, 0)
            change(&$0)
        }
    }

    @Test func `recordings and evaluations end after the days`() async throws {
        let (wall, monotonic) = (VirtualAuthClock(), VirtualAuthClock())
        let fixture = try await makeFixture(wall, monotonic) {
            $0.retentionDays = 10
            $0.policy.accessTokenLifetime = .seconds(30 * 86_400)
        }
        let ada = try await fixture.signIn("ada@example.org")
        let config = try await text(fixture.call(.get, "/rpc/app_config", as: ada))
        #expect(config == #"{"flags":{"serverRetentionDays":{"value":10}}}"#)
        let (old, new) = (SoundSample(100), SoundSample(100, seed: 2))
        try await fixture.upload(old, as: ada)
        for day in 1...11 {
            if day == 5 { try await fixture.upload(new, as: ada) }
            for clock in [wall, monotonic] { clock.advance(by: .seconds(86_400)) }
            try await fixture.server.maintain()
            let left = try fixture.soundFiles.count
            #expect(left == (day < 5 || day > 10 ? 1 : 2), "day \(day): \(left)")
        }
        for path in ["", "/content", "/evaluation"] {
            #expect(try await fixture.call(.get, "/recordings/\(old.id)\(path)", as: ada).status == 404)
            #expect(try await fixture.call(.get, "/recordings/\(new.id)\(path)", as: ada).status == 200)
        }
        await fixture.stop()
    }

    @Test func `a clock that jumps forward deletes nothing`() async throws {
        let (wall, monotonic) = (VirtualAuthClock(), VirtualAuthClock())
        let fixture = try await makeFixture(wall, monotonic)
        let ada = try await fixture.signIn("ada@example.org")
        let (done, begun) = (SoundSample(100), SoundSample(100, seed: 2))
        try await fixture.upload(done, as: ada)
        _ = try await fixture.create(begun, as: ada)
        #expect(try await fixture.patch(begun.id, begun.bytes.prefix(40), at: 0, as: ada).status == 204)
        try await fixture.server.maintain()
        wall.advance(by: .seconds(1_000 * 86_400))
        for _ in 0..<20 {
            try await fixture.server.maintain()
            for clock in [wall, monotonic] { clock.advance(by: .seconds(3_600)) }
            _ = try await fixture.head(begun.id, as: ada)
        }
        wall.advance(by: .seconds(-1_000 * 86_400 - 20 * 3_600))
        try await fixture.server.maintain()
        #expect(try await fixture.head(begun.id, as: ada).headers["Upload-Offset"] == "40")
        #expect(try await fixture.call(.get, "/recordings/\(done.id)/content", as: ada).body == done.bytes)
        await fixture.stop()
    }

    /// Its removals fail as a whole, before audit events are looked at.
    @Test func `a bucket that is away keeps no audit event`() async throws {
        let (wall, monotonic) = (VirtualAuthClock(), VirtualAuthClock())
        var bucket = try S3Configuration("s3://bucket?endpoint=http://127.0.0.1:\(refusingPort)")
        (bucket.retry.baseDelay, bucket.connections.proxy) = (.zero, .none)
        let away = bucket
        let fixture = try await makeFixture(wall, monotonic) {
            $0.objects = .bucket(away, .fixed(S3Credentials(accessKey: "a", secretKey: "b")))
            $0.auditDays = 90
        }
        _ = try await fixture.signIn("ada@example.org")
        let administration = try await ServerAdministration.open(
            ServerOptions(home: fixture.home.path, mail: .folder("")))
        func count() async throws -> Int {
            try await administration.auditEvents(since: nil, account: nil, limit: 100).events.count {
                $0.event == "sign-in"
            }
        }
        try await eventually("the event is stored") { try await count() == 1 }
        for clock in [wall, monotonic] { clock.advance(by: .seconds(91 * 86_400)) }
        await #expect(throws: ObjectStoreError.self) { try await fixture.server.maintain() }
        #expect(try await count() == 0)
        await administration.close()
        await fixture.stop()
    }

    private let start = AuthTime(milliseconds: 1_767_225_600_000)

    @Test func `a jump is believed after a day`() {
        var clock = AgeClock(believed: nil)
        let boot = AuthTime(milliseconds: 0)
        #expect(clock.time(start, boot) == start)
        let hour = Duration.seconds(3_600)
        #expect(clock.time(start + hour, boot + hour) == start + hour)
        let later = start + .seconds(400 * 86_400)
        var times: [AuthTime] = []
        for count in 2...27 { times.append(clock.time(later + hour * count, boot + hour * count)) }
        #expect(Array(times.prefix(24)) == (2...25).map { start + hour * $0 })
        #expect(times.last == later + hour * 27)
    }

    @Test func `an earlier server's time is where the clock goes on`() {
        var clock = AgeClock(believed: start)
        let boot = AuthTime(milliseconds: 5_000)
        #expect(clock.time(start + .seconds(40 * 86_400), boot) == start)
        // Set right: followed at once, also backwards.
        #expect(clock.time(start + .seconds(60), boot + .seconds(60)) == start + .seconds(60))
        #expect(clock.time(start + .seconds(-9_000), boot + .seconds(120)) == start + .seconds(-9_000))
    }

    @Test func `a doubted time is logged once, also after a stop`() async throws {
        let (wall, monotonic, ring) = (VirtualAuthClock(), VirtualAuthClock(), RingSink())
        let home = try TemporaryFolder()
        let stores = try await ServerFixture.stores(home.path)
        let logger = Logger(category: "server", sink: ring)
        func makeStore() -> AgeStore {
            AgeStore(stores.settings, wall: wall.clock, monotonic: monotonic.clock, logger: logger)
        }
        func lines(of store: AgeStore, after jump: Duration) async throws -> [String] {
            let before = ring.snapshot().count
            wall.advance(by: jump)
            for _ in 0..<3 {
                _ = try await store.now()
                for clock in [wall, monotonic] { clock.advance(by: .seconds(3_600)) }
            }
            return ring.snapshot().dropFirst(before).map { record in
                "\(record.level): \(record.message.text.prefix { $0 != "," && $0 != ":" })"
            }
        }
        let first = makeStore()
        #expect(try await lines(of: first, after: .zero) == [])
        let doubt = ["warning: the time of day is 120 minutes ahead of what was expected"]
        #expect(try await lines(of: first, after: .seconds(7_200)) == doubt)
        #expect(try await lines(of: first, after: .seconds(-7_200)) == ["notice: the time of day is believed again"])
        // The last hour was not seen by the first store.
        #expect(try await lines(of: makeStore(), after: .seconds(3_600)) == doubt)
        await stores.storage.close()
    }

    @Test func `a server that is off each night keeps up`() async throws {
        let (wall, home) = (VirtualAuthClock(), try TemporaryFolder())
        let stores = try await ServerFixture.stores(home.path)
        for day in 0..<3 {
            // The machine starts anew.
            let monotonic = VirtualAuthClock(at: AuthTime(milliseconds: 60_000))
            let ages = AgeStore(stores.settings, wall: wall.clock, monotonic: monotonic.clock, logger: .disabled)
            for hour in 0..<14 {
                if hour > 0 { for clock in [wall, monotonic] { clock.advance(by: .seconds(3_600)) } }
                let time = try await ages.now()
                switch (day, hour) {
                case (0, _), (2, 11...): #expect(time == wall.now)
                case (1, _): #expect(wall.now - time == .seconds(36_000))
                default: #expect(wall.now - time == .seconds(72_000))
                }
            }
            wall.advance(by: .seconds(36_000))
        }
        await stores.storage.close()
    }

    @Test func `a wrong clock in a doubt is doubted for a day, too`() {
        let (boot, hour) = (AuthTime(milliseconds: 0), Duration.seconds(3_600))
        var clock = AgeClock(believed: start, doubt: AgeClock.Doubt(elapsed: hour * 23, lead: hour * 10))
        let wrong = start + .seconds(400 * 86_400)
        let times = (0..<25).map { clock.time(wrong + hour * $0, boot + hour * $0) }
        #expect(Array(times.dropLast()) == (0..<24).map { start + hour * $0 } && times.last == wrong + hour * 24)
    }

    /// A deletion that comes to the file late, after the client has begun again.
    @Test func `a recording that is sent again keeps its file`() async throws {
        let home = try TemporaryFolder()
        let stores = try await ServerFixture.stores(home.path)
        let uploads = UploadStore(database: stores.storage.recordings, policy: UploadPolicy())
        let sounds = SoundRemoval(recordings: stores.recordings, sounds: stores.sounds)
        let recording = Recording(
            cue: .init(), createdAt: Date(timeIntervalSince1970: 1_700_000_000), duration: 1, format: .opus,
            sampleRate: 48_000, byteCount: 10, contentHash: String(repeating: "a", count: 64))
        func begin() async throws {
            #expect(try await uploads.admit(recording, of: "ada", by: "r", at: start) == .new)
            try stores.sounds.folder.create(recording.id, of: "ada")
        }
        let path = stores.sounds.folder.file(recording.id, of: "ada")
        try await begin()
        #expect(try await uploads.finish(recording, of: "ada", by: "r", at: start))
        #expect(try await stores.recordings.remove(recording.id, of: "ada"))
        try await begin()
        try await sounds.remove(recording.id, of: "ada")
        try await sounds.removeUnknown(of: "ada")
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try await uploads.remove(recording.id, of: "ada"))
        try await sounds.remove(recording.id, of: "ada")
        #expect(!FileManager.default.fileExists(atPath: path))
        await stores.storage.close()
    }
}

// SPDX-License-Identifier: MIT

import AuthServerTestSupport
import Foundation
import Networking
import SyncWire
import TestKit
import Testing

@testable import ParleyServer

/// The limits of the relay, also while many ask at once.
@Suite(.timeLimit(.minutes(5))) struct SyncLimitTests {
    private static let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    @Test func `a quota is exact while many write`() async throws {
        let fixture = try await ServerFixture { $0.sync.quotaBytes = 10_000 }
        let (ada, bob) = (try await fixture.signIn("ada@example.org"), try await fixture.signIn("bob@example.org"))
        let bytes = [UInt8](repeating: 1, count: 700)
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            for number in 1...50 {
                group.addTask { try await fixture.putObject(SyncSample.path(number), bytes, as: ada) }
            }
            return try await group.reduce(into: [Answer]()) { $0.append($1) }
        }
        #expect(answers.count { $0.status == 201 } == 14)
        let refused = answers.filter { $0.status == 507 }
        #expect(refused.count == 36 && refused.allSatisfy { text($0).contains(#""error_code":"limit_reached""#) })
        #expect(refused.allSatisfy { text($0).contains("room for 200 bytes") })
        #expect(try await fixture.listObjects(as: ada).objects.map(\.size).reduce(0, +) == 9_800)
        let kept = try #require(try await fixture.listObjects(as: ada).objects.first?.name)
        #expect(try await fixture.putObject(SyncSample.path(60), Array(bytes.prefix(201)), as: ada).status == 507)
        #expect(try await fixture.putObject(SyncSample.path(60), Array(bytes.prefix(200)), as: ada).status == 201)
        // What is there may be sent again although the account is full, and removing makes room.
        #expect(try await fixture.putObject("\(SyncSample.path)/objects/\(kept)", bytes, as: ada).status == 200)
        #expect(try await fixture.call(.delete, "\(SyncSample.path)/objects/\(kept)", as: ada).status == 204)
        #expect(try await fixture.putObject(SyncSample.path(61), bytes, as: ada).status == 201)
        #expect(try await fixture.putObject(SyncSample.path(1), bytes, as: bob).status == 201)
        await fixture.stop()
    }

    @Test func `an account has so many objects in all its groups`() async throws {
        let fixture = try await ServerFixture { $0.sync.maximumObjects = 3 }
        let ada = try await fixture.signIn("ada@example.org")
        let other = SyncSample.path(1).replacing("a1a1", with: "b2b2")
        for path in [SyncSample.path(1), SyncSample.path(2), other] {
            #expect(try await fixture.putObject(path, [1], as: ada).status == 201)
        }
        let refused = try await fixture.putObject(SyncSample.path(3), [1], as: ada)
        #expect(refused.status == 507 && text(refused).contains("as many objects as it may have"))
        #expect(try await fixture.call(.delete, other, as: ada).status == 204)
        #expect(try await fixture.putObject(SyncSample.path(3), [1], as: ada).status == 201)
        await fixture.stop()
    }

    @Test func `calls of the relay have a limit of their own`() async throws {
        let fixture = try await ServerFixture { options in
            options.sync.callsPerMinute = 3
            // The bucket refills with the machine's time.
            let clock = options.clock
            options.monotonicClock = clock
        }
        let (ada, bob) = (try await fixture.signIn("ada@example.org"), try await fixture.signIn("bob@example.org"))
        for _ in 0..<3 { _ = try await fixture.listObjects(as: ada) }
        let refused = try await fixture.putObject(SyncSample.path(1), [1], as: ada)
        #expect(refused.status == 429 && refused.headers["Retry-After"] != nil)
        #expect(try await fixture.call(.get, "/rpc/me", as: ada).status == 200)
        _ = try await fixture.listObjects(as: bob)
        fixture.clock.advance(by: .seconds(60))
        #expect(try await fixture.listObjects(as: ada).objects.isEmpty)
        await fixture.stop()
    }

    @Test func `slots are passed on in order, also past those who gave up`() async throws {
        let slots = AccountSlots(limit: 1)
        let (gate, entry) = AsyncStream<Void>.makeStream()
        let first = Task { try await slots.run("ada") { for await _ in gate { break } } }
        try await eventually("the first runs") { slots.count == 1 }
        let second = Task { try await slots.run("ada") { 2 } }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        // Another account waits for nobody.
        #expect(try await slots.run("bob") { 4 } == 4)
        let third = Task { try await slots.run("ada") { 3 } }
        entry.yield()
        try await first.value
        #expect(try await third.value == 3)
        #expect(slots.count == 0)
    }

    /// In a process of its own, since its memory is measured.
    @Test(.disabled(if: isSanitized, "a sanitizer keeps freed memory"))
    func `a flood of refused objects takes neither memory nor disk`() async throws {
        let home = try TemporaryFolder()
        let server = try ServerProcess(home: home.path, environment: ["PARLEY_SERVER_ACCOUNT_SYNC_BYTES": "1024"])
        let client = try ServerFixture.makeClient()
        let token = try await server.signIn(client)
        let headers: HTTPHeaders = ["Authorization": "Bearer \(token)", "Content-Type": "application/octet-stream"]
        let longest = [UInt8](repeating: 1, count: SyncLimit.objectByteCount)
        @Sendable func refuse(_ count: Int, from number: Int) async throws {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<count {
                    // Every other one without a length, so that all of it is read before it is refused.
                    let body: HTTPBody =
                        index.isMultiple(of: 2)
                        ? .bytes(longest)
                        : .stream(
                            HTTPBodyStream(
                                AsyncStream { continuation in
                                    continuation.yield(longest)
                                    continuation.finish()
                                }))
                    let url = try #require(URL(string: server.address + SyncSample.path(number + index)))
                    group.addTask {
                        try await client.send(HTTPRequest(.put, url, headers: headers, body: body)).status
                    }
                }
                for try await status in group { #expect(status == 507) }
            }
        }
        func disk() -> Int {
            ["", "-wal"].reduce(0) { sum, suffix in
                let path = home.path + "/sync.sqlite" + suffix
                let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
                return sum + (size?.intValue ?? 0)
            }
        }
        try await refuse(24, from: 1)
        let (memory, used) = (try server.peakMemory, disk())
        for round in 1...8 { try await refuse(24, from: 1 + round * 24) }
        let growth = try server.peakMemory - memory
        // As much as four objects at once may take.
        #expect(growth < 24 << 20, "\(growth >> 10) KB")
        #expect(disk() == used)
        #expect(server.stop() == 0)
    }
}

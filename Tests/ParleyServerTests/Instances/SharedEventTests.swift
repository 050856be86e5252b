// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Domain
import Foundation
import Networking
import Persistence
import PracticeWire
import SyncWire
import TestKit
import Testing

@testable import ParleyServer

/// Clients that wait at one instance for what happens at another.
@Suite(.timeLimit(.minutes(5))) struct SharedEventTests {
    @Test(arguments: [true, false]) func `an object at one instance wakes a stream at another`(hints: Bool) async throws
    {
        let instances = try await Instances { $1.usesHints = hints }
        let ada = try await instances[0].signIn("ada@example.org")
        var reader = SyncEventReader(try await instances[1].syncEvents(as: ada))
        let start = try #require(try await reader.next())
        for number in 1...3 {
            #expect(try await instances[0].putObject(SyncSample.path(number), [1], as: ada).status == 201)
            let event = try #require(try await reader.next())
            #expect(event.data != start.data)
            let listing = try await instances[1].listObjects(start.lastEventID, as: ada)
            #expect(listing.objects.count == number)
        }
        await instances.stop()
    }

    @Test(arguments: [true, false]) func `a result at one instance wakes a client at another`(hints: Bool) async throws
    {
        let evaluator = GatedEvaluator()
        let instances = try await Instances { number, options in
            options.usesHints = hints
            options.evaluator = evaluator
            // The second one evaluates nothing, and has the client.
            options.workers = number == 0 ? 1 : 0
        }
        let ada = try await instances[0].signIn("ada@example.org")
        let sample = SoundSample(100)
        try await instances[0].upload(sample, as: ada)
        let url = try #require(URL(string: instances[1].server.address + "/recordings/\(sample.id)/evaluation/events"))
        let response = try await instances[1].client.send(
            HTTPRequest(.get, url, headers: ["Authorization": "Bearer \(ada.token)"]))
        #expect(response.status == 200)
        var stream = ""
        for try await chunk in response.body {
            stream += String(decoding: chunk, as: UTF8.self)
            if stream.contains("running") || stream.contains("waiting") { evaluator.open() }
        }
        #expect(stream.contains("\"done\""), "\(stream)")
        await instances.stop()
    }

    @Test func `a drained instance ends its streams at once`() async throws {
        let instances = try await Instances()
        let ada = try await instances[0].signIn("ada@example.org")
        var reader = SyncEventReader(try await instances[0].syncEvents(as: ada))
        #expect(try await reader.next() != nil)
        await instances[0].server.drain()
        let draining = try await instances[0].get("/readyz")
        #expect(draining.status == 503 && text(draining).contains("draining"))
        #expect(try await instances[0].listObjects(as: ada).objects.isEmpty, "it serves on")
        #expect(try await instances[1].get("/readyz").status == 200)
        async let stop: Void = instances[0].server.stop(grace: .seconds(60))
        #expect(try await reader.next() == nil)
        await stop
        await instances[1].stop()
    }

    @Test func `many changes are few hints`() async throws {
        let clock = ManualClock()
        let database = CountingHints()
        let hints = ChangeHints(database, clock: clock, logger: .disabled)
        let run = Task { await hints.run() }
        let group = SyncGroup(account: "ada", id: SyncSample.group)
        hints.add(.objects(group))
        await clock.waitForSleepers()
        for _ in 0..<1_000 { hints.add(.objects(group)) }
        let recording = Identifier<Recording>()
        hints.add(.evaluation(recording))
        #expect(database.texts.withLock(\.count) == 1)
        clock.advance(by: .milliseconds(99))
        #expect(database.texts.withLock(\.count) == 1)
        clock.advance(by: .milliseconds(1))
        await clock.waitForSleeper(of: .milliseconds(100))
        let texts = database.texts.withLock { $0 }
        #expect(texts.count == 2)
        let changes = texts[1].split(separator: "\n").compactMap { SharedChange(line: $0) }
        #expect(Set(changes) == [.evaluation(recording), .objects(group)])
        run.cancel()
        await run.value
    }

    @Test func `too many changes are one hint to look everywhere`() throws {
        let changes = Set((0..<201).map { _ in SharedChange.evaluation(Identifier()) })
        #expect(ChangeHints.text(changes) == ChangeHints.everything)
        let account = String(repeating: "a", count: 36)
        let groups = (0..<100).map {
            SyncGroup(account: account, id: [UInt8](repeating: $0, count: SyncLimit.groupByteCount))
        }
        #expect(ChangeHints.text(Set(groups.map { .objects($0) })) == ChangeHints.everything, "it would be too long")
        #expect(ChangeHints.text(Set(groups.prefix(9).map { .objects($0) })).split(separator: "\n").count == 9)
        for line in ["", "x", "e", "ezz", "o", "oa1", "jj"] { #expect(SharedChange(line: line) == nil) }
    }
}

/// Records hints; nothing else of it is used.
private final class CountingHints: HintedDatabase {
    let texts = Guarded<[String]>([])
    private struct Unused: Error {}

    var carriesHints: Bool { true }
    var isShared: Bool { true }
    func hint(_ text: String) async throws { texts.withLock { $0.append(text) } }
    func forEachHint(_ body: @Sendable (String?) -> Void) async throws {}
    func read<Value: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any SQLReader) async throws -> Value
    ) async throws -> Value { throw Unused() }
    func write<Value: Sendable>(
        durability: Durability, _ body: nonisolated(nonsending) @Sendable (any SQLWriter) async throws -> Value
    ) async throws -> Value { throw Unused() }
    func check() async throws {}
    func close() async {}
}

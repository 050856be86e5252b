// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import DomainTestSupport
import Foundation
import Networking
import PracticeWire
import Testing

/// What one device does is on the other one, at a real server, whatever comes in between.
@Suite(.timeLimit(.minutes(5))) struct ChangePullTests {
    /// A device of Ada's, in memory.
    private struct Device {
        let database: PracticeDatabase
        let results: SQLitePracticeRepository
        let queue: OutboxSyncQueue
        let worker: OutboxSyncWorker
        let puller: ChangePuller

        init(_ server: PracticeServer) async throws {
            database = try await PracticeDatabase()
            let gate = try await SQLiteUploadConsentStore(database).openGate(of: "ada")
            queue = OutboxSyncQueue(database, account: "ada")
            results = SQLitePracticeRepository(database, owner: "ada", queue: queue)
            let remote = RemoteRecordingRepository(server, uploads: FileTusUploadStore(folder: "/nowhere"))
            let receiver = RemoteSyncReceiver(results: RemotePracticeRepository(server), recordings: remote)
            worker = OutboxSyncWorker(queue: queue, routes: [.results(results, to: receiver)], gate: gate)
            puller = ChangePuller(database, account: "ada", server: server, program: "1")
        }

        func practise(_ results: [PracticeResult]) async throws { try await self.results.store(results) }
        func send() async throws { #expect(try await worker.drain { _ in } == 0) }
        func pull() async throws -> [Int] {
            let summary = try await puller.pull()
            return [summary.added, summary.removed]
        }
        func all() async throws -> Set<PracticeResult> {
            var (all, cursor): (Set<PracticeResult>, PracticeCursor?) = ([], nil)
            repeat {
                let page = try await results.page(PracticeQuery(limit: 200), after: cursor)
                all.formUnion(page.results)
                cursor = page.next
            } while cursor != nil
            return all
        }
    }

    @Test func twoDevicesHaveTheSameInTheEnd() async throws {
        try await ReferenceServer.run { server in
            let (one, two) = (try await Device(server.practice), try await Device(server.practice))
            // More than two pages, and none of them in the order of time.
            let practised = try (0..<450).map { try PracticeSamples.result(at: 1_700_000_000 + Double($0 * 7 % 450)) }
            try await RemotePracticeRepository(server.practice).store(Array(practised.dropLast(2)))
            try await one.practise(Array(practised.suffix(2)))
            #expect(try await one.pull() == [448, 0])
            #expect(try await one.queue.items().count == 2, "what came is not sent back")
            try await one.send()
            #expect(try await two.pull() == [450, 0])
            #expect(try await two.all() == Set(practised))
            for device in [one, two] { #expect(try await device.pull() == [0, 0]) }

            // Late, and long ago; and some go.
            let old = try PracticeSamples.result(at: 1_600_000_000)
            try await two.practise([old])
            for result in practised.prefix(3) { #expect(try await two.results.delete(result.id)) }
            #expect(try await two.pull() == [0, 0], "what is not sent yet wins")
            #expect(try await two.all() == Set(practised.dropFirst(3) + [old]))
            try await two.send()
            #expect(try await one.pull() == [1, 3])
            #expect(try await one.all() == Set(practised.dropFirst(3) + [old]))
            for device in [one, two] { #expect(try await device.pull() == [0, 0]) }
            #expect(try await one.queue.items().isEmpty, "a deletion that came is not sent back")
        }
    }

    @Test func whatWasDeletedStaysDeletedWhoeverSendsItAgain() async throws {
        try await ReferenceServer.run { server in
            let (one, two) = (try await Device(server.practice), try await Device(server.practice))
            let remote = RemotePracticeRepository(server.practice)
            let result = try PracticeSamples.result()
            // The second device's answer was lost: the server has it, and it waits here all the same.
            try await two.practise([result])
            try await remote.store([result])
            #expect(try await one.pull() == [1, 0])
            #expect(try await one.results.delete(result.id))
            try await one.send()
            try await two.send()
            #expect(try await two.queue.items().isEmpty, "nothing is stuck")
            #expect(try await remote.result(result.id) == nil)
            try await remote.store([result, PracticeSamples.result()])
            #expect(try await remote.page(PracticeQuery(), after: nil).results.count == 1)
            #expect(try await two.pull() == [1, 1])
            #expect(try await one.pull() == [1, 0])
        }
    }

    @Test func pullsAtOnceAndPlacesOfAnotherDatabaseDoNoHarm() async throws {
        try await ReferenceServer.run { server in
            let device = try await Device(server.practice)
            let remote = RemotePracticeRepository(server.practice)
            let practised = try (0..<420).map { try PracticeSamples.result(at: Double($0)) }
            try await remote.store(practised)
            let added = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { try await device.puller.pull().added } }
                return try await group.reduce(0, +)
            }
            #expect(added == 420)
            #expect(try await device.all() == Set(practised))
            let again = try await remote.changes(after: 1_000_000, limit: 10)
            #expect(again.results == Array(practised.prefix(10)) && again.hasMore)
            for place in ["-1", "x", "99999999999999999999", "1.5", ""] {
                let url = server.practice.address.appending(path: "changes")
                    .appending(queryItems: [URLQueryItem(name: "after", value: place)])
                #expect(try await server.client.send(HTTPRequest(.get, url)).status == 400, "\(place)")
            }
        }
    }
}

// SPDX-License-Identifier: MIT

import DataLayer
import DataVoice
import Digests
import Domain
import DomainTestSupport
import Foundation
import Networking
import PracticeWire
import Security
import TestKit
import Testing

/// What is queued on a device is at the server once, whatever is sent again.
@Suite(.timeLimit(.minutes(5))) struct SyncOverHTTPTests {
    @Test func whatIsPractisedOnADeviceIsAtTheServerOnce() async throws {
        let home = try TemporaryFolder()
        let path = home.path
        defer { withExtendedLifetime(home) {} }
        try FileManager.default.createDirectory(atPath: path + "/uploads", withIntermediateDirectories: true)
        try await ReferenceServer.run { server in
            let database = try await PracticeDatabase(path: path + "/practice.sqlite")
            let gate = try await SQLiteUploadConsentStore(database).openGate(of: "ada")
            let queue = OutboxSyncQueue(database, account: "ada")
            let folder = try SealedRecordingFolder(path: path + "/recordings", key: try SymmetricKey())
            let recordings = SealedRecordingRepository(
                SQLiteRecordingIndex(database, owner: "ada", queue: queue), path: folder.path
            ) { folder }
            let results = SQLitePracticeRepository(database, owner: "ada", queue: queue)
            let remoteResults = RemotePracticeRepository(server.practice)
            let remoteRecordings = RemoteRecordingRepository(
                server.practice, uploads: FileTusUploadStore(folder: path + "/uploads"))
            let receiver = RemoteSyncReceiver(results: remoteResults, recordings: remoteRecordings)
            let worker = OutboxSyncWorker(
                queue: queue, routes: [.recordings(recordings, to: receiver), .results(results, to: receiver)],
                gate: gate)

            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) }
            let hash = Hexadecimal.text(try SHA256.hash(bytes))
            let recording = RecordingSample(
                bytes: bytes, hash: hash, at: 1_700_000_000, duration: 9, sampleRate: 16_000)
            try await recordings.store(recording.recording, content: recording.content)
            let practised = try (0..<20).map { number in
                try PracticeSamples.result(
                    at: 1_700_000_000 + Double(number), recording: number == 7 ? recording.recording.id : nil)
            }
            for result in practised { try await results.store([result]) }
            #expect(try await worker.drain { _ in } == 0)
            // As if the answers had been lost: everything once more.
            try await remoteResults.store(practised)
            try await remoteResults.store([practised[7]])
            try await remoteRecordings.store(recording.recording, content: recording.content)

            let page = try await remoteResults.page(PracticeQuery(limit: 200), after: nil)
            #expect(page.results == practised.reversed())
            #expect(try await remoteRecordings.recordings(after: nil, limit: 10) == [recording.recording])
            let content = try await remoteRecordings.content(of: recording.recording.id)
            var stored: [UInt8] = []
            while case let piece = try await content.bytes(at: stored.count, maximum: 100_000), !piece.isEmpty {
                stored += piece
            }
            #expect(stored == bytes)

            #expect(try await recordings.delete(recording.recording.id))
            #expect(try await worker.drain { _ in } == 0)
            #expect(try await remoteRecordings.recording(recording.recording.id) == nil)
            #expect(try await queue.items().isEmpty)

            // One that is there, one that another device has deleted already, and one that was never sent.
            let unsent = try PracticeSamples.result(at: 1_700_000_100)
            try await results.store([unsent])
            #expect(try await remoteResults.delete(practised[3].id))
            for id in [practised[2].id, practised[3].id, unsent.id] { #expect(try await results.delete(id)) }
            #expect(try await worker.drain { _ in } == 0)
            #expect(try await queue.items().isEmpty)
            let left = practised.filter { ![practised[2].id, practised[3].id].contains($0.id) }
            #expect(
                try await remoteResults.page(PracticeQuery(limit: 200), after: nil).results == left.reversed())
        }
    }

    /// As parley practice, which waits for the server's evaluation, and parley service do.
    @Test(arguments: [true, false])
    func whoSendsARecordingAtOnceNeitherFailsNorDoublesIt(_ isSameDevice: Bool) async throws {
        let home = try TemporaryFolder()
        let path = home.path
        defer { withExtendedLifetime(home) {} }
        try await ReferenceServer.run { server in
            let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) }
            let hash = Hexadecimal.text(try SHA256.hash(bytes))
            let sample = RecordingSample(bytes: bytes, hash: hash, at: 1_700_000_000, duration: 6, sampleRate: 16_000)
            let programs = try (0..<5).map { number in
                let folder = path + (isSameDevice ? "/one" : "/\(number)")
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                var configuration = TusClient.Configuration()
                // As the program has it, in small pieces, so that they meet often.
                (configuration.chunkSize, configuration.maximumFailures) = (4_000, 2)
                configuration.initialDelay = .milliseconds(1)
                return RemoteRecordingRepository(
                    server.practice, uploads: FileTusUploadStore(folder: folder), configuration: configuration,
                    clock: ShortClock())
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for program in programs {
                    group.addTask { try await program.store(sample.recording, content: sample.content) }
                }
                try await group.waitForAll()
            }
            #expect(try await programs[0].recordings(after: nil, limit: 10) == [sample.recording])
            let content = try await programs[0].content(of: sample.recording.id)
            var stored: [UInt8] = []
            while case let piece = try await content.bytes(at: stored.count, maximum: 100_000), !piece.isEmpty {
                stored += piece
            }
            #expect(stored == bytes)
        }
    }

    @Test func theSessionIsTheAccounts() async throws {
        try await ReferenceServer.run { server in
            let session = RemoteSessionService(server.practice)
            #expect(try await session.me().email == "ada@example.org")
            _ = try await session.appConfig()
            try await session.sendHeartbeat()
            try await RemotePracticeRepository(server.practice).store([PracticeSamples.result()])
            var archive = 0
            let rights = RemoteDataRights(server.practice)
            try await rights.export { archive += $0.count }
            #expect(archive > 0)
            let receipt = try await rights.delete()
            #expect(receipt.place == .server && receipt.counts["results"] == 1)
            #expect(
                try await RemotePracticeRepository(server.practice).page(PracticeQuery(), after: nil).results.isEmpty)
        }
    }

    @Test func aPageOfCuesIsAskedForByItsTagAndNotSentAgain() async throws {
        try await ReferenceServer.run { server in
            try await server.catalogue.add(CueSamples.cues(3))
            let request = HTTPRequest(.get, server.practice.address.appending(path: "cues"))
            for expected in [HTTPResponse.Source.network, .validated, .validated] {
                let response = try await server.client.send(request)
                #expect(response.status == 200 && response.source == expected)
                let page = try WireJSON.decode(CuePageDTO.self, from: try await response.body.collect()).page()
                #expect(page.cues.count == 3)
            }
            try await server.catalogue.add([CueSamples.cue("One more")])
            let changed = try await server.client.send(request)
            #expect(changed.source == .network)
            _ = try await changed.body.collect()
        }
    }
}

/// Waits as asked, but 20 ms at the most: the server works in real time, so that yields alone may all pass while it holds an upload.
private struct ShortClock: Clock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(
            until: min(deadline, now.advanced(by: .milliseconds(20))), tolerance: tolerance)
    }
}

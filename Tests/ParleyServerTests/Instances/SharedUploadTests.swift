// SPDX-License-Identifier: MIT

import AuthServer
import Domain
import Foundation
import Networking
import ObjectStore
import ObjectStoreTestSupport
import Persistence
import TestKit
import Testing

@testable import ParleyServer

/// Uploads that begin at one instance and go on at another.
@Suite(
    .serialized, .enabled(if: MotoServer.isInstalled, "needs moto: run Scripts/test-peers"), .timeLimit(.minutes(5)))
struct SharedUploadTests {
    private let place: TemporaryFolder
    private let instances: Instances

    init() async throws {
        let place = try TemporaryFolder()
        let bucket = try SoundPlace.bucket.objects(of: place)
        self.place = place
        instances = try await Instances(2) { _, options in options.objects = bucket }
    }

    /// No pieces, parts or files are left of an upload.
    private func checkClean(_ kept: Set<String>) async throws {
        #expect(try await SoundPlace.keys(of: place) == kept)
        #expect(try await SoundPlace.bucket(of: place).removeUnfinished(before: .distantFuture) == 0)
        // The evaluation of a sound that has arrived reads a copy of it.
        try await eventually("no file of a sound is left") {
            try instances.all.allSatisfy { try $0.soundFiles.isEmpty }
        }
    }

    /// The sound, read in pieces that a test's client takes.
    private func content(of sample: SoundSample, at instance: ServerFixture, as person: Person) async throws -> [UInt8]
    {
        var bytes: [UInt8] = []
        repeat {
            let range: HTTPHeaders = ["Range": "bytes=\(bytes.count)-\(bytes.count + (4 << 20) - 1)"]
            let answer = try await instance.call(
                .get, "/recordings/\(sample.id)/content", as: person, headers: range)
            try #require(answer.status == 206)
            bytes += answer.body
        } while bytes.count < sample.bytes.count
        return bytes
    }

    /// Lengths around the size of a part, sent to the instances in turn.
    @Test(arguments: [
        [300_000, 1, 40_000], [6 << 20, 7, 5 << 20, 3_000_000, 100], [2 << 20, 2 << 20, 2 << 20, 2 << 20, 10],
        [5 << 20, 5 << 20], [17 << 20, 1],
    ])
    func `any instance takes the next piece`(_ lengths: [Int]) async throws {
        let ada = try await instances[0].signIn("ada@example.org")
        let sample = SoundSample(lengths.reduce(0, +))
        #expect(try await instances[0].create(sample, as: ada).status == 201)
        var offset = 0
        for (index, length) in lengths.enumerated() {
            let (here, there) = (instances[index % 2], instances[(index + 1) % 2])
            #expect(try await there.head(sample.id, as: ada).headers["Upload-Offset"] == "\(offset)")
            let bytes = sample.bytes[offset..<(offset + length)]
            #expect(try await here.patch(sample.id, bytes, at: offset, as: ada).status == 204)
            offset += length
        }
        #expect(try await content(of: sample, at: instances[1], as: ada) == sample.bytes)
        try await checkClean(["\(ada.account)/\(sample.id)"])
        await instances.stop()
    }

    @Test func `other content in parts is thrown away`() async throws {
        let ada = try await instances[0].signIn("ada@example.org")
        let (said, sent) = (SoundSample(6 << 20), SoundSample(6 << 20, seed: 9))
        _ = try await instances[0].create(said, as: ada)
        #expect(try await instances[0].patch(said.id, sent.bytes.prefix(5 << 20), at: 0, as: ada).status == 204)
        let last = try await instances[1].patch(said.id, sent.bytes.dropFirst(5 << 20), at: 5 << 20, as: ada)
        #expect(last.status == 422)
        #expect(try await instances[0].head(said.id, as: ada).status == 404)
        try await checkClean([])
        await instances.stop()
    }

    @Test func `a piece with a wrong checksum leaves nothing`() async throws {
        let ada = try await instances[0].signIn("ada@example.org")
        let sample = SoundSample(11 << 20)
        _ = try await instances[0].create(sample, as: ada)
        let wrong = Data(repeating: 0, count: 32).base64EncodedString()
        let refused = try await instances[0].patch(
            sample.id, sample.bytes.prefix(10 << 20), at: 0, as: ada, headers: ["Upload-Checksum": "sha256 \(wrong)"])
        #expect(refused.status == 460)
        #expect(try await instances[1].head(sample.id, as: ada).headers["Upload-Offset"] == "0")
        #expect(try await instances[1].terminate(sample.id, as: ada) == 204)
        try await checkClean([])
        await instances.stop()
    }

    /// Two clients send the same sound to two instances, in pieces whose lengths come from a seed. The second one gets an
    /// error and asks for the offset.
    @Test func `two instances never mix their pieces`() async throws {
        let ada = try await instances[0].signIn("ada@example.org")
        let seed = UInt64.random(in: 0 ... .max)
        let sample = SoundSample(14 << 20)
        _ = try await instances[0].create(sample, as: ada)
        let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
            for number in 0..<2 {
                let instance = instances[number]
                group.addTask {
                    var random = SeededGenerator(seed: seed &+ UInt64(number))
                    var (statuses, offset): ([Int], Int) = ([], 0)
                    while offset < sample.bytes.count {
                        let end = min(
                            offset + Int.random(in: 1...(random.next() % 3 == 0 ? 6 << 20 : 200_000), using: &random),
                            sample.bytes.count)
                        let piece = sample.bytes[offset..<end]
                        let answer = try await instance.patch(sample.id, piece, at: offset, as: ada)
                        statuses.append(answer.status)
                        if answer.status == 204 {
                            offset = end
                        } else {
                            let told = try await instance.head(sample.id, as: ada)
                            offset = told.headers["Upload-Offset"].flatMap { Int($0) } ?? offset
                        }
                    }
                    return statuses
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(statuses).isSubset(of: [204, 409, 423]), "seed \(seed): \(statuses)")
        #expect(statuses.contains { $0 != 204 }, "seed \(seed): they met")
        #expect(try await content(of: sample, at: instances[0], as: ada) == sample.bytes, "seed \(seed)")
        try await checkClean(["\(ada.account)/\(sample.id)"])
        await instances.stop()
    }

    /// A request that lost its lease while it was writing, as a process that was stopped for a while does.
    @Test func `who lost the upload changes nothing`() async throws {
        let ada = try await instances[0].signIn("ada@example.org")
        let sample = SoundSample(1_000)
        _ = try await instances[0].create(sample, as: ada)
        let database = try await instances.database()
        let uploads = UploadStore(database: database, policy: UploadPolicy())
        let id = try #require(Identifier<Recording>(sample.id))
        #expect(try await uploads.take(id, of: ada.account, "stopped"))
        try await database.endLeases(of: "upload")
        #expect(try await instances[1].patch(sample.id, sample.bytes.prefix(600), at: 0, as: ada).status == 204)
        let late = StagedPieces().adding(StagedPieces.Piece(name: "\(id).late", length: 1_000))
        let now = AuthClock.system.now()
        #expect(try await !uploads.stage(late, id, of: ada.account, by: "stopped", at: now))
        #expect(try await instances[0].head(sample.id, as: ada).headers["Upload-Offset"] == "600")
        #expect(try await instances[0].patch(sample.id, sample.bytes.dropFirst(600), at: 600, as: ada).status == 204)
        await database.close()
        await instances.stop()
    }

    @Test func `parts that the store lost begin anew`() async throws {
        let ada = try await instances[0].signIn("ada@example.org")
        let sample = SoundSample(11 << 20)
        _ = try await instances[0].create(sample, as: ada)
        #expect(try await instances[0].patch(sample.id, sample.bytes.prefix(6 << 20), at: 0, as: ada).status == 204)
        #expect(try await SoundPlace.bucket(of: place).removeUnfinished(before: .distantFuture) == 1)
        let refused = try await instances[1].patch(
            sample.id, sample.bytes.dropFirst(6 << 20), at: 6 << 20, as: ada)
        #expect(refused.status == 409 && refused.headers["Upload-Offset"] == "0")
        #expect(try await instances[0].patch(sample.id, sample.bytes, at: 0, as: ada).status == 204)
        #expect(try await content(of: sample, at: instances[1], as: ada) == sample.bytes)
        await instances.stop()
    }

    @Test func `a live piece outlives the sweep`() async throws {
        let ada = try await instances[0].signIn("ada@example.org")
        let sample = SoundSample(1_000)
        _ = try await instances[0].create(sample, as: ada)
        #expect(try await instances[0].patch(sample.id, sample.bytes.prefix(400), at: 0, as: ada).status == 204)
        let database = try await instances.database()
        let bucket = try SoundPlace.bucket(of: place)
        let removal = SoundRemoval(
            recordings: RecordingStore(database: database),
            sounds: try SoundStore(SoundFolder(place.path), bucket: bucket))
        let nobodys = try ObjectKey("\(ada.account)/\(UUID().uuidString.lowercased()).\(UUID().uuidString)")
        try await bucket.put(nobodys, .bytes([1]))
        let later = AuthClock.system.now() + .seconds(2 * 86_400)
        #expect(try await removal.sweep(at: later) == 1)
        #expect(try await instances[1].patch(sample.id, sample.bytes.dropFirst(400), at: 400, as: ada).status == 204)
        try await checkClean(["\(ada.account)/\(sample.id)"])
        await database.close()
        await instances.stop()
    }

    @Test func `a client that goes away leaves what it sent`() async throws {
        let ada = try await instances[0].signIn("ada@example.org")
        let sample = SoundSample(900_000)
        _ = try await instances[0].create(sample, as: ada)
        let database = try await instances.database()
        do {
            let connection = try RawConnection(port: instances[0].port)
            connection.send(
                ("PATCH /uploads/\(sample.id) HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\n"
                    + "Authorization: Bearer \(ada.token)\r\nContent-Type: application/offset+octet-stream\r\n"
                    + "Upload-Offset: 0\r\nContent-Length: \(sample.bytes.count)\r\n\r\n").utf8)
            connection.send(sample.bytes[..<600_000])
            try await eventually("the upload has an owner") {
                try await database.read { try await $0.first("SELECT owner FROM upload", as: String?.self) ?? nil }
                    != nil
            }
            #expect(try await instances[1].patch(sample.id, [1], at: 0, as: ada).status == 423)
        }
        var told = try await instances[1].head(sample.id, as: ada)
        try await eventually("the request ends") {
            told = try await instances[1].head(sample.id, as: ada)
            return told.status != 423
        }
        #expect(told.headers["Upload-Offset"] == "600000")
        let rest = sample.bytes.dropFirst(600_000)
        #expect(try await instances[1].patch(sample.id, rest, at: 600_000, as: ada).status == 204)
        try await checkClean(["\(ada.account)/\(sample.id)"])
        await database.close()
        await instances.stop()
    }
}

// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Concurrency
import Diagnostics
import Domain
import Foundation
import Networking
import ObjectStore
import ObjectStoreTestSupport
import Security
import TestKit
import Testing

@testable import ParleyServer

/// A server whose recordings are in a bucket.
@Suite(.enabled(if: MotoServer.isInstalled, "needs moto: run Scripts/test-peers"), .timeLimit(.minutes(5)))
struct BucketTests {
    /// A promise of a suite that runs over the home's folder by itself.
    struct Promise: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable () async throws -> Void

        static func recordings(
            _ name: String, _ run: @escaping @Sendable (RecordingTests) async throws -> Void
        ) -> Promise {
            Promise(testDescription: name) { try await run(RecordingTests(in: .bucket)) }
        }

        static func uploads(_ name: String, _ run: @escaping @Sendable (UploadTests) async throws -> Void) -> Promise {
            Promise(testDescription: name) { try await run(UploadTests(in: .bucket)) }
        }
    }

    private static let promises: [Promise] = [
        .recordings("pages") { try await $0.pagesStayRightWhileRecordingsComeAndGo() },
        .recordings("ranges") { try await $0.aPartOfTheSoundIsSent() },
        .recordings("deletion") { try await $0.whatIsDeletedIsGone() },
        .uploads("pieces") { try await $0.aRecordingComesInPiecesAndIsThere() },
        .uploads("repetition") { try await $0.whatIsThereAlreadyIsACompleteUploadAndNothingIsDoubled() },
        .uploads("this repository's client") { try await $0.theClientOfThisRepositoryUploads() },
        .uploads("pieces that do not fit") { try await $0.aPieceThatDoesNotFitIsRefusedAndLeavesNothing() },
        .uploads("other content") { try await $0.contentThatIsNotWhatWasSaidIsThrownAway() },
        .uploads("termination") { try await $0.anUploadIsTerminatedAndARecordingIsNot() },
    ]

    @Test(arguments: promises)
    func `a bucket keeps the promises of a folder`(promise: Promise) async throws { try await promise.run() }

    @Test func `an upload is never a file of the home`() async throws {
        let fixture = try await ServerFixture(sounds: .bucket)
        let ada = try await fixture.signIn("ada@example.org")
        let (done, begun) = (SoundSample(100_000), SoundSample(50, seed: 2))
        try await fixture.upload(done, as: ada)
        _ = try await fixture.create(begun, as: ada)
        _ = try await fixture.patch(begun.id, begun.bytes.prefix(20), at: 0, as: ada)
        let keys = try await SoundPlace.keys(of: fixture.home)
        #expect(keys.count == 2 && keys.contains("\(ada.account)/\(done.id)"))
        #expect(keys.contains { $0.hasPrefix("\(ada.account)/\(begun.id).") }, "a piece of the unfinished one")
        #expect(try fixture.soundFiles.isEmpty)
        let export = try await fixture.call(.get, "/account/export", as: ada)
        #expect(export.body.firstRange(of: done.bytes) != nil && text(export).contains("missing.json"))
        await fixture.stop()
    }

    @Test func `all sound of an account is erased from a bucket`() async throws {
        let fixture = try await ServerFixture(sounds: .bucket)
        let (ada, bob) = (
            try await fixture.signIn("ada@example.org"), try await fixture.signIn("bob@example.org")
        )
        let bobs = SoundSample(10, seed: 9)
        try await fixture.upload(bobs, as: bob)
        for seed in 1...3 { try await fixture.upload(SoundSample(100, seed: UInt64(seed)), as: ada) }
        let large = SoundSample(6 << 20, seed: 4)
        _ = try await fixture.create(large, as: ada)
        _ = try await fixture.patch(large.id, large.bytes.prefix((5 << 20) + 9), at: 0, as: ada)
        // Nobody's, as a crash leaves it.
        try await SoundPlace.bucket(of: fixture.home).put(ObjectKey("\(ada.account)/of-nobody"), .bytes([1]))
        #expect(try await fixture.call(.delete, "/account/data", as: ada).status == 200)
        #expect(try await SoundPlace.keys(of: fixture.home) == ["\(bob.account)/\(bobs.id)"])
        #expect(try await SoundPlace.bucket(of: fixture.home).removeUnfinished(before: .distantFuture) == 0)
        await fixture.stop()
    }

    /// Keeps the bytes of the file that it evaluates.
    private final class ReadingEvaluator: SoundEvaluator {
        let seen = Guarded<[(path: String, bytes: [UInt8])]>([])

        func evaluate(file: String, _ recording: Recording, of cue: Cue?) async throws -> Evaluation {
            let bytes = Array(try Data(contentsOf: URL(filePath: file)))
            seen.withLock { $0.append((file, bytes)) }
            throw EvaluationFailure(reason: "Seen.")
        }
    }

    @Test func `an evaluation gets a copy that ends with it`() async throws {
        let evaluator = ReadingEvaluator()
        let fixture = try await ServerFixture(sounds: .bucket) { $0.evaluator = evaluator }
        let ada = try await fixture.signIn("ada@example.org")
        let sample = SoundSample(70_000)
        try await fixture.upload(sample, as: ada)
        let stream = try await fixture.call(.get, "/recordings/\(sample.id)/evaluation/events", as: ada)
        #expect(text(stream).contains("Seen."))
        let seen = try #require(evaluator.seen.withLock { $0.first })
        #expect(seen.bytes == sample.bytes && !FileManager.default.fileExists(atPath: seen.path))
        await fixture.stop()
    }

    @Test func `an object without a row goes when it is a day old`() async throws {
        let fixture = try await ServerFixture(sounds: .bucket)
        let ada = try await fixture.signIn("ada@example.org")
        let sample = SoundSample(100)
        try await fixture.upload(sample, as: ada)
        let bucket = try SoundPlace.bucket(of: fixture.home)
        let nobodys = try ObjectKey("\(ada.account)/\(UUID().uuidString.lowercased())")
        try await bucket.put(nobodys, .bytes([1]))
        try await bucket.put(ObjectKey("of-another-kind"), .bytes([1]))
        await fixture.stop()
        let stores = try await ServerFixture.stores(fixture.home.path)
        let removal = SoundRemoval(
            recordings: stores.recordings, sounds: try SoundStore(stores.sounds.folder, bucket: bucket))
        let written = Int64(try await bucket.head(nobodys).modifiedAt.timeIntervalSince1970 * 1_000)
        #expect(try await removal.sweep(at: AuthTime(milliseconds: written + 86_300_000)) == 0)
        #expect(try await SoundPlace.keys(of: fixture.home).count == 3)
        #expect(try await removal.sweep(at: AuthTime(milliseconds: written + 86_500_000)) == 1)
        let kept = "\(ada.account)/\(sample.id)"
        #expect(try await SoundPlace.keys(of: fixture.home) == [kept, "of-another-kind"])
        await stores.storage.close()
    }

    @Test func `an object whose row was not written is replaced`() async throws {
        let fixture = try await ServerFixture(sounds: .bucket)
        let ada = try await fixture.signIn("ada@example.org")
        let sample = SoundSample(1_000)
        _ = try await fixture.create(sample, as: ada)
        try await SoundPlace.bucket(of: fixture.home).put(ObjectKey("\(ada.account)/\(sample.id)"), .bytes([1]))
        #expect(try await fixture.call(.get, "/recordings/\(sample.id)/content", as: ada).status == 404)
        #expect(try await fixture.patch(sample.id, sample.bytes, at: 0, as: ada).status == 204)
        #expect(try await fixture.call(.get, "/recordings/\(sample.id)/content", as: ada).body == sample.bytes)
        await fixture.stop()
    }

    @Test(arguments: 0..<2)
    func `a bucket without a right is named by readyz`(_ index: Int) async throws {
        let home = try TemporaryFolder()
        let ring = RingSink()
        let configuration = try SoundPlace.configuration(of: home)
        let moto = try SoundPlace.moto.get()
        let (user, right) = [
            (moto.reader, "s3:PutObject"), (moto.writer, "s3:ListBucketMultipartUploads"),
        ][index]
        let fixture = try await ServerFixture(home: home, logger: Logger(category: "server", sink: ring)) {
            $0.objects = .bucket(configuration, .fixed(user))
        }
        let answer = try await fixture.get("/readyz")
        #expect(answer.status == 503 && text(answer).contains(#""objects":"failed""#))
        let reasons = ring.snapshot().filter { $0.category == "readiness" }.map(\.message.text)
        #expect(reasons.contains { $0.contains(MotoServer.bucket) && $0.contains(right) }, "\(reasons)")
        await fixture.stop()
    }

    @Test func `a sound that cannot be removed yet keeps its name`() async throws {
        let home = try TemporaryFolder()
        let stores = try await PracticeStores(
            ServerStorage.open(home: home.path, clock: .system), home: home.path,
            bucket: S3ObjectStore(
                SoundPlace.configuration(of: home), credentials: .fixed(SoundPlace.moto.get().reader)))
        let removal = SoundRemoval(recordings: stores.recordings, sounds: stores.sounds)
        let uploads = UploadStore(database: stores.storage.recordings, policy: UploadPolicy())
        let recording = Recording(
            cue: .init(), createdAt: Date(timeIntervalSince1970: 1_700_000_000), duration: 1, format: .opus,
            sampleRate: 48_000, byteCount: 10, contentHash: String(repeating: "a", count: 64))
        let now = AuthTime(milliseconds: 1_700_000_000_000)
        await #expect(throws: ObjectStoreError.self) { try await removal.remove(recording.id, of: "ada") }
        await #expect(throws: UploadError.busy) {
            try await uploads.admit(recording, of: "ada", by: "r", at: now)
        }
        // With the right to do it, maintenance carries out the order.
        let allowed = try SoundRemoval(
            recordings: stores.recordings,
            sounds: SoundStore(stores.sounds.folder, bucket: SoundPlace.bucket(of: home)))
        #expect(try await allowed.sweep(at: now) == 1)
        #expect(try await uploads.admit(recording, of: "ada", by: "r", at: now) == .new)
        await stores.storage.close()
    }

    @Test func `a backup has the sound and brings it into a bucket`() async throws {
        let fixture = try await ServerFixture(sounds: .bucket) { $0.publicAddress = "http://127.0.0.1:1" }
        let ada = try await fixture.signIn("ada@example.org")
        let (kept, lost) = (SoundSample(3_000), SoundSample(300, seed: 2))
        for sample in [kept, lost] { try await fixture.upload(sample, as: ada) }
        try await SoundPlace.bucket(of: fixture.home).delete(ObjectKey("\(ada.account)/\(lost.id)"))
        let backup = fixture.home.path + "-backup"
        defer { try? FileManager.default.removeItem(atPath: backup) }
        let report = try await ServerBackup(
            of: fixture.home.path, to: backup, objects: SoundPlace.bucket.objects(of: fixture.home)
        ).run()
        #expect(report == .init(recordings: 1, missing: ["\(ada.account)/\(lost.id)"]))
        await fixture.stop()
        for place in [SoundPlace.bucket, .folder] {
            let home = try TemporaryFolder()
            _ = try await ServerRestore(of: backup, to: home.path, objects: place.objects(of: home)).run()
            let restored = try await ServerFixture(home: home, sounds: place) {
                $0.publicAddress = "http://127.0.0.1:1"
            }
            #expect(try await restored.call(.get, "/recordings/\(kept.id)/content", as: ada).body == kept.bytes)
            #expect(try restored.soundFiles.isEmpty == (place == .bucket))
            await restored.stop()
        }
    }

    /// Kills a server again and again while uploads finish; whatever it had acknowledged is there afterwards.
    @Test func `a killed server loses nothing that it acknowledged`() async throws {
        let home = try TemporaryFolder()
        let moto = try SoundPlace.moto.get()
        let configuration = try SoundPlace.configuration(of: home)
        let secret = moto.owner.secretKey.withExposed { String(decoding: $0, as: UTF8.self) }
        let environment = ["AWS_ACCESS_KEY_ID": moto.owner.accessKey, "AWS_SECRET_ACCESS_KEY": secret]
        let prefix = configuration.prefix?.text ?? ""
        let place = "s3://\(configuration.bucket)/\(prefix)?endpoint=\(configuration.endpoint)"
        let arguments = ["--public", "http://127.0.0.1:1", "--objects", place]
        let acknowledged = Acknowledged()
        var token: String?
        for round in 0..<4 {
            let server = try ServerProcess(home: home.path, arguments, environment: environment)
            let client = try ServerFixture.makeClient()
            let known = if let token { token } else { try await server.signIn(client) }
            token = known
            let before = acknowledged.sounds.withLock { $0.count }
            let address = server.address
            let work = Task {
                for number in 0..<1_000 {
                    let sample = SoundSample(20_000 + number, seed: UInt64(round * 1_000 + number + 1))
                    guard await Self.upload(sample, to: address, client, known) else { return }
                    acknowledged.sounds.withLock { $0.append(sample) }
                }
            }
            try await eventually("uploads are acknowledged") {
                acknowledged.sounds.withLock { $0.count } >= before + 3 + round
            }
            server.kill()
            await work.value
        }
        let server = try ServerProcess(home: home.path, arguments, environment: environment)
        let client = try ServerFixture.makeClient()
        for sample in acknowledged.sounds.withLock({ $0 }) {
            let url = try #require(URL(string: server.address + "/recordings/\(sample.id)/content"))
            let response = try await client.send(
                HTTPRequest(.get, url, headers: ["Authorization": "Bearer \(try #require(token))"]))
            #expect(response.status == 200)
            #expect(try await response.body.collect(upTo: 1 << 20) == sample.bytes)
        }
        #expect(server.stop() == 0)
    }

    /// True if the server acknowledged the whole sound.
    private static func upload(
        _ sample: SoundSample, to address: String, _ client: CurlTransport, _ token: String
    ) async -> Bool {
        do {
            guard let make = URL(string: address + "/uploads"), let put = URL(string: address + "/uploads/\(sample.id)")
            else { return false }
            let tus: HTTPHeaders = ["Tus-Resumable": "1.0.0", "Authorization": "Bearer \(token)"]
            var headers = tus
            headers["Upload-Length"] = "\(sample.bytes.count)"
            headers["Upload-Metadata"] = SoundSample.metadata(try sample.values)
            guard try await client.send(HTTPRequest(.post, make, headers: headers)).status == 201 else { return false }
            headers = tus
            (headers["Upload-Offset"], headers["Content-Type"]) = ("0", "application/offset+octet-stream")
            let answer = try await client.send(HTTPRequest(.patch, put, headers: headers, body: .bytes(sample.bytes)))
            return answer.status == 204
        } catch { return false }
    }
}

/// The sounds that a server has acknowledged.
private final class Acknowledged: Sendable {
    let sounds = Guarded<[SoundSample]>([])
}

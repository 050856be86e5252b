// SPDX-License-Identifier: MIT

import Digests
import Foundation
import Networking
import ParleyServer
import PracticeWire
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct UploadTests {
    private let place: SoundPlace
    private let fixture: ServerFixture
    private let ada: Person

    init() async throws { try await self.init(in: .folder) }

    /// The same promises, with the sound elsewhere.
    init(in place: SoundPlace) async throws {
        self.place = place
        fixture = try await ServerFixture(sounds: place)
        ada = try await fixture.signIn("ada@example.org")
    }

    @Test func aRecordingComesInPiecesAndIsThere() async throws {
        let sample = SoundSample(200_000)
        let made = try await fixture.create(sample, as: ada)
        #expect(made.status == 201 && made.headers["Location"] == "uploads/\(sample.id)")
        #expect(made.headers["Upload-Offset"] == "0" && made.headers["Upload-Expires"]?.hasSuffix("GMT") == true)
        #expect(try await fixture.patch(sample.id, sample.bytes[..<70_000], at: 0, as: ada).status == 204)
        let told = try await fixture.head(sample.id, as: ada)
        #expect(told.status == 200 && told.headers["Upload-Offset"] == "70000")
        #expect(told.headers["Upload-Length"] == "200000" && told.headers["Cache-Control"] == "no-store")
        #expect(try await fixture.call(.get, "/recordings/\(sample.id)", as: ada).status == 404)
        let last = try await fixture.patch(sample.id, sample.bytes[70_000...], at: 70_000, as: ada)
        #expect(last.status == 204 && last.headers["Upload-Offset"] == "200000")
        let item: RecordingDTO = try decoded(await fixture.call(.get, "/recordings/\(sample.id)", as: ada))
        #expect(try item.sha256 == sample.hash && item.byteCount == 200_000 && item.createdAt == sample.createdAt)
        let content = try await fixture.call(.get, "/recordings/\(sample.id)/content", as: ada)
        #expect(content.body == sample.bytes && content.headers["Content-Type"] == "audio/flac")
        guard place == .folder else { return await fixture.stop() }
        let path = fixture.home.path + "/recordings/" + ada.account
        let file = try FileManager.default.attributesOfItem(atPath: path + "/" + sample.id)
        #expect((file[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let folder = try FileManager.default.attributesOfItem(atPath: path)
        #expect((folder[.posixPermissions] as? NSNumber)?.intValue == 0o700)
        await fixture.stop()
    }

    @Test func whatIsThereAlreadyIsACompleteUploadAndNothingIsDoubled() async throws {
        let sample = SoundSample(1_000)
        let first = try await fixture.create(sample, as: ada)
        #expect(first.status == 201)
        _ = try await fixture.patch(sample.id, sample.bytes[..<400], at: 0, as: ada)
        // The answer to the first one was lost.
        let again = try await fixture.create(sample, as: ada)
        #expect(again.status == 201 && again.headers["Upload-Offset"] == "400")
        #expect(try await fixture.patch(sample.id, sample.bytes[400...], at: 400, as: ada).status == 204)
        let finished = try await fixture.create(sample, as: ada)
        #expect(finished.status == 201 && finished.headers["Upload-Offset"] == "1000")
        let told = try await fixture.head(sample.id, as: ada)
        #expect(told.headers["Upload-Offset"] == "1000" && told.headers["Upload-Expires"] == nil)
        let late = try await fixture.patch(sample.id, sample.bytes, at: 0, as: ada)
        #expect(late.status == 409 && late.headers["Upload-Offset"] == "1000")
        let page: RecordingPageDTO = try decoded(await fixture.call(.get, "/recordings", as: ada))
        #expect(page.recordings().recordings.count == 1)
        let other = SoundSample(1_000, seed: 2, id: sample.id)
        #expect(try await fixture.create(other, as: ada).status == 409)
        await fixture.stop()
    }

    @Test func theClientOfThisRepositoryUploads() async throws {
        let sample = SoundSample(300_000, seed: 7)
        let path = fixture.home.path + "/sound"
        try Data(sample.bytes).write(to: URL(filePath: path))
        let store = FileTusUploadStore(folder: fixture.home.path)
        for _ in 0..<2 {
            var configuration = TusClient.Configuration()
            configuration.chunkSize = 64 << 10
            configuration.checksum = .sha256
            let client = TusClient(
                endpoint: try #require(URL(string: fixture.server.address + "/uploads")),
                headers: ["Authorization": "Bearer \(ada.token)"], transport: fixture.client, store: store,
                configuration: configuration)
            var last: TusProgress?
            for try await progress in client.upload(path, metadata: try sample.values) { last = progress }
            #expect(last?.confirmedBytes == 300_000)
        }
        #expect(try await fixture.call(.get, "/recordings/\(sample.id)/content", as: ada).body == sample.bytes)
        let page: RecordingPageDTO = try decoded(await fixture.call(.get, "/recordings", as: ada))
        #expect(page.recordings().recordings.count == 1)
        await fixture.stop()
    }

    @Test func aPieceThatDoesNotFitIsRefusedAndLeavesNothing() async throws {
        let sample = SoundSample(1_000)
        _ = try await fixture.create(sample, as: ada)
        func refusal(_ bytes: some Collection<UInt8>, at offset: Int = 0, _ headers: HTTPHeaders) async throws -> Int {
            try await fixture.patch(sample.id, bytes, at: offset, as: ada, headers: headers).status
        }
        let hash = { (bytes: [UInt8]) in Data(try MessageDigest.hash(bytes, .sha256)).base64EncodedString() }
        #expect(try await refusal(sample.bytes, at: 1, [:]) == 409)
        #expect(try await refusal(sample.bytes, ["Upload-Offset": "-1"]) == 400)
        #expect(try await refusal(sample.bytes, ["Upload-Offset": "99999999999999999999"]) == 400)
        #expect(try await refusal(sample.bytes + [0], [:]) == 413)
        #expect(try await refusal(sample.bytes, ["Upload-Checksum": "md5 AAAA"]) == 400)
        #expect(try await refusal(sample.bytes, ["Upload-Checksum": "sha256"]) == 400)
        #expect(try await refusal(sample.bytes, ["Upload-Checksum": "sha256 \(hash([1]))"]) == 460)
        #expect(try await refusal(sample.bytes, ["Tus-Resumable": "0.2.2"]) == 412)
        let told = try await fixture.head(sample.id, as: ada)
        #expect(told.headers["Upload-Offset"] == "0" && told.headers["Tus-Resumable"] == "1.0.0")
        let type = try await fixture.send(
            .patch, "/uploads/\(sample.id)", token: ada.token,
            headers: ["Tus-Resumable": "1.0.0", "Upload-Offset": "0"], body: sample.bytes, type: "audio/flac")
        #expect(type.status == 415)
        #expect(try await refusal(sample.bytes, ["Upload-Checksum": "sha256 \(hash(sample.bytes))"]) == 204)
        #expect(try await fixture.call(.get, "/recordings/\(sample.id)/content", as: ada).body == sample.bytes)
        await fixture.stop()
    }

    @Test func contentThatIsNotWhatWasSaidIsThrownAway() async throws {
        let (said, sent) = (SoundSample(1_000), SoundSample(1_000, seed: 9))
        _ = try await fixture.create(said, as: ada)
        let last = try await fixture.patch(said.id, sent.bytes, at: 0, as: ada)
        #expect(last.status == 422 && last.headers["Content-Type"] == "application/problem+json")
        #expect(try await fixture.head(said.id, as: ada).status == 404)
        #expect(try await fixture.call(.get, "/recordings/\(said.id)", as: ada).status == 404)
        #expect(try fixture.soundFiles.isEmpty)
        try await fixture.upload(said, as: ada)
        #expect(try await fixture.call(.get, "/recordings/\(said.id)/content", as: ada).body == said.bytes)
        await fixture.stop()
    }

    @Test func anUploadIsTerminatedAndARecordingIsNot() async throws {
        let sample = SoundSample(500)
        _ = try await fixture.create(sample, as: ada)
        #expect(try await fixture.terminate(sample.id, as: ada) == 204)
        #expect(try await fixture.head(sample.id, as: ada).status == 404)
        #expect(try fixture.soundFiles.isEmpty)
        try await fixture.upload(sample, as: ada)
        #expect(try await fixture.terminate(sample.id, as: ada) == 409)
        #expect(try await fixture.call(.get, "/recordings/\(sample.id)", as: ada).status == 200)
        await fixture.stop()
    }

    @Test func anybodyMayAskWhatTheServerCanDo() async throws {
        for path in ["/uploads", "/uploads/x"] {
            let answer = try await fixture.call(.options, path, as: nil)
            #expect(answer.status == 204 && answer.headers["Tus-Version"] == "1.0.0")
            #expect(answer.headers["Tus-Extension"] == "creation,checksum,expiration,termination")
            #expect(answer.headers["Tus-Max-Size"] == "\(64 << 20)")
        }
        await fixture.stop()
    }
}

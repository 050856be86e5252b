// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import DomainTestSupport
import Foundation
import Networking
import PracticeWire
import Testing

@Suite struct RemoteRepositoryTests {
    private let server = ScriptedServer()

    @Test func cuesAreAskedForByTheQuery() async throws {
        let cues = try CueSamples.cues(2)
        let next = CueCursor(after: cues[1], in: .catalogue)
        try server.on("GET /base/cues", json: CuePageDTO(CuePage(cues: cues, next: next)))
        let repository = RemoteCueRepository(server.practice("/base/"))
        let query = CueQuery(
            language: LanguageTag("pt-BR"), topic: "small talk", level: 2, words: "é&x=1 +", order: .shuffled(seed: 7),
            limit: 9)
        let page = try await repository.page(query, after: next)
        #expect(page == CuePage(cues: cues, next: next))
        #expect(
            server.requests == [
                "GET /base/cues?language=pt-BR&topic=small%20talk&level=2&q=%C3%A9%26x%3D1%20%2B&order=shuffled&seed=7"
                    + "&limit=9&after=\(next)"
            ])
        #expect(try await repository.cue(cues[0].id) == nil)
    }

    @Test func aBrokenCueOfAPageIsSkippedAndABrokenPageIsTheServersFault() async throws {
        server.on("GET /cues", status: 200, text: "{\"items\": [{}], \"next\": null}")
        server.on("GET /cues", status: 200, text: "<html>")
        server.on("GET /cues", status: 200, text: "{\"items\": [], \"next\": \"?\"}")
        let repository = RemoteCueRepository(server.practice())
        #expect(try await repository.page(CueQuery(), after: nil).skipped.map(\.index) == [0])
        for _ in 0..<2 {
            let error = await #expect(throws: DomainError.self) { try await repository.page(CueQuery(), after: nil) }
            #expect(error?.code == "server")
        }
    }

    @Test(arguments: [(401, "signInNeeded"), (429, "rateLimited"), (500, "server"), (422, "invalidInput")])
    func statusesHaveTheirMeaning(_ status: Int, _ code: String) async throws {
        for route in ["GET /practice", "GET /rpc/me"] {
            server.on(route, status: status, ["Retry-After": "3"])
        }
        let results = RemotePracticeRepository(server.practice())
        let session = RemoteSessionService(server.practice())
        var error = await #expect(throws: DomainError.self) { try await results.page(PracticeQuery(), after: nil) }
        #expect(error?.code == code)
        if status == 429 { #expect(error == .rateLimited(retryAfter: 3)) }
        error = await #expect(throws: DomainError.self) { try await session.me() }
        #expect(error?.code == code)
    }

    @Test func oneResultIsPutByItsNameAndManyGoInBatches() async throws {
        let results = try (0..<401).map { try PracticeSamples.result(at: Double($0)) }
        let repository = RemotePracticeRepository(server.practice())
        server.on("PUT /practice/\(results[0].id)", status: 201)
        try await repository.store([results[0]])
        guard case .bytes(let one)? = server.last?.body else {
            Issue.record("no body")
            return
        }
        #expect(try WireJSON.decode(PracticeResultDTO.self, from: one).result() == results[0])

        server.on("POST /practice", status: 204)
        try await repository.store(results)
        #expect(server.requests.count { $0 == "POST /practice" } == 3)
        guard case .bytes(let last)? = server.last?.body else {
            Issue.record("no body")
            return
        }
        #expect(try WireJSON.decode(PracticeBatchDTO.self, from: last).results() == [results[400]])
        try await repository.store([])
        #expect(server.requests.count == 4)
    }

    @Test func whatIsNotThereIsNoError() async throws {
        let (results, recordings) = (
            RemotePracticeRepository(server.practice()),
            RemoteRecordingRepository(server.practice(), uploads: NoUploads())
        )
        #expect(try await results.result(.init()) == nil)
        #expect(try await !results.delete(.init()))
        #expect(try await recordings.recording(.init()) == nil)
        #expect(try await !recordings.delete(.init()))
        let id = Identifier<Recording>()
        await #expect(throws: DomainError.notFound("recording \(id)")) { try await recordings.content(of: id) }
        server.on("DELETE /recordings/\(id)", status: 204)
        #expect(try await recordings.delete(id))
    }

    private static func recording(_ bytes: [UInt8], at seconds: Double = 1) -> Recording {
        Recording(
            cue: .init(), createdAt: Date(timeIntervalSince1970: seconds), duration: 1, format: .opus,
            sampleRate: 48_000, byteCount: bytes.count, contentHash: String(repeating: "a", count: 64))
    }

    @Test(arguments: [true, false]) func theSoundIsReadInRanges(_ knowsRanges: Bool) async throws {
        let bytes = (0..<100).map { UInt8($0) }
        let recording = Self.recording(bytes)
        try server.on("GET /recordings/\(recording.id)", json: RecordingDTO(recording))
        server.on("GET /recordings/\(recording.id)/content") { request in
            guard knowsRanges else { return HTTPResponse(status: 200, url: request.url, body: HTTPResponseBody(bytes)) }
            let range = try #require(request.headers["Range"]?.firstMatch(of: /bytes=(\d+)-(\d+)/)?.output)
            let (first, last) = (try #require(Int(range.1)), try #require(Int(range.2)))
            return HTTPResponse(status: 206, url: request.url, body: HTTPResponseBody(Array(bytes[first...last])))
        }
        let content = try await RemoteRecordingRepository(server.practice(), uploads: NoUploads())
            .content(of: recording.id)
        #expect(content.byteCount == 100)
        #expect(try await content.bytes(at: 10, maximum: 5) == Array(bytes[10..<15]))
        #expect(try await content.bytes(at: 98, maximum: 5) == [98, 99])
        let count = server.requests.count
        #expect(try await content.bytes(at: 100, maximum: 5).isEmpty)
        #expect(server.requests.count == count)
    }

    @Test func recordingsAreListedOverPagesAndBrokenOnesLeftOut() async throws {
        let recordings = (0..<3).map { Self.recording([1], at: Double($0)) }
        server.on("GET /recordings", status: 200, text: "{\"items\": [{}, 7], \"next\": \"broken\"}")
        try server.on("GET /recordings", json: RecordingPageDTO(recordings, hasMore: true))
        let listed = try await RemoteRecordingRepository(server.practice(), uploads: NoUploads())
            .recordings(after: RecordingCursor(after: recordings[2]), limit: 3)
        #expect(listed == recordings)
        #expect(
            server.requests == [
                "GET /recordings?limit=3&after=2000_\(recordings[2].id)", "GET /recordings?limit=3&after=broken",
            ])
    }

    @Test func whatTheServerSaysOfALimitIsSaidOn() async throws {
        let text = #"{"type":"about:blank","title":"Content Too Large","status":413,"detail":"Delete some."}"#
        let problem: HTTPHeaders = ["Content-Type": "application/problem+json"]
        server.on("POST /uploads", status: 413, problem, text: text)
        let recording = Self.recording([1, 2, 3])
        await #expect(throws: DomainError.overLimit("Delete some.")) {
            try await RemoteRecordingRepository(server.practice(), uploads: NoUploads())
                .store(recording, content: InMemoryContent([1, 2, 3]))
        }
        let result = try PracticeSamples.result()
        server.on("PUT /practice/\(result.id)", status: 413, problem, text: text)
        await #expect(throws: DomainError.overLimit("Delete some.")) {
            try await RemotePracticeRepository(server.practice()).store([result])
        }
    }

    @Test func aRecordingIsUploadedWithItsMetadata() async throws {
        let bytes: [UInt8] = [1, 2, 3, 4, 5]
        let recording = Self.recording(bytes)
        server.on("POST /uploads", status: 201, ["Location": "/uploads/1"])
        server.on("PATCH /uploads/1", status: 204, ["Upload-Offset": "3"])
        server.on("PATCH /uploads/1", status: 204, ["Upload-Offset": "5"])
        var configuration = TusClient.Configuration()
        configuration.chunkSize = 3
        let repository = RemoteRecordingRepository(
            server.practice(), uploads: NoUploads(), configuration: configuration)
        let told = Told()
        try await repository.upload(recording, content: InMemoryContent(bytes)) { await told.add($0) }
        #expect(await told.offsets == [0, 3, 5])
        #expect(server.requests == ["POST /uploads", "PATCH /uploads/1", "PATCH /uploads/1"])

        // One that is not what it says is not even begun.
        let error = await #expect(throws: DomainError.self) {
            try await repository.store(recording, content: InMemoryContent([1]))
        }
        #expect(error?.code == "invalidInput" && server.requests.count == 3)
    }

    @Test func theSessionIsReadAndAHeartbeatSent() async throws {
        let profile = Profile(account: "ada", email: "ada@example.org", createdAt: Date(timeIntervalSince1970: 1))
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let config = RuntimeConfig(rules: ["a": .init(value: .integer(3), rollout: 5)], fetchedAt: now)
        try server.on("GET /rpc/me", json: ProfileDTO(profile))
        try server.on("GET /rpc/app_config", json: AppConfigDTO(config))
        server.on("POST /rpc/heartbeat", status: 204)
        let session = RemoteSessionService(server.practice(), now: { now })
        #expect(try await session.me() == profile)
        #expect(try await session.appConfig() == config)
        try await session.sendHeartbeat()
        #expect(server.requests == ["GET /rpc/me", "GET /rpc/app_config", "POST /rpc/heartbeat"])
    }

    @Test func dataIsExportedInPiecesAndDeletedWithAReceipt() async throws {
        server.on("GET /account/export", status: 200, text: "archive")
        let receipt = DeletionReceipt(
            id: "r", place: .server, deletedAt: Date(timeIntervalSince1970: 1), counts: ["results": 2])
        try server.on("DELETE /account/data", json: DeletionReceiptDTO(receipt))
        let rights = RemoteDataRights(server.practice())
        var archive: [UInt8] = []
        try await rights.export { archive += $0 }
        #expect(String(decoding: archive, as: UTF8.self) == "archive")
        #expect(try await rights.delete() == receipt)
    }
}

actor Told {
    private(set) var offsets: [Int] = []
    func add(_ offset: Int) { offsets.append(offset) }
}

/// Remembers no uploads.
struct NoUploads: TusUploadStore {
    func record(for key: String) -> TusUploadRecord? { nil }
    func save(_ record: TusUploadRecord) {}
    func remove(_ key: String) {}
}

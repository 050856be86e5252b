// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import TestKit
import Testing

@Suite("tus uploads of what is no file")
struct TusSourceTests {
    /// Bytes in memory, which may end before their length does.
    private struct Source: TusSource {
        var length: Int
        var bytes: [UInt8]
        var name = "one"

        init(_ bytes: [UInt8], length: Int? = nil) {
            self.bytes = bytes
            self.length = length ?? bytes.count
        }

        func read(at offset: Int, count: Int) -> [UInt8] { Array(bytes.dropFirst(offset).prefix(count)) }
        func fingerprint() -> String { name }
    }

    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = try #require(URL(string: "https://upload.example/files"))
    }

    private func client(_ transport: ScriptedTransport) -> TusClient {
        var configuration = TusClient.Configuration()
        configuration.chunkSize = 4
        configuration.maximumFailures = 0
        return TusClient(
            endpoint: url, transport: transport, store: FileTusUploadStore(folder: folder.path),
            configuration: configuration)
    }

    private func answer(_ status: Int, _ headers: HTTPHeaders) -> ScriptedTransport.Answer {
        { HTTPResponse(status: status, headers: headers, url: $0.url) }
    }

    private var records: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
    }

    private func finish(_ transport: ScriptedTransport, _ source: Source) async throws -> [Int] {
        var offsets: [Int] = []
        for try await progress in client(transport).upload(source) { offsets.append(progress.confirmedBytes) }
        return offsets
    }

    @Test func `the bytes arrive, and another program goes on with them`() async throws {
        let source = Source(Array(0..<10))
        let first = ScriptedTransport([
            answer(201, ["Location": "/files/1"]), answer(204, ["Upload-Offset": "4"]),
        ])
        await expectError(.other) { _ = try await finish(first, source) }
        #expect(try records.count == 1)
        let second = ScriptedTransport([
            answer(200, ["Upload-Offset": "4", "Upload-Length": "10"]), answer(204, ["Upload-Offset": "8"]),
            answer(204, ["Upload-Offset": "10"]),
        ])
        #expect(try await finish(second, source) == [4, 8, 10])
        #expect(second.requests.map(\.method) == [.head, .patch, .patch])
        #expect(try records.isEmpty)
        var sent: [UInt8] = []
        for request in first.requests + second.requests where request.method == .patch {
            if case .bytes(let bytes) = request.body, request.headers["Upload-Offset"] == "\(sent.count)" {
                sent += bytes
            }
        }
        #expect(sent == source.bytes)
    }

    @Test(arguments: [
        "https://elsewhere.example/files/1", "//elsewhere.example/files/1", "https://upload.example:444/files/1",
        "http://upload.example/files/1", "https://user@upload.example.elsewhere.example/files/1",
    ])
    func `a location at another origin gets neither token nor content`(location: String) async throws {
        let transport = ScriptedTransport([answer(201, ["Location": location])], fallback: answer(204, [:]))
        await expectError(.redirect) { _ = try await finish(transport, Source([1])) }
        #expect(transport.requests.map(\.url) == [url])
        #expect(try records.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a stored upload at another origin is forgotten unasked`(terminates: Bool) async throws {
        let source = Source([1])
        let foreign = try #require(URL(string: "https://elsewhere.example/files/1"))
        let first = ScriptedTransport([answer(201, ["Location": "/files/1"]), answer(500, [:])])
        await expectError(.status) { _ = try await finish(first, source) }
        let key = try #require(first.requests.first?.headers["Idempotency-Key"])
        try await FileTusUploadStore(folder: folder.path).save(TusUploadRecord(key: key, url: foreign, length: 1))
        let transport = ScriptedTransport([
            answer(201, ["Location": "/files/2"]), answer(204, ["Upload-Offset": "1"]),
        ])
        if terminates {
            let terminated = try await client(transport).terminate(source)
            #expect(!terminated)
            #expect(transport.requests.isEmpty)
        } else {
            #expect(try await finish(transport, source) == [0, 1])
            #expect(transport.requests.map(\.method) == [.post, .patch])
        }
        #expect(try records.isEmpty)
    }

    @Test func `another fingerprint is another upload`() async throws {
        var source = Source([1])
        var keys: Set<String?> = []
        for name in ["one", "two", "one"] {
            source.name = name
            let transport = ScriptedTransport([
                answer(201, ["Location": "/files/1"]), answer(204, ["Upload-Offset": "1"]),
            ])
            _ = try await finish(transport, source)
            keys.insert(transport.requests.first?.headers["Idempotency-Key"])
        }
        #expect(keys.count == 2 && !keys.contains(nil))
    }

    @Test func `a server that has the content already is sent none of it`() async throws {
        let transport = ScriptedTransport([answer(201, ["Location": "/files/1", "Upload-Offset": "10"])])
        #expect(try await finish(transport, Source(Array(0..<10))) == [10])
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [413, 415, 422, 460]) func `content that was turned down is not gone on with`(status: Int)
        async throws
    {
        let transport = ScriptedTransport([answer(201, ["Location": "/files/1"]), answer(status, [:])])
        await expectError(.status) { _ = try await finish(transport, Source([1])) }
        #expect(try records.isEmpty)
    }

    @Test func `a source that has become shorter is an error`() async throws {
        let transport = ScriptedTransport([answer(201, ["Location": "/files/1"])])
        await expectError(.requestBody) { _ = try await finish(transport, Source([1, 2], length: 3)) }
    }

    @Test func `an upload is deleted by its source`() async throws {
        let source = Source([1])
        let transport = ScriptedTransport([
            answer(201, ["Location": "/files/1"]), answer(500, [:]), answer(204, [:]),
        ])
        await expectError(.status) { _ = try await finish(transport, source) }
        let terminated = try await client(transport).terminate(source)
        #expect(terminated && transport.requests.last?.method == .delete)
        #expect(try await !client(transport).terminate(source))
    }

    @Test func `an upload waits as long as the server asks`() async throws {
        let transport = ScriptedTransport([
            answer(429, ["Retry-After": "7"]), answer(201, ["Location": "/files/1"]),
            answer(204, ["Upload-Offset": "1"]),
        ])
        let clock = ManualClock()
        let client = TusClient(
            endpoint: url, transport: transport, store: FileTusUploadStore(folder: folder.path), clock: clock)
        let upload = Task { for try await _ in client.upload(Source([1])) {} }
        await clock.waitForSleepers()
        #expect(clock.remaining == [.seconds(7)])
        clock.advance(by: .seconds(7))
        try await upload.value
        #expect(transport.requests.count == 3)
    }

    @Test func `a wait over the limit ends the upload, and the error has it`() async throws {
        let transport = ScriptedTransport([answer(429, ["Retry-After": "61"])])
        let client = TusClient(
            endpoint: url, transport: transport, store: FileTusUploadStore(folder: folder.path), clock: ManualClock())
        do {
            for try await _ in client.upload(Source([1])) {}
            Issue.record("no error")
        } catch let error as NetworkError {
            #expect(error.status == 429 && error.retryAfter == .seconds(61))
        }
    }

    @Test func `an error says how long the server asks to wait`() async throws {
        let transport = ScriptedTransport([
            answer(429, ["Retry-After": "7"]), answer(503, [:]),
        ])
        for expected in [Duration.seconds(7), nil] {
            do {
                _ = try await transport.bytes(for: HTTPRequest(.get, url))
                Issue.record("no error")
            } catch let error as NetworkError {
                #expect(error.retryAfter == expected)
            }
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import Synchronization
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct FirstUseTests {
    struct Cue: Codable, Equatable {
        var id: Int
        var createdAt: Date?
    }

    private func client(
        _ script: ScriptedTransport, base: String = "https://api.example/v1/", coding: JSONCoding = .standard
    ) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        let url = try #require(URL(string: base))
        configuration.baseURL = url
        configuration.coding = coding
        configuration.retry = nil
        return HTTPClient(transport: script, configuration: configuration)
    }

    @Test func `a client of localhost is one line`() async throws {
        let server = try NginxServer.shared.get()
        let client = try HTTPClient(baseURL: "http://localhost:\(server.plainPort)/")
        #expect(String(decoding: try await client.call(.get, "hello"), as: UTF8.self) == "hello\n")
        await client.close()
        await expectError(.closed) { try await client.call(.get, "hello") }
    }

    @Test func `plain http to another host is refused at once`() async throws {
        await expectError(.insecure) { _ = try HTTPClient(baseURL: "http://api.example/") }
        await expectError(.invalidRequest) { _ = try HTTPClient(baseURL: "api.example") }
        var connections = CurlTransport.Configuration()
        connections.plainHTTPHosts = ["api.example"]
        _ = try HTTPClient(baseURL: "http://api.example/", connections: connections)
    }

    @Test(arguments: [
        ("https://api.example", "https://api.example/cues/a%2Fb%3F?page=2&q=%C3%A4%20%26"),
        ("https://api.example/v1", "https://api.example/v1/cues/a%2Fb%3F?page=2&q=%C3%A4%20%26"),
        ("https://api.example/v1/?key=7", "https://api.example/v1/cues/a%2Fb%3F?key=7&page=2&q=%C3%A4%20%26"),
    ])
    func `paths and queries come after the base URL`(base: String, wanted: String) throws {
        let client = try client(ScriptedTransport(), base: base)
        let id = "a/b?"
        let request = try client.request(.get, "/cues/\(id)", query: ["page": 2, "after": nil as Int?, "q": "ä &"])
        #expect(request.url.absoluteString == wanted)
        #expect(try client.request(.get, HTTPPath(["cues", id]), query: ["page": 2, "q": "ä &"]).url == request.url)
        #expect(try client.request(.get, "").url.absoluteString == base)
    }

    @Test(arguments: ["..", "."]) func `a path never leads out of the base URL`(segment: String) async throws {
        let client = try client(ScriptedTransport())
        await expectError(.invalidRequest) { _ = try client.request(.get, "cues/\(segment)/keys") }
        await expectError(.invalidRequest) {
            _ = try HTTPClient(transport: ScriptedTransport()).request(.get, "cues")
        }
    }

    @Test func `dates are ISO 8601 in both directions`() async throws {
        let script = ScriptedTransport([
            answer(
                200, [:],
                """
                [{"id":1,"createdAt":"2026-01-02T03:04:05Z"},{"id":2,"createdAt":"2026-01-02T03:04:05.250Z"}]
                """),
            answer(201, [:], #"{"id":3}"#),
        ])
        let client = try client(script)
        let cues: [Cue] = try await client.get("cues")
        #expect(cues.map { $0.createdAt?.timeIntervalSince1970 } == [1_767_323_045, 1_767_323_045.25])
        #expect(try await client.post("cues", json: cues[0], as: Cue.self) == Cue(id: 3))
        guard case .bytes(let sent)? = script.requests.last?.body else { return #expect(Bool(false)) }
        #expect(String(decoding: sent, as: UTF8.self).contains(#""createdAt":"2026-01-02T03:04:05Z""#))
    }

    @Test func `snake case is an option`() async throws {
        let script = ScriptedTransport(answer(200, [:], #"{"id":1,"created_at":"2026-01-02T03:04:05Z"}"#))
        let client = try client(script, coding: .snakeCase)
        let cue: Cue = try await client.get("cues/1")
        #expect(cue.createdAt != nil)
        let _: Cue = try await client.put("cues/1", json: cue)
        let _: Cue = try await client.patch("cues/1", json: cue)
        try await client.delete("cues/1")
        guard case .bytes(let sent) = script.requests[1].body else { return #expect(Bool(false)) }
        #expect(String(decoding: sent, as: UTF8.self).contains("created_at"))
        #expect(script.requests.map(\.method) == [.get, .put, .patch, .delete])
    }

    @Test func `a bad status carries the body`() async throws {
        struct Refusal: Decodable { let error: String }
        let client = try client(ScriptedTransport(answer(422, [:], #"{"error":"no_text"}"#)))
        do {
            try await client.delete("cues/1")
            Issue.record("no error")
        } catch let error as NetworkError {
            #expect(try error.decode(Refusal.self).error == "no_text")
            #expect(String(decoding: error.body, as: UTF8.self) == #"{"error":"no_text"}"#)
            #expect(!"\(error)".contains("no_text"))
            await expectError(.decoding) { _ = try error.decode([Int].self) }
        }
    }

    @Test func `of a long error body the start is kept`() async throws {
        let client = try client(ScriptedTransport(answer(500, [:], String(repeating: "x", count: 300_000))))
        do {
            try await client.delete("cues/1")
            Issue.record("no error")
        } catch let error as NetworkError {
            #expect(error.body.count == 256 << 10)
        }
    }

    @Test(arguments: [
        (#"{"items":[{"id":1},{"id":"S3CRET"}]}"#, "\"items[1].id\" is not a Int"),
        (#"{"items":[{}]}"#, "\"items[0].id\" is missing"),
        (#"{"items":[{"id":null}]}"#, "\"items[0].id\""),
        (#"{"items":[{"id":1,"createdAt":"S3CRET"}]}"#, "\"items[0].createdAt\" has a value that does not fit"),
        ("[]", "the whole is not a"), ("S3CRET", "it is not valid JSON"),
    ])
    func `a decoding error names the path and no value`(json: String, wanted: String) throws {
        struct Page: Decodable { let items: [Cue] }
        do {
            _ = try JSONCoding.standard.decode(Page.self, from: Array(json.utf8))
            Issue.record("no error")
        } catch let error as NetworkError {
            #expect(error.code == .decoding)
            #expect(error.message.contains(wanted), "\(error)")
            #expect(!error.message.contains("S3CRET"))
        }
    }

    @Test func `every upload tells its progress`() async throws {
        let server = try NginxServer.shared.get()
        let transport = try CurlTransport(configuration: server.configuration)
        let bytes = [UInt8](repeating: 7, count: 300_000)
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: URL(filePath: folder.file("speech")))
        let chunks = AsyncStream<[UInt8]> { stream in
            for start in stride(from: 0, to: bytes.count, by: 100_000) {
                stream.yield(Array(bytes[start..<(start + 100_000)]))
            }
            stream.finish()
        }
        let bodies: [(String, HTTPBody, Int?)] = [
            ("bytes", .bytes(bytes), bytes.count), ("file", .file(path: folder.file("speech")), bytes.count),
            ("stream", .stream(HTTPBodyStream(chunks)), nil),
        ]
        for (name, body, total) in bodies {
            let told = Mutex<[HTTPUploadProgress]>([])
            var request = HTTPRequest(.put, try server.plain("/put/progress-\(name)"), body: body)
            request.onUpload = { progress in told.withLock { $0.append(progress) } }
            #expect(try await transport.send(request).isSuccess)
            let progress = told.withLock { $0 }
            #expect(progress.count > 1)
            #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.sentBytes < $1.sentBytes })
            #expect(progress.last == HTTPUploadProgress(sentBytes: bytes.count, totalBytes: total))
        }
        await transport.close()
    }

    @Test func `a refused token is refreshed once and kept`() async throws {
        let script = ScriptedTransport { request in
            HTTPResponse(
                status: request.headers["Authorization"] == "Bearer new" ? 200 : 401, url: request.url)
        }
        let tokens = InMemoryAccessTokens(AccessToken(value: "old")) { expired in
            AccessToken(value: "new", session: expired.session)
        }
        var configuration = HTTPClient.Configuration()
        configuration.tokens = tokens
        let client = HTTPClient(transport: script, configuration: configuration)
        for _ in 0..<2 { #expect(try await client.send(HTTPRequest(.get, testURL)).status == 200) }
        #expect(script.requests.count == 3)
        await tokens.set(nil)
        #expect(try await client.send(HTTPRequest(.get, testURL)).status == 401)
    }

    @Test func `a session that changes during a refresh keeps its own token`() async throws {
        let other = AccessToken(value: "other", session: "b")
        let tokens = InMemoryAccessTokens(AccessToken(value: "old", session: "a"))
        await tokens.set(other)
        #expect(await !tokens.replace(AccessToken(value: "old", session: "a"), with: AccessToken(value: "new")))
        #expect(await tokens.token() == other)
        await expectError(.unauthorized) { _ = try await tokens.refresh(other) }
    }
}

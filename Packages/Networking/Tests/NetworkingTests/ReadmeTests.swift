// SPDX-License-Identifier: MIT

import Foundation
import Networking
import NetworkingTestSupport
import TestKit
import Testing

/// The README's programs: they compile, and those that need no server of their own run.
@Suite(.timeLimit(.minutes(5))) struct ReadmeTests {
    struct Cue: Codable, Equatable {
        let id: Int
        var text: String
        var createdAt: Date?
    }

    private func client(_ script: ScriptedTransport) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        let url = try #require(URL(string: "http://localhost:8080/v1"))
        configuration.baseURL = url
        return HTTPClient(transport: script, configuration: configuration)
    }

    @Test func `the first program reads, changes and deletes`() async throws {
        let script = ScriptedTransport([
            answer(200, [:], #"[{"id":7,"text":"Say it."}]"#), answer(200, [:], #"{"id":7,"text":"Say it twice."}"#),
            answer(204),
        ])
        let client = try client(script)
        let cues: [Cue] = try await client.get("cues", query: ["page": 1])
        if var cue = cues.first {
            cue.text = "Say it twice."
            cue = try await client.put("cues/\(cue.id)", json: cue)
            #expect(cue.text == "Say it twice.")
            try await client.delete("cues/\(cue.id)")
        }
        await client.close()
        #expect(
            script.requests.map { "\($0.method) \($0.url.path())" } == [
                "GET /v1/cues", "PUT /v1/cues/7", "DELETE /v1/cues/7",
            ])
    }

    @Test func `a refusal's body decodes`() async throws {
        let client = try client(ScriptedTransport(answer(422, [:], #"{"error":"no text"}"#)))
        do {
            try await client.call(.post, "cues", json: ["text": ""])
            Issue.record("no error")
        } catch let error as NetworkError where error.status == 422 {
            struct Refusal: Decodable { let error: String }
            #expect(try error.decode(Refusal.self).error == "no text")
        }
    }

    @Test func `tokens come from a closure`() async throws {
        let signIn = try client(ScriptedTransport(answer(200, [:], #"{"access_token":"second"}"#)))
        let refreshToken = "r"
        var configuration = HTTPClient.Configuration()
        configuration.tokens = InMemoryAccessTokens(AccessToken(value: "first")) { expired in
            let fresh: [String: String] = try await signIn.post("token", json: ["refresh": refreshToken])
            return AccessToken(value: fresh["access_token"] ?? "", session: expired.session)
        }
        let script = ScriptedTransport([answer(401)], fallback: answer(200))
        let client = HTTPClient(transport: script, configuration: configuration)
        _ = try await client.bytes(for: HTTPRequest(.get, testURL))
        #expect(script.requests.last?.headers["Authorization"] == "Bearer second")
    }

    @Test func `events are a sequence`() async throws {
        let client = try client(
            ScriptedTransport(
                [answer(200, ["Content-Type": "text/event-stream"], "data: one\n\n")], fallback: answer(204)))
        var seen: [String] = []
        for try await event in EventSource(try client.request(.get, "events"), transport: client) {
            seen.append(event.data)
            break
        }
        #expect(seen == ["one"])
    }

    @Test func `uploads go on where they broke off`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("speech", to: "speech.wav")
        let script = ScriptedTransport([
            answer(201, ["Location": "/v1/files/1"]), answer(204, ["Upload-Offset": "6"]),
        ])
        let client = try client(script)
        let uploads = TusClient(
            endpoint: try client.request(.post, "files").url, transport: client,
            store: FileTusUploadStore(folder: folder.path))
        for try await progress in uploads.upload(folder.file("speech.wav")) {
            #expect(progress.totalBytes == 6)
        }
        #expect(script.requests.count == 2)
    }

    /// Compiles; WebSocketPeerTests run the same calls.
    private func speak(to url: URL, over transport: CurlTransport) async throws -> String? {
        let socket = try await WebSocketConnection.open(WebSocketRequest(url), over: transport)
        try await socket.send(.text("hello"))
        defer { Task { await socket.close() } }
        guard case .text(let text)? = try await socket.receive() else { return nil }
        return text
    }
}

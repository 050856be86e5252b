// SPDX-License-Identifier: MIT

import AudioBuffers
import Diagnostics
import FoundationEssentials
import Networking
import NetworkingTestSupport
import SpeechEngines
import SpeechServicesTestSupport
import TestKit
import Testing

@testable import SpeechServices

@Suite(.timeLimit(.minutes(5))) struct FailureTests {
    private static func error(
        _ status: Int, _ body: String, _ subject: RequestSubject = .service
    ) -> SpeechServiceError {
        SpeechServiceError(
            ServiceFailure(status: status, body: Array(body.utf8), retryAfter: nil), about: subject, service: "It",
            key: SpeechServiceKey("secret-key-1"))
    }

    @Test(arguments: [
        (
            401, #"{"detail": {"status": "quota_exceeded", "message": "0 credits"}}"#,
            SpeechServiceError.Code.quotaExceeded
        ),
        (429, #"{"error": {"code": "insufficient_quota"}}"#, .quotaExceeded), (402, "", .quotaExceeded),
        (401, #"{"detail": {"status": "invalid_api_key"}}"#, .unauthorized), (403, "", .unauthorized),
        (400, #"{"detail": {"status": "voice_not_found"}}"#, .voiceMissing),
        (422, #"{"detail": [{"loc": ["body", "voice"], "msg": "bad", "type": "enum"}]}"#, .voiceMissing),
        (404, #"{"error": {"code": "model_not_found"}}"#, .modelMissing), (404, "", .refused), (400, "", .refused),
        (301, "", .refused), (413, "", .tooLarge), (503, "<html>", .serverFailed), (504, "", .stalled),
    ])
    func `an answer's status and words give the code`(status: Int, body: String, code: SpeechServiceError.Code) {
        #expect(Self.error(status, body).code == code)
    }

    @Test func `a missing voice or model is named`() {
        #expect(Self.error(404, "", .voice("amy")).message.contains("amy"))
        #expect(Self.error(404, "", .model("large")).message.contains("large"))
    }

    @Test func `a service's words are one line without keys`() {
        let words =
            #"{"error": {"message": "bad\nsecret-key-1 and sk-abcdef \u0007 \#(String(repeating: "x", count: 300))"}}"#
        let underlying = Self.error(500, words).underlying ?? ""
        #expect(underlying.hasPrefix("bad <redacted> and <redacted> x") && underlying.count == 200)
    }

    @Test func `a key is never shown`() {
        let key = SpeechServiceKey(" secret-key-1\n")
        #expect(key.value == "secret-key-1")
        var text = "\(key) \(String(reflecting: key))"
        dump(key, to: &text)
        #expect(!text.contains("secret"))
    }

    @Test func `a key does not follow a redirect`() async throws {
        try await ScriptedSpeechServer.run { server in
            let transport = ScriptedTransport { request in
                #expect(request.redirects == .stop)
                return HTTPResponse(status: 307, headers: ["Location": "https://example.org/"], url: request.url)
            }
            let service = HTTPSpeechService(
                name: "It", baseURL: server.baseURL(), key: SpeechServiceKey("secret-key-1"), transport: transport)
            let report = try await SpeechServiceProbe.elevenLabs(service)
            guard case .failure(let error) = report.result else { throw BrokenPromise() }
            #expect(error.code == .refused && error.message.contains("redirects"))
        }
    }

    @Test func `plain http elsewhere must be allowed explicitly`() async throws {
        let service = HTTPSpeechService(
            name: "It", baseURL: try #require(.init(string: "http://192.0.2.1/v1")), transport: try loopbackTransport())
        let report = try await SpeechServiceProbe.openAI(service)
        guard case .failure(let error) = report.result else { throw BrokenPromise() }
        #expect(error.code == .insecure && report.isUnprotected)
    }

    @Test(arguments: [
        (NetworkError.Code.resolve, SpeechServiceError.Code.unreachable), (.connect, .unreachable),
        (.connectTimeout, .unreachable), (.proxy, .unreachable), (.secure, .untrusted), (.certificate, .untrusted),
        (.pin, .untrusted), (.insecure, .insecure), (.connectionLost, .cut), (.idleTimeout, .stalled),
        (.firstByteTimeout, .stalled), (.responseTooLarge, .tooLarge), (.invalidRequest, .invalidRequest),
        (.invalidResponse, .invalidResponse), (.outOfMemory, .outOfResources), (.other, .unreachable),
    ])
    func `a transport's failure has a code of its own`(
        network: NetworkError.Code, code: SpeechServiceError.Code
    ) async throws {
        let transport = ScriptedTransport { _ in throw NetworkError(code: network, message: "It failed.") }
        let service = HTTPSpeechService(
            name: "It", baseURL: try #require(URL(string: "https://example.org/v1")), transport: transport)
        guard case .failure(let error) = try await SpeechServiceProbe.openAI(service).result else {
            throw BrokenPromise()
        }
        #expect(error.code == code)
    }

    @Test func `a failure's log line has its code and no key`() async throws {
        try await ScriptedSpeechServer.run(.init(fault: .wrongKey)) { server in
            let sink = RingSink(capacity: 10)
            let service = HTTPSpeechService(
                name: "It", baseURL: server.baseURL("/v1"), key: SpeechServiceKey(scriptedKey),
                transport: try loopbackTransport(),
                logger: Logger(category: "test", minimumLevel: .trace, sink: sink, revealsPrivate: true))
            _ = try await SpeechServiceProbe.openAI(service)
            let lines = sink.snapshot().map { "\($0)" }.joined(separator: "\n")
            #expect(lines.contains("unauthorized") && !lines.contains(scriptedKey), "\(lines)")
        }
    }

    @Test func `a voice id cannot leave its path`() async throws {
        let transport = ScriptedTransport { HTTPResponse(status: 500, url: $0.url) }
        let service = HTTPSpeechService(
            name: "It", baseURL: try #require(URL(string: "https://example.org")), transport: transport)
        let engine = ElevenLabsSynthesizer(service, configuration: .init(voice: "../../user?x=1"))
        await #expect(throws: SpeechServiceError.self) { for try await _ in engine.synthesize("Yes.") {} }
        #expect(
            transport.requests.map(\.url.absoluteString) == [
                "https://example.org/v1/text-to-speech/..%2F..%2Fuser%3Fx%3D1/stream?output_format=pcm_24000"
            ])
    }
}

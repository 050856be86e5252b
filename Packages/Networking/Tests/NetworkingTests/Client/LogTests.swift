// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import NetworkingTestSupport
import Testing

@testable import Networking

struct LogTests {
    @Test(arguments: [
        ("https://h/p?token=abc&x=1", "https://h/p?token=<redacted>&x=1"),
        ("https://h/p?x=1&API_Key=abc#access_token=q", "https://h/p?x=1&API_Key=<redacted>#access_token=<redacted>"),
        ("https://h/cb?code=4/0Af=&state=s", "https://h/cb?code=<redacted>&state=s"), ("no items", "no items"),
        ("code=1", "code=<redacted>"), ("a=b", "a=b"),
        ("https://h/?sig=a%2Bb%3D&sv=1", "https://h/?sig=<redacted>&sv=1"), ("?apikey=s", "?apikey=<redacted>"),
        ("?api%5Fkey=s&x=1", "?api%5Fkey=<redacted>&x=1"), ("?%74oken=s", "?%74oken=<redacted>"),
        ("?toke%6E=s", "?toke%6E=<redacted>"), ("?%74%6F%6B%65%6E=s", "?%74%6F%6B%65%6E=<redacted>"),
        ("?100%token=s", "?100%token=<redacted>"),
        ("?token[]=s&user%5Bpassword%5D=s", "?token[]=<redacted>&user%5Bpassword%5D=<redacted>"),
        ("?next=https%3A%2F%2Fh%2F%3Ftoken%3Ds&x=1", "?next=<redacted>&x=1"),
        ("?next=https%3A%2F%2Fh%2F%3Fa%3Ds&x=1", "?next=https%3A%2F%2Fh%2F%3Fa%3Ds&x=1"), ("?design=s", "?design=s"),
        ("<https://h/?key=s>; rel=next", "<https://h/?key=<redacted>; rel=next"),
    ]) func takesSecretsOutOfTexts(_ text: String, _ expected: String) {
        #expect(Redaction().redacted(text) == expected)
    }

    @Test(arguments: [
        "apikey", "xi-api-key", "X-Auth-Token", "X-Amz-Security-Token", "X-Signature", "Cookie", "Proxy-Authorization",
        "X-Goog-Api-Key", "Ocp-Apim-Subscription-Key",
    ])
    func `credentials in header fields are redacted`(name: String) {
        let headers = Redaction().redacted([name: "s3cret", "Content-Type": "text/plain"])
        #expect(headers[name] == Redaction.mark)
        #expect(headers["Content-Type"] == "text/plain")
    }

    @Test func takesSecretsOutOfBodies() {
        let json = #"{"access_token": "s\"ecret", "expires": 3, "name": "n", "otp":123456}"#
        #expect(
            Redaction().redacted(body: json)
                == #"{"access_token": "<redacted>", "expires": 3, "name": "n", "otp":"<redacted>"}"#)
        #expect(Redaction().redacted(body: "grant_type=x&refresh_token=s") == "grant_type=x&refresh_token=<redacted>")
    }

    @Test func theLogKeepsEveryExchangeAndNoSecret() async throws {
        let ring = RingSink(capacity: 100)
        let log = NetworkLog(
            capacity: 3, logger: Logger(category: "net", sink: ring, revealsPrivate: true))
        let script = ScriptedTransport(
            [
                answer(
                    200,
                    ["Set-Cookie": "sid=S3CRET", "Location": "https://h/?code=S3CRET", "Content-Type": "text/plain"],
                    "12345"),
                failure(.connect), { _ in throw CancellationError() },
                { _ in throw NetworkError(code: .connect, message: "failed for https://h/?token=S3CRET") },
            ], fallback: answer(204))
        let stage = LogTransport(next: script, log: log)
        let url = try #require(URL(string: "https://user.example/path?a=b%20c&token=S3CRET&key=S3CRET"))
        let request = HTTPRequest(.get, url, headers: ["Authorization": "Bearer S3CRET", "Cookie": "S3CRET", "X": "y"])
        _ = try await stage.send(request).body.collect()
        for _ in 0..<3 { _ = try? await stage.send(request) }
        #expect(log.exchanges.map(\.number) == [2, 3, 4])
        #expect(
            log.exchanges.map(\.outcome) == [
                .failed(.connect, message: "scripted"), .cancelled,
                .failed(.connect, message: "failed for https://h/?token=<redacted>"),
            ])
        _ = try await stage.send(request)
        #expect(log.exchanges.last?.outcome == .dropped)
        log.clear()
        let again = LogTransport(
            next: ScriptedTransport(answer(200, ["Content-Type": "text/plain"], "12345")), log: log)
        _ = try await again.send(request).body.collect()
        #expect(log.exchanges.first?.contentBytes == 5)
        let archive = String(decoding: try log.archive(), as: UTF8.self)
        let seen = archive + "\(log.exchanges)" + "\(ring.snapshot())"
        #expect(!seen.contains("S3CRET"))
        #expect(seen.contains("user.example"))
    }

    @Test func theArchiveIsHAR() async throws {
        let server = try NginxServer.shared.get()
        let log = NetworkLog()
        let client = try HTTPClient(
            transport: CurlTransport(configuration: server.configuration), configuration: configuration(log))
        _ = try await client.bytes(for: HTTPRequest(.get, server.secure("/hello?q=1&token=s")))
        _ = try? await client.bytes(for: HTTPRequest(.get, server.secure("/missing")))
        let object = try JSONSerialization.jsonObject(with: Data(try log.archive())) as? [String: Any]
        let har = try #require(object?["log"] as? [String: Any])
        #expect(har["version"] as? String == "1.2")
        let entries = try #require(har["entries"] as? [[String: Any]])
        #expect(entries.count == 2)
        let first = try #require(entries.first)
        for key in ["startedDateTime", "time", "request", "response", "cache", "timings"] { #expect(first[key] != nil) }
        let timings = try #require(first["timings"] as? [String: Double])
        #expect((timings["connect"] ?? -1) > 0 && (timings["ssl"] ?? -1) > 0 && (timings["wait"] ?? -1) > 0)
        let query = (first["request"] as? [String: Any])?["queryString"] as? [[String: String]]
        #expect(query == [["name": "q", "value": "1"], ["name": "token", "value": "<redacted>"]])
        #expect((first["response"] as? [String: Any])?["httpVersion"] as? String == "HTTP/2")
        #expect(first["serverIPAddress"] as? String == "127.0.0.1")
    }

    private func configuration(_ log: NetworkLog) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.log = log
        return configuration
    }
}

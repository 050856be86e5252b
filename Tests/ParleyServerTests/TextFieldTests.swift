// SPDX-License-Identifier: MIT

import AuthServer
import DataLayer
import Domain
import Foundation
import Networking
import ParleyServer
import TestKit
import Testing

/// Every text that a client can send, with everything in it that is no text for it.
@Suite(.timeLimit(.minutes(5))) struct TextFieldTests {
    /// Raw bytes of a JSON string's content, or of a header field's value.
    struct Hostile: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var testDescription: String { name }

        init(_ name: String, _ bytes: some Sequence<UInt8>) { (self.name, self.bytes) = (name, Array(bytes)) }
    }

    /// Each is wrong in every field.
    static let hostile: [Hostile] = [
        Hostile("bytes that are no UTF-8", [0x61, 0xFF, 0xFE, 0x80, 0xC0, 0xAF]),
        Hostile("an unpaired surrogate", #"a\ud800b"#.utf8), Hostile("a reversed pair", #"\udc00\ud800"#.utf8),
        Hostile("NUL", #"a\u0000b"#.utf8), Hostile("a terminal's escape", #"\u001b]0;title\u0007"#.utf8),
        Hostile("C1 controls", #"a\u009b31m"#.utf8), Hostile("an override", "a\u{202E}b".utf8),
        Hostile("isolates", #"\u2066a\u2069"#.utf8),
        Hostile("a letter with 30,000 marks", ("e" + String(repeating: "\u{301}", count: 30_000)).utf8),
        Hostile("escaped marks", ("e" + String(repeating: #"\u0301"#, count: 10_000)).utf8),
        Hostile("10 MB", repeatElement(UInt8(ascii: "a"), count: 10_000_000)),
    ]

    private static let id = "7d3f0c52-3ed9-4f0b-8f0e-5a1b1c3d2e4f"
    private static let fields: [(field: String, json: String)] = [
        ("id", #""id":"\#(id)""#), ("cue", #""cue":"\#(StarterCues.all[0].id)""#), ("cue_text", #""cue_text":"words""#),
        ("language", #""language":"en""#), ("recording", #""recording":"\#(id)""#),
        ("practised_at", #""practised_at":"2026-01-31T12:00:00.000Z""#), ("day", #""day":"2026-01-31""#),
    ]
    private static let evaluation = #""source":"device","speech_duration":1,"pauses":[],"clipped_share":0"#

    /// A result whose field has hostile content.
    private static func result(_ field: String, _ content: [UInt8]) -> [UInt8] {
        var members = fields.map { name, json in
            name == field ? Array(#""\#(name)":""#.utf8) + content + [0x22] : Array(json.utf8)
        }
        let word = field == "words" ? content : Array("word".utf8)
        let source = field == "source" ? content : Array("device".utf8)
        members.append(
            Array(#""rating":3,"evaluation":{"speech_duration":1,"pauses":[],"clipped_share":0,"source":""#.utf8)
                + source
                + Array(#"","words":[{"verdict":"right","text":""#.utf8) + word + Array(#""}]}"#.utf8))
        return Array("{".utf8) + Array(members.joined(separator: [0x2C])) + Array("}".utf8)
    }

    @Test(arguments: hostile)
    func `no field of a result takes it`(_ hostile: Hostile) async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        for field in Self.fields.map(\.field) + ["source", "words"] {
            let body = Self.result(field, hostile.bytes)
            for (method, path, bytes) in [
                (HTTPMethod.put, "/practice/\(Self.id)", body),
                (.post, "/practice", Array(#"{"items":["#.utf8) + body + Array("]}".utf8)),
            ] {
                let answer = try await fixture.send(method, path, token: ada.token, body: bytes)
                #expect([400, 413, 422].contains(answer.status), "\(path) \(field): \(answer.status)")
                #expect(answer.headers["Content-Type"] == "application/problem+json", "\(path) \(field)")
                // What is no JSON at all has no fields.
                let isJSON = !text(answer).contains("is not JSON")
                if answer.status != 413, isJSON {
                    #expect(text(answer).contains(field), "\(path) \(field): \(text(answer))")
                }
            }
        }
        let right = try await fixture.send(
            .put, "/practice/\(Self.id)", token: ada.token, body: Self.result("", []))
        #expect(right.status == 201, "nothing was stored before it: \(text(right))")
        await fixture.stop()
    }

    @Test(arguments: hostile)
    func `no value of an upload's metadata takes it`(_ hostile: Hostile) async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let sample = SoundSample(10)
        // Escapes mean nothing here, and longer fields are refused with the whole head.
        let bytes = Array(hostile.bytes.prefix(60_000))
        for key in try sample.values.keys.sorted() {
            var headers = ServerFixture.tus
            headers["Upload-Length"] = "10"
            headers["Upload-Metadata"] = try sample.values.map { name, value in
                "\(name) \((name == key ? Data(bytes) : Data(value.utf8)).base64EncodedString())"
            }.joined(separator: ",")
            let answer = try await fixture.call(.post, "/uploads", as: ada, headers: headers)
            #expect([400, 422, 431].contains(answer.status), "\(key): \(answer.status)")
            if answer.status != 431 { #expect(text(answer).contains(key), "\(key): \(text(answer))") }
        }
        #expect(try fixture.soundFiles.isEmpty)
        #expect(try await text(fixture.call(.get, "/recordings", as: ada)) == #"{"items":[],"next":null}"#)
        await fixture.stop()
    }

    @Test(arguments: hostile)
    func `no field of signing in takes it`(_ hostile: Hostile) async throws {
        let fixture = try await ServerFixture()
        let requests: [(path: String, field: String, rest: String)] = [
            ("/otp", "email", ""),
            ("/otp", "code_challenge", #","email":"ada@example.org","code_challenge_method":"s256""#),
            ("/otp", "code_challenge_method", #","email":"ada@example.org","code_challenge":"\#(fixture.challenge)""#),
            ("/verify", "email", #","type":"email","token":"123456""#),
            ("/verify", "token", #","type":"email","email":"ada@example.org""#),
            ("/verify", "token_hash", #","type":"magiclink""#),
            ("/token?grant_type=refresh_token", "refresh_token", ""),
            ("/token?grant_type=pkce", "auth_code", #","code_verifier":"\#(fixture.verifier)""#),
        ]
        for (path, field, rest) in requests {
            let body = Array(#"{"\#(field)":""#.utf8) + hostile.bytes + Array((#"""# + rest + "}").utf8)
            let answer = try await fixture.send(.post, path, body: body)
            let refusals = [400, 413, 422, ["/otp": 429, "/verify": 403][path] ?? 404]
            #expect(refusals.contains(answer.status), "\(path) \(field): \(answer.status)")
            #expect(answer.headers["Content-Type"] == "application/problem+json", "\(path) \(field)")
        }
        #expect(try fixture.mailNames.isEmpty)
        await fixture.stop()
    }

    @Test(arguments: hostile)
    func `no parameter of a list takes it`(_ hostile: Hostile) async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let text = String(decoding: hostile.bytes.prefix(3_000), as: UTF8.self)
            .replacing(/\\u([0-9a-f]{4})/) { match in
                UInt32(match.output.1, radix: 16).flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? "?"
            }
        let value = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        for (path, names) in [
            ("/cues", ["language", "topic", "level", "q", "limit", "after"]),
            ("/practice", ["cue", "language", "rating", "since", "until", "limit", "after"]),
            ("/changes", ["after", "limit"]), ("/recordings", ["after", "limit"]),
        ] {
            for name in names {
                let answer = try await fixture.call(.get, "\(path)?\(name)=\(value)", as: ada)
                let isFreeText = ["q", "topic"].contains(name) && answer.status == 200
                #expect(
                    isFreeText || [400, 414, 431].contains(answer.status), "\(path) \(name): \(answer.status)")
            }
        }
        await fixture.stop()
    }

    /// All of it again and again, at a server that is a process of its own.
    @Test func `memory stays flat`() async throws {
        let home = try TemporaryFolder()
        let fixture = try await ServerFixture(home: home) {
            $0.publicAddress = "http://127.0.0.1:1"
            $0.clock = .system
        }
        let ada = try await fixture.signIn("ada@example.org")
        await fixture.stop()
        let server = try ServerProcess(home: home.path, ["--public", "http://127.0.0.1:1"])
        let client = try ServerFixture.makeClient()
        func round() async throws {
            for hostile in Self.hostile {
                for (method, path) in [(HTTPMethod.put, "/practice/\(Self.id)"), (.post, "/practice"), (.post, "/otp")]
                {
                    let body = Self.result("cue_text", hostile.bytes)
                    let request = HTTPRequest(
                        method, try #require(URL(string: server.address + path)),
                        headers: ["Authorization": "Bearer \(ada.token)", "Content-Type": "application/json"],
                        body: .bytes(body))
                    let response = try await client.send(request)
                    let refusals = path == "/otp" ? [400, 413, 422, 429] : [400, 413, 422]
                    #expect(refusals.contains(response.status), "\(path): \(response.status)")
                    _ = try await response.body.collect(upTo: 1 << 20)
                }
            }
        }
        for _ in 0..<2 { try await round() }
        let before = try server.peakMemory
        for _ in 0..<6 { try await round() }
        let growth = try server.peakMemory - before
        #expect(growth < 16 << 20, "grew by \(growth >> 20) MiB")
    }
}

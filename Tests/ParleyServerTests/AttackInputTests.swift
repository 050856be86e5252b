// SPDX-License-Identifier: MIT

import Foundation
import Networking
import ParleyServer
import Testing

/// What somebody could put into a request to get it into a mail, an answer or another network's account.
@Suite(.timeLimit(.minutes(5))) struct AttackInputTests {
    /// Each with what would be the line of a second recipient, or a second command to the mail server.
    @Test(arguments: [
        "ada@example.org\r\nBcc: eve@evil.example", "ada@example.org\nBcc: eve@evil.example",
        "ada@example.org\rBcc: eve@evil.example", "ada@example.org%0d%0aBcc:eve@evil.example",
        "ada@example.org\u{2028}Bcc: eve@evil.example", "ada@example.org\u{85}Bcc: eve@evil.example",
        "ada@example.org\u{0}", "ada@example.org,eve@evil.example", "ada@example.org;eve@evil.example",
        "ada@example.org eve@evil.example", "<ada@example.org>", "ada@example.org><eve@evil.example",
        "Ada <ada@example.org>", "\"ada\r\nRCPT TO:<eve@evil.example>\"@example.org", "ada@[127.0.0.1]",
        "ada@example.org\r\n.\r\nMAIL FROM:<eve@evil.example>", "eve@evil.example(ada@example.org)",
        "ada@ex\u{0430}mple.org", "@evil.example:ada@example.org", "ada@example.org@evil.example",
    ])
    func noAddressReachesAHeader(_ email: String) async throws {
        let fixture = try await ServerFixture()
        let problem = try await fixture.problem("/otp", ["email": email])
        #expect(problem.status == 400 && problem.errorCode == "validation_failed")
        // A mail that is asked for afterwards is the first.
        let names = try fixture.mailNames
        _ = try await fixture.askForMail()
        #expect(names.isEmpty)
        #expect(try fixture.mailNames.count == 1)
        await fixture.stop()
    }

    /// All that a client can say of where the server is: none of it gets into the link.
    @Test(arguments: [
        "POST /otp HTTP/1.1\r\nHost: evil.example\r\n",
        "POST http://evil.example/otp HTTP/1.1\r\nHost: evil.example\r\n",
        "POST /otp HTTP/1.1\r\nHost: 127.0.0.1:1\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\n",
        "POST /otp HTTP/1.1\r\nHost: a\r\nForwarded: host=evil.example;proto=https\r\nX-Original-URL: //evil.example\r\n",
        "POST /otp?redirect_to=parley%3A%2F%2Fsigned-in HTTP/1.1\r\nHost: a\r\nX-Forwarded-Prefix: /evil.example\r\n"
            + "Origin: https://evil.example\r\nReferer: https://evil.example/\r\nX-Rewrite-URL: /evil.example\r\n",
    ])
    func theMailsLinkIsTheServersOwn(_ head: String) async throws {
        for proxies in [0, 1] {
            let fixture = try await ServerFixture {
                ($0.publicAddress, $0.proxyCount) = ("https://auth.example.org", proxies)
            }
            let body = #"{"email":"ada@example.org"}"#
            let answer = try await RawConnection.answer(
                to: head + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body, port: fixture.port)
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
            #expect(!answer.contains("evil.example"), "\(answer)")
            let mail = try await fixture.mail(besides: [])
            #expect(mail.contains("\r\n\r\nhttps://auth.example.org/verify?token="), "\(mail)")
            #expect(!mail.contains("evil.example"), "\(mail)")
            await fixture.stop()
        }
    }

    /// Paths and parameters that would be something else after another decoding, or would leave the line.
    @Test(arguments: [
        ("GET /../etc/passwd", 400), ("GET /verify/../user", 400), ("GET /%2e%2e/user", 400),
        ("GET /verify/%2e%2e%2fuser", 400), ("GET /verify/..%5cuser", 400), ("GET /%252e%252e/user", 404),
        ("GET //user", 404), ("GET /user/", 404), ("GET /user%00", 400), ("GET /user%0d%0aSet-Cookie:%20a=b", 400),
        ("GET /metrics%2f..", 400), ("GET /.well-known/../user", 400), ("GET /USER", 404),
        ("GET http://evil.example/../user", 400), ("GET https://evil.example/nothing", 404),
        ("GET ftp://127.0.0.1/user", 400), ("GET evil.example:80", 400), ("DELETE /sessions/%2e%2e%2f1", 400),
        ("DELETE /sessions/1%0d%0aX:%201", 400), ("GET /verify?token=%0d%0aLocation:%20https://evil.example", 400),
        ("GET /verify?token=%3Cscript%3Ealert(1)%3C/script%3E", 400),
        ("GET /verify?token=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E", 400),
        ("POST /otp?redirect_to=parley:%0d%0aSet-Cookie:%20a=b", 400),
    ])
    func nothingIsDecodedTwiceAndNothingIsEchoed(_ line: String, _ status: Int) async throws {
        let fixture = try await ServerFixture()
        let body = line.hasPrefix("POST") ? #"{"email":"ada@example.org"}"# : ""
        let answer = try await RawConnection.answer(
            to: "\(line) HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)",
            port: fixture.port)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        for trace in ["root:", "Set-Cookie", "Location", "evil.example", "<script", "<img", "\r\nX: 1"] {
            #expect(!answer.contains(trace), "\(answer)")
        }
        #expect(try fixture.mailNames.isEmpty)
        await fixture.stop()
    }

    /// Without `--proxies`, and from more hops than there are, `X-Forwarded-For` is somebody's invention.
    @Test func aClientDoesNotChooseItsNetwork() async throws {
        for (proxies, forwarded) in [
            (0, { (number: Int) in "10.0.\(number).1" }), (1, { "10.0.\($0).1, 192.0.2.9" }),
            (2, { "10.0.\($0).1, 192.0.2.9, 198.51.100.1" }), (1, { "10.0.\($0).1,192.0.2.9" }),
        ] {
            let fixture = try await ServerFixture { $0.proxyCount = proxies }
            var statuses: [Int] = []
            for number in 0..<31 {
                let headers: HTTPHeaders = ["X-Forwarded-For": forwarded(number), "X-Real-IP": "10.1.\(number).1"]
                statuses.append(
                    try await fixture.post("/otp", ["email": "user\(number)@example.org"], headers: headers).status)
            }
            #expect(statuses.dropLast().allSatisfy { $0 == 200 } && statuses.last == 429, "\(proxies): \(statuses)")
            await fixture.stop()
        }
    }

    /// What a program calls itself is shown in a list, and is only a text there.
    @Test func aProgramsNameIsOnlyAText() async throws {
        let fixture = try await ServerFixture()
        let mail = try await fixture.askForMail()
        let name = #"<script>alert(1)</script>","is_current":false,"x":"\u{1F600}"# + String(repeating: "a", count: 200)
        let response = try await fixture.post(
            "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code],
            headers: ["User-Agent": name])
        let tokens = try JSONDecoder().decode(ServerFixture.Tokens.self, from: Data(response.body))
        let list = try await fixture.get("/sessions", token: tokens.accessToken)
        struct Row: Decodable { let device: String }
        let rows = try JSONDecoder().decode([Row].self, from: Data(list.body))
        #expect(rows.map(\.device) == [String(name.prefix(100))])
        #expect(list.headers["Content-Type"] == "application/json")
        await fixture.stop()
    }
}

// SPDX-License-Identifier: MIT

import AuthServerTestSupport
import Foundation
import Networking
import ParleyServer
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct SignInTests {
    private let fixture: ServerFixture

    init() async throws {
        fixture = try await ServerFixture()
    }

    @Test func aCodeSignsInAndItsSessionCanBeUsedAndEnded() async throws {
        let mail = try await fixture.askForMail()
        let first = try await fixture.tokens(
            "/verify", ["type": "email", "email": " Ada@Example.org", "token": mail.code])
        #expect(first.tokenType == "bearer" && first.expiresIn == 900)
        let user = try await fixture.get("/user", token: first.accessToken)
        #expect(user.status == 200)
        #expect(String(decoding: user.body, as: UTF8.self).contains(#""email":"ada@example.org""#))
        #expect(user.headers["Cache-Control"] == "no-store")
        let second = try await fixture.tokens(
            "/token?grant_type=refresh_token", ["refresh_token": first.refreshToken])
        #expect(try await fixture.get("/user", token: second.accessToken).status == 200)
        #expect(try await fixture.post("/logout?scope=local", [:], token: second.accessToken).status == 204)
        let late = try await fixture.problem("/token?grant_type=refresh_token", ["refresh_token": second.refreshToken])
        #expect(late.status == 403 && late.errorCode == "session_not_found")
        #expect(try await fixture.get("/user", token: second.accessToken).status == 403)
        await fixture.stop()
    }

    @Test func openingALinkChangesNothingAndItsButtonUsesItUp() async throws {
        let redirect = "http://127.0.0.1:4711/callback?state=a%20b"
        let mail = try await fixture.askForMail(challenge: fixture.challenge, redirect: redirect)
        for _ in 0..<3 {
            let page = try await fixture.get("/verify?token=\(mail.link)&type=magiclink")
            #expect(page.status == 200)
            #expect(page.headers["Referrer-Policy"] == "no-referrer")
            #expect(page.headers["Content-Security-Policy"]?.contains("default-src 'none'") == true)
        }
        let used = try await fixture.confirm(mail.link)
        #expect(used.status == 303)
        let location = try #require(used.headers["Location"])
        #expect(location.hasPrefix(redirect + "&code="))
        #expect(try await fixture.confirm(mail.link).status == 403)
        let code = String(location.dropFirst((redirect + "&code=").count))
        let pair = try await fixture.tokens(
            "/token?grant_type=pkce", ["auth_code": code, "code_verifier": fixture.verifier])
        #expect(try await fixture.get("/user", token: pair.accessToken).status == 200)
        let replay = try await fixture.problem(
            "/token?grant_type=pkce", ["auth_code": code, "code_verifier": fixture.verifier])
        #expect(replay.status == 404)
        await fixture.stop()
    }

    @Test func withoutARedirectThePageShowsTheCode() async throws {
        let mail = try await fixture.askForMail(challenge: fixture.challenge)
        let page = try await fixture.confirm(mail.link)
        #expect(page.status == 200)
        let text = String(decoding: page.body, as: UTF8.self)
        let code = try #require(text.firstMatch(of: /<code>([A-Za-z0-9_-]{43})<\/code>/)?.output.1)
        _ = try await fixture.tokens(
            "/token?grant_type=pkce", ["auth_code": String(code), "code_verifier": fixture.verifier])
        await fixture.stop()
    }

    @Test func aPastedLinkNeedsTheVerifierOfTheDeviceThatAsked() async throws {
        let mail = try await fixture.askForMail(challenge: fixture.challenge)
        let stolen = try await fixture.problem("/verify", ["type": "magiclink", "token_hash": mail.link])
        #expect(stolen.status == 400 && stolen.errorCode == "bad_code_verifier")
        _ = try await fixture.tokens(
            "/verify", ["type": "magiclink", "token_hash": mail.link, "code_verifier": fixture.verifier])
        await fixture.stop()
    }

    @Test func aWrongCodeTellsHowManyTriesAreLeft() async throws {
        let mail = try await fixture.askForMail()
        let wrong = mail.code == "000000" ? "000001" : "000000"
        let first = try await fixture.problem(
            "/verify", ["type": "email", "email": "ada@example.org", "token": wrong])
        #expect(first.status == 403 && first.errorCode == "otp_expired" && first.attemptsLeft == 4)
        let stranger = try await fixture.problem(
            "/verify", ["type": "email", "email": "eve@example.org", "token": wrong])
        #expect(stranger.status == 403 && stranger.errorCode == "otp_expired")
        await fixture.stop()
    }

    @Test func tooManyMailsTellWhenToComeBack() async throws {
        for _ in 0..<3 { _ = try await fixture.askForMail() }
        fixture.clock.advance(by: .milliseconds(1_500))
        let response = try await fixture.post("/otp", ["email": "ada@example.org"])
        #expect(response.status == 429)
        #expect(response.headers["Retry-After"] == "599")
        #expect(try ServerFixture.problem(response).retryAfter == 599)
        await fixture.stop()
    }

    @Test func sessionsAreListedAndRevoked() async throws {
        struct Row: Decodable {
            let id: String
            let isCurrent: Bool

            enum CodingKeys: String, CodingKey {
                case id
                case isCurrent = "is_current"
            }
        }
        var pairs: [ServerFixture.Tokens] = []
        for _ in 0..<2 {
            let mail = try await fixture.askForMail()
            pairs.append(
                try await fixture.tokens(
                    "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code]))
            fixture.clock.advance(by: .seconds(1))
        }
        let list = try await fixture.get("/sessions", token: pairs[0].accessToken)
        let rows = try JSONDecoder().decode([Row].self, from: Data(list.body))
        #expect(rows.map(\.isCurrent) == [false, true])
        let path = "/sessions/\(rows[0].id)"
        #expect(try await fixture.send(.delete, path, token: pairs[0].accessToken).status == 204)
        #expect(try await fixture.get("/user", token: pairs[1].accessToken).status == 403)
        #expect(try await fixture.send(.delete, "/sessions/nonsense", token: pairs[0].accessToken).status == 403)
        await fixture.stop()
    }

    @Test(arguments: [
        "https://evil.example/", "http://127.0.0.1.evil.example/", "http://user@127.0.0.1/", "javascript:alert(1)",
        "http://127.0.0.1/#fragment", "parley://x\r\nSet-Cookie: a=b", "//evil.example", "data:text/html,x",
        "http://localhost:80/", "https://allowed.example/other",
    ])
    func nobodyIsSentElsewhere(_ redirect: String) async throws {
        let text = try #require(redirect.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let response = try await fixture.post("/otp?redirect_to=\(text)", ["email": "ada@example.org"])
        #expect(response.status == 400)
        await fixture.stop()
    }

    @Test func theOperatorsPlacesAreAllowed() async throws {
        let fixture = try await ServerFixture { $0.redirects = ["https://allowed.example/in"] }
        let mail = try await fixture.askForMail(
            challenge: fixture.challenge, redirect: "https://allowed.example/in?a=b")
        #expect(!mail.link.isEmpty)
        await fixture.stop()
    }

    @Test(arguments: [
        "", "{", "[]", "null", #"{"email":7}"#, #"{"email":"x"}"#, #"{"email":"a@b.example","code_challenge":"short"}"#,
        #"{"email":"a@b.example\r\nBcc: c@d.example"}"#, "\u{0}",
    ])
    func aBodyThatIsNotWhatIsExpectedIsABadRequest(_ body: String) async throws {
        let response = try await fixture.send(.post, "/otp", body: Array(body.utf8))
        #expect(response.status == 400)
        _ = try ServerFixture.problem(response)
        await fixture.stop()
    }

    @Test(arguments: ["", "nonsense", "a.b.c", "eyJhbGciOiJub25lIn0.e30."]) func aTokenThatIsNoneIsUnauthorized(
        _ token: String
    )
        async throws
    {
        let response = try await fixture.get("/user", token: token)
        #expect(response.status == 401)
        #expect(response.headers["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
        await fixture.stop()
    }

    @Test func aLargeBodyIsRefused() async throws {
        let response = try await fixture.send(.post, "/otp", body: [UInt8](repeating: 0x20, count: 100_000))
        #expect(response.status == 413)
        await fixture.stop()
    }

    @Test func aNewSigningKeyTakesOverAndTheOldTokensStayGood() async throws {
        let mail = try await fixture.askForMail()
        let pair = try await fixture.tokens(
            "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code])
        let before = try await fixture.get("/.well-known/jwks.json").body
        try await ParleyServer.rotateKeys(home: fixture.home.path, clock: fixture.clock.clock)
        try await fixture.server.reloadKeys()
        let after = try await fixture.get("/.well-known/jwks.json").body
        #expect(after.count > before.count)
        #expect(try await fixture.get("/user", token: pair.accessToken).status == 200)
        fixture.clock.advance(by: .seconds(1_000))
        try await fixture.server.reloadKeys()
        #expect(try await fixture.get("/.well-known/jwks.json").body.count == before.count)
        await fixture.stop()
    }

    @Test func aSessionOutlivesTheServer() async throws {
        let mail = try await fixture.askForMail()
        let pair = try await fixture.tokens(
            "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code])
        await fixture.stop()
        let again = try await ServerFixture(home: fixture.home)
        _ = try await again.tokens("/token?grant_type=refresh_token", ["refresh_token": pair.refreshToken])
        await again.stop()
    }
}

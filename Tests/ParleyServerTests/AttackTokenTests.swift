// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Foundation
import Networking
import Security
import TestKit
import Testing

@testable import ParleyServer

/// Forged access tokens and stolen refresh tokens, over HTTP.
@Suite(.timeLimit(.minutes(5))) struct AttackTokenTests {
    private let fixture: ServerFixture

    init() async throws {
        fixture = try await ServerFixture()
    }

    private func signIn() async throws -> ServerFixture.Tokens {
        let mail = try await fixture.askForMail()
        return try await fixture.tokens(
            "/verify", ["type": "email", "email": "ada@example.org", "token": mail.code])
    }

    /// What the server says to a token; nil when it takes it.
    private func refusal(of token: String) async throws -> String? {
        let response = try await fixture.get("/user", token: token)
        if response.status == 200 { return nil }
        let problem = try ServerFixture.problem(response)
        if problem.status == 401 {
            #expect(response.headers["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
            if token.utf8.count > 40 {
                #expect(!String(decoding: response.body, as: UTF8.self).contains(token), "an answer quotes no token")
            }
        }
        return "\(problem.status) \(problem.errorCode ?? "")"
    }

    private func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The keys of the server that runs, as who has its whole folder would read them.
    private func serverKeys() async throws -> SigningKeys {
        let home = fixture.home.path
        let secrets = try await FileSecretStore.open(home + "/secrets", protection: .keyFile(home + "/secrets.key"))
        return try await ServerKeys(in: secrets).signing(at: fixture.clock.now).present
    }

    @Test func forgedAccessTokensAreRefused() async throws {
        let good = try await signIn().accessToken
        let keys = try await serverKeys()
        let parts = good.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        let published = try #require(try keys.published.first)
        let (kid, foreign) = (published.kid, try SigningKey())
        let edwards = SigningKey.ed25519(try Ed25519.PrivateKey())
        func forge(_ header: String, _ key: SigningKey) throws -> String {
            let signed = encode(header.utf8) + "." + parts[1]
            return signed + "." + encode(try key.sign(Array(signed.utf8)))
        }
        func header(_ algorithm: String, _ kid: String, _ more: String = "") -> String {
            #"{"alg":"\#(algorithm)","kid":"\#(kid)","typ":"JWT"\#(more)}"#
        }
        var forged: [String: String] = [:]
        for algorithm in [
            "none", "None", "NONE", "", "HS256", "HS512", "RS256", "EdDSA", "ES384", "ES512", "ES256K", "PS256",
            "es256",
        ] {
            forged["\(algorithm), unsigned"] = encode(header(algorithm, kid).utf8) + "." + parts[1] + "."
            forged["\(algorithm), as it was signed"] =
                encode(header(algorithm, kid).utf8) + "." + parts[1] + "." + parts[2]
            forged["\(algorithm), signed by our key"] = try forge(header(algorithm, kid), keys.current)
        }
        // The public key as a secret: the raw bytes, and the text that everybody can read.
        let confused = encode(header("HS256", kid).utf8) + "." + parts[1]
        guard case .p256(let key) = try published.key() else {
            Issue.record("a new server signs by ES256")
            return
        }
        let publicKey = key.bytes
        for (name, secret) in ["bytes": Array(publicKey), "text": Array(encode(publicKey).utf8)] {
            forged["HS256 with the public key's \(name)"] =
                confused + "." + encode(try HMACSHA256.code(for: Array(confused.utf8), key: secret))
        }
        let foreignKey = try PublishedKey(foreign.publicKey)
        let foreignJSON = String(decoding: try JSONEncoder().encode(foreignKey), as: UTF8.self)
        forged["a foreign key under our name"] = try forge(header("ES256", kid), foreign)
        forged["a key of another curve under our name"] = try forge(header("ES256", kid), edwards)
        forged["a key of another curve and its algorithm"] = try forge(header("EdDSA", kid), edwards)
        forged["a foreign key under its own name"] = try forge(header("ES256", foreignKey.kid), foreign)
        forged["a key of another curve under its own name"] = try forge(
            header("EdDSA", PublishedKey(edwards.publicKey).kid), edwards)
        forged["a foreign key in the header"] = try forge(header("ES256", "x", #","jwk":\#(foreignJSON)"#), foreign)
        forged["a foreign key at an address"] = try forge(
            header("ES256", kid, #","jku":"https://evil.example/jwks.json""#), foreign)
        forged["a path as the key's name"] = try forge(header("ES256", "../../../dev/null"), foreign)
        forged["no name"] = try forge(#"{"alg":"ES256","typ":"JWT"}"#, foreign)
        forged["a condition that nobody knows"] = try forge(header("ES256", kid, #","crit":["exp"]"#), keys.current)
        forged["a signature of zeros"] = parts[0] + "." + parts[1] + "." + encode([UInt8](repeating: 0, count: 64))
        forged["a part twice"] = "\(good).\(parts[2])"
        forged["another part twice"] = "\(parts[0]).\(good)"
        forged["all of it twice"] = "\(good).\(good)"
        forged["two tokens"] = "\(good) \(good)"
        forged["a list"] = "\(good),\(good)"
        forged["a long one"] = String(repeating: "e", count: 4_000)
        for length in stride(from: 1, to: good.utf8.count, by: 23) {
            forged["its first \(length) characters"] = String(good.prefix(length))
        }
        #expect(try await refusal(of: good) == nil)
        for (name, token) in forged { #expect(try await refusal(of: token) == "401 bad_jwt", "\(name)") }
        // Somebody without a token, or with another scheme, is told how, and no more.
        for value in ["", "Basic YTpi", good] {
            let response = try await fixture.send(.get, "/user", headers: ["Authorization": value])
            #expect(response.status == 401 && response.headers["WWW-Authenticate"] == "Bearer")
        }
        #expect(try await refusal(of: good) == nil, "none of it has harmed the session")
        await fixture.stop()
    }

    @Test func tokensOfOtherTimesAndPlacesAreRefused() async throws {
        let good = try await signIn().accessToken
        let keys = try await serverKeys()
        let now = fixture.clock.now.seconds
        let part = good.split(separator: ".")[1].replacing("-", with: "+").replacing("_", with: "/")
        let body = try #require(Data(base64Encoded: padded(String(part))))
        let claims = try JSONDecoder().decode(AccessClaims.self, from: body)
        func token(
            issuer: String? = nil, audience: String? = nil, from: Int64 = 0, until: Int64 = 900, session: String? = nil,
            subject: String? = nil
        ) throws -> String {
            try AccessTokenFormat.sign(
                AccessClaims(
                    issuer: issuer ?? claims.issuer, subject: subject ?? claims.subject,
                    audience: audience ?? claims.audience, issuedAt: now + from, expiresAt: now + until,
                    session: session ?? claims.session, email: claims.email, role: claims.role), with: keys)
        }
        #expect(try await refusal(of: token()) == nil, "what this test signs is good where nothing is wrong with it")
        let refused = "401 bad_jwt"
        #expect(try await refusal(of: token(from: -1_000, until: -100)) == refused, "expired")
        #expect(try await refusal(of: token(from: -900, until: 0)) == refused, "expires now")
        #expect(try await refusal(of: token(from: 600, until: 1_500)) == refused, "from the future")
        #expect(try await refusal(of: token(from: 3, until: 903)) == refused, "from the future")
        #expect(try await refusal(of: token(from: 2, until: 902)) == nil, "by an instance whose clock is ahead")
        #expect(try await refusal(of: token(until: .max - now)) == refused, "without end")
        #expect(try await refusal(of: token(issuer: "https://evil.example")) == refused, "another issuer's")
        #expect(try await refusal(of: token(audience: "service_role")) == refused, "for another audience")
        let ended = "403 session_not_found"
        #expect(try await refusal(of: token(session: "00000000-0000-4000-8000-000000000000")) == ended)
        #expect(try await refusal(of: token(subject: "00000000-0000-4000-8000-000000000000")) == ended)
        fixture.clock.advance(by: .seconds(900))
        #expect(try await refusal(of: good) == refused, "the real one, when its time is over")
        await fixture.stop()
    }

    /// A thief who comes first gets a pair; when the owner shows the token, both are out.
    @Test func aStolenRefreshTokenEndsTheFamily() async throws {
        let owner = try await signIn()
        let refresh = { (token: String) in
            try await self.fixture.post("/token?grant_type=refresh_token", ["refresh_token": token])
        }
        let thief = try await fixture.tokens(
            "/token?grant_type=refresh_token", ["refresh_token": owner.refreshToken])
        #expect(try await refusal(of: thief.accessToken) == nil)
        fixture.clock.advance(by: .seconds(11))
        let reused = try ServerFixture.problem(await refresh(owner.refreshToken))
        #expect(reused.status == 400 && reused.errorCode == "refresh_token_already_used")
        for token in [thief.refreshToken, owner.refreshToken] {
            let late = try ServerFixture.problem(await refresh(token))
            #expect(late.status == 403 && late.errorCode == "session_not_found")
        }
        for token in [thief.accessToken, owner.accessToken] {
            #expect(try await refusal(of: token) == "403 session_not_found")
        }
        await fixture.stop()
    }

    private func padded(_ text: String) -> String {
        text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }
}

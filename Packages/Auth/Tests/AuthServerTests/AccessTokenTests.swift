// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import FoundationEssentials
import Security
import Testing

@Suite(.timeLimit(.minutes(1))) struct AccessTokenTests {
    private let fixture: ServiceFixture

    init() throws {
        fixture = try ServiceFixture()
    }

    private func check(_ token: String) async -> AuthServerError.Code? {
        await fixture.refusal { try await fixture.service.account(accessToken: token) }?.code
    }

    private func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private func decode(_ text: String) throws -> Data {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        return try #require(
            Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)))
    }

    /// A token with these parts, signed by a key.
    private func forge(_ header: String, _ body: Data, _ key: Ed25519.PrivateKey) throws -> String {
        let signed = encode(header.utf8) + "." + encode(body)
        return signed + "." + encode(try key.sign(Array(signed.utf8)))
    }

    @Test func theHeaderNamesThePublishedKey() async throws {
        let pair = try await fixture.signIn()
        let header = try decode(String(pair.accessToken.split(separator: ".")[0]))
        let kid = try fixture.keys.published[0].kid
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"EdDSA","kid":"\#(kid)","typ":"JWT"}"#)
    }

    /// RFC 8037 appendix A.3.
    @Test func theThumbprintIsThatOfTheStandardsExample() throws {
        let key = try Ed25519.PublicKey(decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))
        #expect(try PublishedKey(key).kid == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }

    @Test func aTokenOfARetiredKeyIsGoodUntilTheKeyIsForgotten() async throws {
        let pair = try await fixture.signIn()
        try fixture.rotateKeys()
        #expect(await check(pair.accessToken) == nil)
        let next = try await fixture.service.refresh(pair.refreshToken, from: fixture.prefix)
        fixture.forgetRetiredKeys()
        #expect(await check(pair.accessToken) == .badAccessToken)
        #expect(await check(next.accessToken) == nil)
    }

    @Test func expiredAndFutureTokensAreRefused() async throws {
        let pair = try await fixture.signIn()
        fixture.clock.advance(by: .seconds(899))
        #expect(await check(pair.accessToken) == nil)
        fixture.clock.advance(by: .seconds(1))
        #expect(await check(pair.accessToken) == .badAccessToken)
        fixture.clock.advance(by: .seconds(-901))
        #expect(await check(pair.accessToken) == .badAccessToken)
    }

    @Test func theAlgorithmIsNotTheTokensChoice() async throws {
        let pair = try await fixture.signIn()
        let parts = pair.accessToken.split(separator: ".").map(String.init)
        let body = try decode(parts[1])
        let key = fixture.keys.current
        let published = try fixture.keys.published[0]
        let kid = published.kid
        #expect(await check(try forge(#"{"alg":"EdDSA","kid":"\#(kid)","typ":"JWT"}"#, body, key)) == nil)
        for algorithm in ["none", "None", "HS256", "ES256", "RS256", "Ed25519", "eddsa", ""] {
            let header = #"{"alg":"\#(algorithm)","kid":"\#(kid)","typ":"JWT"}"#
            #expect(await check(try forge(header, body, key)) == .badAccessToken, "\(algorithm)")
            #expect(await check(encode(header.utf8) + "." + parts[1] + ".") == .badAccessToken, "\(algorithm)")
        }
        // The public key as the secret of an HMAC, the classic confusion.
        let header = encode(#"{"alg":"HS256","kid":"\#(kid)","typ":"JWT"}"#.utf8)
        let code = try HMACSHA256.code(
            for: Array((header + "." + parts[1]).utf8), key: try published.key().bytes)
        #expect(await check(header + "." + parts[1] + "." + encode(code)) == .badAccessToken)
    }

    @Test func aTokenOfAForeignKeyIsRefused() async throws {
        let pair = try await fixture.signIn()
        let body = try decode(String(pair.accessToken.split(separator: ".")[1]))
        let foreign = try Ed25519.PrivateKey()
        let kid = try fixture.keys.published[0].kid
        let headers = [
            #"{"alg":"EdDSA","kid":"\#(kid)","typ":"JWT"}"#,
            #"{"alg":"EdDSA","kid":"\#(try PublishedKey(foreign.publicKey).kid)","typ":"JWT"}"#,
            #"{"alg":"EdDSA","typ":"JWT","jwk":{"kty":"OKP","crv":"Ed25519","x":"\#(encode(foreign.publicKey.bytes))"}}"#,
        ]
        for header in headers { #expect(await check(try forge(header, body, foreign)) == .badAccessToken) }
        let critical = #"{"alg":"EdDSA","kid":"\#(kid)","typ":"JWT","crit":["exp"]}"#
        #expect(await check(try forge(critical, body, fixture.keys.current)) == .badAccessToken)
    }

    @Test func aTokenForSomebodyElseIsRefused() async throws {
        let pair = try await fixture.signIn()
        let body = try decode(String(pair.accessToken.split(separator: ".")[1]))
        let claims = try JSONDecoder().decode(AccessClaims.self, from: body)
        let other = { (issuer: String, audience: String, session: String, subject: String, expiry: Int64) in
            try AccessTokenFormat.sign(
                AccessClaims(
                    issuer: issuer, subject: subject, audience: audience, issuedAt: claims.issuedAt, expiresAt: expiry,
                    session: session, email: claims.email, role: claims.role), with: self.fixture.keys)
        }
        let (i, a, s, u, e) = (claims.issuer, claims.audience, claims.session, claims.subject, claims.expiresAt)
        #expect(await check(try other(i, a, s, u, e)) == nil)
        #expect(await check(try other("https://evil.example", a, s, u, e)) == .badAccessToken)
        #expect(await check(try other(i, "service", s, u, e)) == .badAccessToken)
        #expect(await check(try other(i, a, "no-session", u, e)) == .sessionEnded)
        #expect(await check(try other(i, a, s, "somebody", e)) == .sessionEnded)
        #expect(await check(try other(i, a, s, u, .max)) == .badAccessToken)
        #expect(await check(try other(i, a, s, u, .min)) == .badAccessToken)
    }

    @Test func aChangedCharacterAnywhereIsRefused() async throws {
        let token = try await fixture.signIn().accessToken
        let characters = Array(token)
        for index in characters.indices {
            for other in ["A", "B", ".", "="] where other != String(characters[index]) {
                var changed = characters
                changed[index] = Character(other)
                #expect(await check(String(changed)) == .badAccessToken, "\(other) at \(index)")
            }
        }
        for text in ["", ".", "..", "...", token + ".", "." + token, token + "A", String(repeating: "e", count: 9_999)]
        {
            #expect(await check(text) == .badAccessToken)
        }
    }
}

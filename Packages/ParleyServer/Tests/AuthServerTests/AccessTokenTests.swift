// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import FoundationEssentials
import Security
import Testing

@Suite(.timeLimit(.minutes(5))) struct AccessTokenTests {
    private let fixture: ServiceFixture

    init() throws {
        fixture = try ServiceFixture()
    }

    /// Both kinds of keys.
    private static func fixtures() throws -> [ServiceFixture] {
        [try ServiceFixture(), try ServiceFixture(signing: .ed25519(Ed25519.PrivateKey()))]
    }

    private func check(_ token: String, _ other: ServiceFixture? = nil) async -> AuthServerError.Code? {
        let fixture = other ?? fixture
        return await fixture.refusal { try await fixture.service.account(accessToken: token) }?.code
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
    private func forge(_ header: String, _ body: Data, _ key: SigningKey) throws -> String {
        let signed = encode(header.utf8) + "." + encode(body)
        return signed + "." + encode(try key.sign(Array(signed.utf8)))
    }

    @Test func `the header names the published key`() async throws {
        for (fixture, algorithm) in zip(try Self.fixtures(), ["ES256", "EdDSA"]) {
            let pair = try await fixture.signIn()
            let header = try decode(String(pair.accessToken.split(separator: ".")[0]))
            let kid = try fixture.keys.published[0].kid
            #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"\#(algorithm)","kid":"\#(kid)","typ":"JWT"}"#)
            #expect(try fixture.keys.published[0].key() == fixture.keys.current.publicKey)
        }
    }

    @Test func `an Ed25519 key's tokens outlive the rotation to ES256`() async throws {
        let fixture = try ServiceFixture(signing: .ed25519(Ed25519.PrivateKey()))
        let pair = try await fixture.signIn()
        try fixture.rotateKeys()
        #expect(await check(pair.accessToken, fixture) == nil)
        let next = try await fixture.service.refresh(pair.refreshToken, from: fixture.prefix)
        #expect(await check(next.accessToken, fixture) == nil)
        #expect(try fixture.keys.published.map(\.alg) == ["ES256", "EdDSA"])
        // With both kinds published, neither's algorithm passes under the other's name.
        let body = try decode(String(pair.accessToken.split(separator: ".")[1]))
        let (new, old) = (try fixture.keys.published[0], try fixture.keys.published[1])
        for (algorithm, kid) in [("EdDSA", new.kid), ("ES256", old.kid)] {
            let header = #"{"alg":"\#(algorithm)","kid":"\#(kid)","typ":"JWT"}"#
            #expect(await check(try forge(header, body, fixture.keys.current), fixture) == .badAccessToken)
        }
    }

    /// RFC 8037 appendix A.3.
    @Test func theThumbprintIsThatOfTheStandardsExample() throws {
        let key = try Ed25519.PublicKey(decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))
        #expect(try PublishedKey(.ed25519(key)).kid == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }

    /// The key of RFC 7517 appendix A.1; its thumbprint by Python's hashlib, over the members that RFC 7638 §3.2 names.
    @Test func `the thumbprint of a P-256 key has its four members`() throws {
        let key = try P256.PublicKey(
            decode("MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4")
                + decode("4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"))
        let published = try PublishedKey(.p256(key))
        #expect(published.kid == "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s")
        #expect(published.kty == "EC" && published.crv == "P-256" && published.alg == "ES256")
    }

    @Test func `a key of mixed kinds is no key`() throws {
        let (p256, ed25519) = (
            try PublishedKey(SigningKey().publicKey), try PublishedKey(.ed25519(Ed25519.PrivateKey().publicKey))
        )
        let valid = try [p256, ed25519].map { try JSONEncoder().encode($0) }
        for (json, changes) in zip(valid, [["ES256": "EdDSA", "P-256": "P-384", "EC": "OKP"], ["EdDSA": "ES256"]]) {
            _ = try JSONDecoder().decode(PublishedKey.self, from: json).key()
            for (old, new) in changes {
                let text = String(decoding: json, as: UTF8.self).replacing(old, with: new)
                let key = try JSONDecoder().decode(PublishedKey.self, from: Data(text.utf8))
                #expect(throws: AuthServerError.self, "\(text)") { try key.key() }
            }
        }
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
        // Another instance's clock may have been ahead by two seconds.
        fixture.clock.advance(by: .seconds(-902))
        #expect(await check(pair.accessToken) == nil)
        fixture.clock.advance(by: .seconds(-1))
        #expect(await check(pair.accessToken) == .badAccessToken)
    }

    @Test func theAlgorithmIsNotTheTokensChoice() async throws {
        for fixture in try Self.fixtures() {
            let pair = try await fixture.signIn()
            let parts = pair.accessToken.split(separator: ".").map(String.init)
            let body = try decode(parts[1])
            let key = fixture.keys.current
            let published = try fixture.keys.published[0]
            let kid = published.kid
            #expect(
                await check(try forge(#"{"alg":"\#(published.alg)","kid":"\#(kid)","typ":"JWT"}"#, body, key), fixture)
                    == nil)
            let others = [
                "none", "None", "HS256", "ES384", "ES256K", "RS256", "Ed25519", "eddsa", "es256", "", "ES256", "EdDSA",
            ]
            for algorithm in others where algorithm != published.alg {
                let header = #"{"alg":"\#(algorithm)","kid":"\#(kid)","typ":"JWT"}"#
                #expect(await check(try forge(header, body, key), fixture) == .badAccessToken, "\(algorithm)")
                #expect(
                    await check(encode(header.utf8) + "." + parts[1] + ".", fixture) == .badAccessToken, "\(algorithm)")
            }
            // The public key as the secret of an HMAC, the classic confusion.
            let header = encode(#"{"alg":"HS256","kid":"\#(kid)","typ":"JWT"}"#.utf8)
            let secret: [UInt8] =
                switch try published.key() {
                case .p256(let key): key.bytes
                case .ed25519(let key): key.bytes
                }
            let code = try HMACSHA256.code(for: Array((header + "." + parts[1]).utf8), key: secret)
            #expect(await check(header + "." + parts[1] + "." + encode(code), fixture) == .badAccessToken)
        }
    }

    @Test func `an ES256 signature is r and s alone`() async throws {
        let token = try await fixture.signIn().accessToken
        let parts = token.split(separator: ".").map(String.init)
        let signed = parts[0] + "." + parts[1]
        let raw = Array(try decode(parts[2]))
        let (r, s) = (Array(raw.prefix(32)), Array(raw.suffix(32)))
        // The group's order, for numbers that are equal to right ones modulo it, or to zero.
        let order = Array(try decode("_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE"))
        let zero = [UInt8](repeating: 0, count: 32)
        func integer(_ bytes: [UInt8]) -> [UInt8] {
            let stripped = Array(bytes.drop { $0 == 0 })
            let content = (stripped.first ?? 0x80) >= 0x80 ? [0] + stripped : stripped
            return [0x02, UInt8(content.count)] + content
        }
        let sequence = integer(r) + integer(s)
        let forged: [String: [UInt8]] = [
            "DER": [0x30, UInt8(sequence.count)] + sequence, "zeros": zero + zero, "r zero": zero + s,
            "s zero": r + zero,
            "the order": order + order, "s the order": r + order, "swapped": s + r, "short": Array(raw.dropLast()),
            "without the first": Array(raw.dropFirst()), "long": raw + [0], "padded": [0] + raw, "r alone": r,
            "padded for P-384": [UInt8](repeating: 0, count: 16) + r + [UInt8](repeating: 0, count: 16) + s,
            "nothing": [], "all ones": [UInt8](repeating: 0xFF, count: 64),
        ]
        #expect(await check(signed + "." + encode(raw)) == nil)
        for (name, signature) in forged {
            #expect(await check(signed + "." + encode(signature)) == .badAccessToken, "\(name)")
        }
    }

    @Test func aTokenOfAForeignKeyIsRefused() async throws {
        let pair = try await fixture.signIn()
        let body = try decode(String(pair.accessToken.split(separator: ".")[1]))
        let kid = try fixture.keys.published[0].kid
        for foreign in [try SigningKey(), .ed25519(try Ed25519.PrivateKey())] {
            let published = try PublishedKey(foreign.publicKey)
            let jwk = String(decoding: try JSONEncoder().encode(published), as: UTF8.self)
            let headers = [
                #"{"alg":"ES256","kid":"\#(kid)","typ":"JWT"}"#, #"{"alg":"EdDSA","kid":"\#(kid)","typ":"JWT"}"#,
                #"{"alg":"\#(published.alg)","kid":"\#(published.kid)","typ":"JWT"}"#,
                #"{"alg":"\#(published.alg)","typ":"JWT","jwk":\#(jwk)}"#,
                #"{"alg":"\#(published.alg)","kid":"\#(published.kid)","typ":"JWT","jwk":\#(jwk)}"#,
            ]
            for header in headers { #expect(await check(try forge(header, body, foreign)) == .badAccessToken) }
        }
        let critical = #"{"alg":"ES256","kid":"\#(kid)","typ":"JWT","crit":["exp"]}"#
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

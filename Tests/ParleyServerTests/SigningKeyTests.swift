// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Foundation
import Security
import TestKit
import Testing

@testable import ParleyServer

/// Servers that were set up before ES256 go on with their key, and take a new one by the rotation that they know.
@Suite(.timeLimit(.minutes(5))) struct SigningKeyTests {
    /// A home whose secrets are those of an earlier version.
    private func oldHome() async throws -> TemporaryFolder {
        let home = try TemporaryFolder()
        let secrets = try await FileSecretStore.open(
            home.path + "/secrets", protection: .keyFile(home.path + "/secrets.key"))
        let key = try Ed25519.PrivateKey().withUnsafeBytes { Data($0) }.base64EncodedString()
        try await secrets.set(
            Sensitive(Array(#"{"current":"\#(key)","retired":[]}"#.utf8)),
            for: SecretName(service: "parley-server", account: "signing"))
        return home
    }

    private func algorithm(_ token: String) throws -> String {
        struct Header: Decodable { let alg: String }
        let part = String(token.prefix { $0 != "." }).replacing("-", with: "+").replacing("_", with: "/")
        let padded = part + String(repeating: "=", count: (4 - part.utf8.count % 4) % 4)
        let header = try #require(Data(base64Encoded: padded))
        return try JSONDecoder().decode(Header.self, from: header).alg
    }

    private func signIn(_ fixture: ServerFixture) async throws -> ServerFixture.Tokens {
        let mail = try await fixture.askForMail()
        return try await fixture.tokens("/verify", ["type": "email", "email": "ada@example.org", "token": mail.code])
    }

    @Test func `sessions outlive the rotation from Ed25519 to ES256`() async throws {
        let fixture = try await ServerFixture(home: oldHome())
        let old = try await signIn(fixture)
        #expect(try algorithm(old.accessToken) == "EdDSA", "an update changes no key by itself")
        try await ParleyServer.rotateKeys(home: fixture.home.path, clock: fixture.clock.clock)
        try await fixture.server.reloadKeys()
        #expect(try await fixture.get("/user", token: old.accessToken).status == 200)
        let new = try await fixture.tokens("/token?grant_type=refresh_token", ["refresh_token": old.refreshToken])
        #expect(try algorithm(new.accessToken) == "ES256")
        for token in [old.accessToken, new.accessToken] {
            #expect(try await fixture.get("/user", token: token).status == 200)
        }
        fixture.clock.advance(by: .seconds(961))
        try await fixture.server.reloadKeys()
        let keys = String(decoding: try await fixture.get("/.well-known/jwks.json").body, as: UTF8.self)
        #expect(keys.contains(#""alg":"ES256""#) && !keys.contains("EdDSA"), "\(keys)")
        _ = try await fixture.tokens("/token?grant_type=refresh_token", ["refresh_token": new.refreshToken])
        await fixture.stop()
    }

    @Test func `a rotation is kept over a restart, both keys`() async throws {
        let secrets = try await oldHome()
        let keys = { (time: Int64) in
            let store = try await FileSecretStore.open(
                secrets.path + "/secrets", protection: .keyFile(secrets.path + "/secrets.key"))
            let now = AuthTime(milliseconds: time)
            return try await ServerKeys(in: store).signing(at: now).present.published.map(\.alg)
        }
        let clock = VirtualAuthClock(at: AuthTime(milliseconds: 0))
        #expect(try await keys(0) == ["EdDSA"])
        for wanted in [["ES256", "EdDSA"], ["ES256", "ES256", "EdDSA"]] {
            try await ParleyServer.rotateKeys(home: secrets.path, clock: clock.clock)
            #expect(try await keys(0) == wanted)
        }
        // Two at once would store their new keys over each other.
        let other = try HomeLock(secrets.path, for: .keys)
        await #expect(throws: ServerSetupError.homeHasCommand(secrets.path)) {
            try await ParleyServer.rotateKeys(home: secrets.path, clock: clock.clock)
        }
        other.release()
        #expect(try await keys(16 * 60_000) == ["ES256"])
    }

    @Test func `a new server signs by ES256`() async throws {
        let fixture = try await ServerFixture()
        #expect(try algorithm(await signIn(fixture).accessToken) == "ES256")
        await fixture.stop()
    }
}

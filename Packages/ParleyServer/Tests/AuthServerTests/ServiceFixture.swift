// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import FoundationEssentials
import Security
import Testing

/// A service over a store in memory, with a clock that the test moves.
final class ServiceFixture: Sendable {
    let service: AuthService
    let store = InMemoryAuthStore()
    let clock = VirtualAuthClock()
    let mailer: CollectingMailer
    private let signing: HeldKeys<SigningKeys>
    /// The keys of codes and refresh tokens.
    let authKeys: HeldKeys<AuthKeys>
    let address: EmailAddress
    let prefix = NetworkPrefix(address: "192.0.2.7")
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    /// Of the verifier: RFC 7636 appendix B.
    let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    init(
        _ policy: AuthPolicy = AuthPolicy(), mailer: CollectingMailer = CollectingMailer(),
        signing current: SigningKey? = nil, hook: (any AuthHook)? = nil
    ) throws {
        self.mailer = mailer
        address = try EmailAddress("ada@example.org")
        let signing = HeldKeys(SigningKeys(current: try current ?? SigningKey()))
        self.signing = signing
        let authKeys = HeldKeys(try AuthKeys(root: SymmetricKey()))
        self.authKeys = authKeys
        service = AuthService(
            store: store, mailer: mailer, keys: { authKeys.keys },
            signing: { signing.keys }, issuer: "https://auth.example.org", policy: policy,
            clock: clock.clock, hook: hook)
    }

    /// Asks for a mail and reads it.
    func mail(
        _ address: EmailAddress? = nil, challenge: String? = nil, from prefix: NetworkPrefix? = nil
    ) async throws -> (token: String, code: String?, recipient: EmailAddress?) {
        try await service.requestSignIn(
            SignInRequest(
                address: address ?? self.address, prefix: prefix ?? self.prefix, challenge: challenge,
                redirect: "parley://signed-in"))
        let mail = try #require(mailer.mails.last)
        return (mail.token.withExposed { $0 }, mail.code?.withExposed { $0 }, mail.recipient)
    }

    /// Signs in by a code.
    func signIn(device: String = "parley") async throws -> TokenPair {
        let mail = try await mail()
        return try await service.verify(code: try #require(mail.code), of: address, from: prefix, device: device)
    }

    /// Lets a new key take over.
    func rotateKeys() throws {
        let next = try SigningKey()
        signing.keys = signing.keys.rotated(to: next)
    }

    /// Forgets the keys that sign no more.
    func forgetRetiredKeys() {
        signing.keys = SigningKeys(current: signing.keys.current)
    }

    /// The keys of the moment.
    var keys: SigningKeys { signing.keys }

    /// The code with which an operation is turned down; nil if it is not.
    func refusal(_ operation: () async throws -> some Any) async -> AuthServerError? {
        do {
            _ = try await operation()
            return nil
        } catch {
            return error as? AuthServerError
        }
    }

    /// A code that is not the one of the mail.
    func wrong(_ code: String?) -> String { code == "000000" ? "000001" : "000000" }
}

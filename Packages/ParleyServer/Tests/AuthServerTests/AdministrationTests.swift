// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import FoundationEssentials
import Security
import Testing

/// What an operator does to accounts.
@Suite(.timeLimit(.minutes(5))) struct AdministrationTests {
    private let fixture: ServiceFixture
    private var service: AuthService { fixture.service }

    init() throws { fixture = try ServiceFixture() }

    private func code(_ operation: () async throws -> some Any) async -> AuthServerError.Code? {
        await fixture.refusal(operation)?.code
    }

    @Test func `a block ends sessions, and refuses sign-ins and refreshes`() async throws {
        let pair = try await fixture.signIn()
        let blocked = try await service.change(account: pair.account.id, block: .for(.seconds(3_600)))
        #expect(blocked.bannedUntil == fixture.clock.now + .seconds(3_600))
        #expect(await code { try await service.account(accessToken: pair.accessToken) } == .userBanned)
        #expect(await code { try await service.refresh(pair.refreshToken, from: fixture.prefix) } == .userBanned)
        #expect(await code { try await fixture.signIn() } == .userBanned)
        let link = try await fixture.mail(challenge: fixture.challenge).token
        #expect(await code { try await service.confirm(link: link, from: fixture.prefix) } == .userBanned)
        #expect(try await service.sessions(of: pair.account.id) == [])
    }

    @Test func `a stranger does not learn of a block`() async throws {
        let pair = try await fixture.signIn()
        fixture.clock.advance(by: .seconds(3_600))
        let open = try await fixture.mail()
        let wrong = fixture.wrong(open.code)
        let before = await fixture.refusal {
            try await service.verify(code: wrong, of: fixture.address, from: fixture.prefix, device: "")
        }
        _ = try await service.change(account: pair.account.id, block: .forever)
        fixture.clock.advance(by: .seconds(3_600))
        _ = try await fixture.mail()
        let after = await fixture.refusal {
            try await service.verify(code: wrong, of: fixture.address, from: fixture.prefix, device: "")
        }
        #expect(before?.code == .proofRefused && before == after)
    }

    @Test func `a block ends by itself or by the operator`() async throws {
        let id = try await fixture.signIn().account.id
        _ = try await service.change(account: id, block: .for(.seconds(3_600)))
        fixture.clock.advance(by: .seconds(3_600))
        _ = try await fixture.signIn()
        _ = try await service.change(account: id, block: .forever)
        #expect(await code { try await fixture.signIn() } == .userBanned)
        let free = try await service.change(account: id, block: .lifted)
        #expect(free.bannedUntil == nil)
        _ = try await fixture.signIn()
    }

    @Test func `a code from before a block does not outlive it`() async throws {
        let id = try await fixture.signIn().account.id
        let link = try await fixture.mail(challenge: fixture.challenge).token
        let code = try await service.confirm(link: link, from: fixture.prefix).code
        _ = try await service.change(account: id, block: .forever)
        #expect(
            await self.code {
                try await service.exchange(
                    authorizationCode: code, verifier: fixture.verifier, from: fixture.prefix, device: "")
            } == .userBanned)
    }

    @Test func `an invited person signs in where nobody signs up`() async throws {
        var policy = AuthPolicy()
        policy.allowsSignUp = false
        let fixture = try ServiceFixture(policy)
        // A stranger has asked before, in vain.
        let stranger = try await fixture.mail()
        #expect(stranger.recipient == nil)
        let invited = try await fixture.service.invite(
            fixture.address, metadata: AccountMetadata(json: Array(#"{"a":1}"#.utf8)))
        #expect(invited.confirmedAt == nil && invited.invitedAt == fixture.clock.now)
        let mail = try #require(fixture.mailer.mails.last)
        #expect(mail.kind == .invitation && mail.recipient == fixture.address)
        let pair = try await fixture.service.verify(
            code: try #require(mail.code?.withExposed { $0 }), of: fixture.address, from: fixture.prefix, device: "")
        #expect(pair.account.id == invited.id && pair.account.confirmedAt == fixture.clock.now)
        #expect(pair.account.metadata == invited.metadata)
        let again = await fixture.refusal { try await fixture.service.invite(fixture.address) }
        #expect(again?.code == .emailExists)
    }

    @Test func `an invitation is repeated until somebody signs in`() async throws {
        let first = try await service.invite(fixture.address)
        let second = try await service.invite(fixture.address)
        #expect(first.id == second.id && fixture.mailer.mails.count == 2)
        let link = try #require(fixture.mailer.mails.first).token.withExposed { $0 }
        let pair = try await service.verify(link: link, verifier: nil, from: fixture.prefix, device: "")
        #expect(pair.account.id == first.id)
    }

    @Test func `an account is made, found, signed out and deleted`() async throws {
        let made = try await service.create(fixture.address, isConfirmed: true)
        #expect(made.confirmedAt == fixture.clock.now)
        #expect(await code { try await service.create(fixture.address) } == .emailExists)
        let (found, total) = try await service.accounts(matching: "ADA@", offset: 0, limit: 10)
        #expect(found == [made] && total == 1)
        let pair = try await fixture.signIn()
        #expect(pair.account.id == made.id)
        _ = try await fixture.signIn()
        #expect(try await service.signOut(account: made.id) == 2)
        #expect(try await service.signOut(account: made.id) == 0)
        #expect(await code { try await service.account(accessToken: pair.accessToken) } == .sessionEnded)
        let erasure = try await service.erase(account: made.id, id: "r") { _ in ["results": 3] }
        #expect(erasure.counts == ["results": 3, "sessions": 2])
        let repeated = try await service.erase(account: made.id, id: "s") { _ in [:] }
        #expect(repeated == erasure)
        #expect(await code { try await service.account(id: made.id) } == .userNotFound)
        #expect(await code { try await service.erase(account: "nobody", id: "t") { _ in [:] } } == .userNotFound)
    }

    @Test func `a service token is no access token, nor the reverse`() async throws {
        let pair = try await fixture.signIn()
        let now = fixture.clock.now
        let (token, claims) = try ServiceToken.issue(lifetime: .seconds(60), at: now, with: fixture.keys)
        let keys = try fixture.keys.published
        #expect(try ServiceToken.verify(token, keys: keys, at: now) == claims)
        #expect(await code { try ServiceToken.verify(pair.accessToken, keys: keys, at: now) } == .notAdmin)
        #expect(await code { try await service.account(accessToken: token) } == .badAccessToken)
        #expect(
            await code { try ServiceToken.verify(token, keys: keys, at: now + .seconds(61)) } == .badAccessToken)
        let forged = token.dropLast(8) + "AAAAAAAA"
        #expect(await code { try ServiceToken.verify(String(forged), keys: keys, at: now) } == .badAccessToken)
        try fixture.rotateKeys()
        #expect(try ServiceToken.verify(token, keys: fixture.keys.published, at: now) == claims)
        fixture.forgetRetiredKeys()
        let later = try fixture.keys.published
        #expect(await code { try ServiceToken.verify(token, keys: later, at: now) } == .badAccessToken)
    }
}

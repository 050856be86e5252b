// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Security
import Testing

@Suite(.timeLimit(.minutes(5))) struct SessionTests {
    private let fixture: ServiceFixture
    private var service: AuthService { fixture.service }

    init() throws {
        fixture = try ServiceFixture()
    }

    private func refresh(_ token: String) async -> AuthServerError? {
        await fixture.refusal { try await service.refresh(token, from: fixture.prefix) }
    }

    @Test func aPairNamesItsAccountAndLastsAQuarterOfAnHour() async throws {
        let pair = try await fixture.signIn(device: "parley 1.0 on “lap\u{7}top”")
        #expect(pair.expiresAt - fixture.clock.now == .seconds(900))
        let (account, session) = try await service.account(accessToken: pair.accessToken)
        #expect(account == pair.account)
        #expect(session.device == "parley 1.0 on “laptop”")
        let again = try await fixture.signIn()
        #expect(again.account == account)
        #expect(again.session != pair.session)
    }

    @Test func aRefreshTokenIsExchangedForTheNext() async throws {
        var pair = try await fixture.signIn()
        for _ in 0..<5 {
            fixture.clock.advance(by: .seconds(900))
            #expect(await fixture.refusal { try await service.account(accessToken: pair.accessToken) } != nil)
            let next = try await service.refresh(pair.refreshToken, from: fixture.prefix)
            #expect(next.refreshToken != pair.refreshToken)
            #expect(next.session == pair.session)
            _ = try await service.account(accessToken: next.accessToken)
            pair = next
        }
    }

    @Test func anOldTokenEndsTheSessionOfBothWhoHaveIt() async throws {
        let stolen = try await fixture.signIn()
        let other = try await fixture.signIn()
        let mine = try await service.refresh(stolen.refreshToken, from: fixture.prefix)
        _ = try await service.account(accessToken: mine.accessToken)
        fixture.clock.advance(by: .seconds(10) + .milliseconds(1))
        #expect(await refresh(stolen.refreshToken)?.code == .refreshTokenReused)
        #expect(await refresh(mine.refreshToken)?.code == .sessionEnded)
        let late = await fixture.refusal { try await service.account(accessToken: mine.accessToken) }
        #expect(late?.code == .sessionEnded)
        _ = try await service.account(accessToken: other.accessToken)
    }

    @Test func theTokenBeforeTheLastIsOldAtOnce() async throws {
        let first = try await fixture.signIn()
        let second = try await service.refresh(first.refreshToken, from: fixture.prefix)
        let third = try await service.refresh(second.refreshToken, from: fixture.prefix)
        #expect(await refresh(first.refreshToken)?.code == .refreshTokenReused)
        #expect(await refresh(third.refreshToken)?.code == .sessionEnded)
    }

    @Test func aThousandProgramsThatRefreshAtOnceGetOneToken() async throws {
        let pair = try await fixture.signIn()
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<1_000 {
                group.addTask { [service, fixture] in
                    try await service.refresh(pair.refreshToken, from: fixture.prefix).refreshToken
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
    }

    @Test func anotherTextThanOursIsNoRefreshToken() async throws {
        let pair = try await fixture.signIn()
        let parts = pair.refreshToken.split(separator: ".").map(String.init)
        let forgeries = [
            "", "..", pair.accessToken, pair.refreshToken + "A", pair.refreshToken + "=", " " + pair.refreshToken,
            [parts[0], "1", parts[2]].joined(separator: "."), [parts[0], "00", parts[2]].joined(separator: "."),
            [parts[0], "-1", parts[2]].joined(separator: "."), [parts[0], "+0", parts[2]].joined(separator: "."),
            [parts[0].uppercased() + "", parts[1], String(parts[2].reversed())].joined(separator: "."),
            String(repeating: "a", count: 100_000),
        ]
        for forgery in forgeries {
            #expect(await refresh(forgery)?.code == .refreshTokenUnknown, "\(forgery.prefix(60))")
        }
        #expect(await refresh(pair.refreshToken) == nil, "no forgery has ended the session")
    }

    @Test func aSessionThatIsNotUsedForThirtyDaysEnds() async throws {
        let pair = try await fixture.signIn()
        fixture.clock.advance(by: .seconds(30 * 86_400) - .milliseconds(1))
        let next = try await service.refresh(pair.refreshToken, from: fixture.prefix)
        fixture.clock.advance(by: .seconds(30 * 86_400))
        #expect(await refresh(next.refreshToken)?.code == .sessionEnded)
    }

    @Test func everySessionEndsAfterHalfAYear() async throws {
        var pair = try await fixture.signIn()
        for _ in 0..<8 {
            fixture.clock.advance(by: .seconds(20 * 86_400))
            pair = try await service.refresh(pair.refreshToken, from: fixture.prefix)
        }
        fixture.clock.advance(by: .seconds(20 * 86_400))
        #expect(await refresh(pair.refreshToken)?.code == .sessionEnded)
    }

    @Test(arguments: [SignOutScope.local, .others, .global])
    func signingOutEndsWhatItSays(_ scope: SignOutScope) async throws {
        let (own, other) = (try await fixture.signIn(), try await fixture.signIn())
        try await service.signOut(accessToken: own.accessToken, scope)
        #expect(await refresh(own.refreshToken)?.code == (scope == .others ? nil : .sessionEnded))
        #expect(await refresh(other.refreshToken)?.code == (scope == .local ? nil : .sessionEnded))
    }

    @Test func sessionsAreListedAndRevokedByTheirAccountAlone() async throws {
        let own = try await fixture.signIn(device: "one")
        fixture.clock.advance(by: .seconds(1))
        let second = try await fixture.signIn(device: "two")
        #expect(try await service.sessions(accessToken: own.accessToken).map(\.device) == ["two", "one"])
        let strangerAddress = try EmailAddress("eve@example.org")
        let mail = try await fixture.mail(strangerAddress)
        let stranger = try await service.verify(
            code: try #require(mail.code), of: strangerAddress, from: fixture.prefix, device: "three")
        let denied = await fixture.refusal {
            try await service.revoke(session: second.session, accessToken: stranger.accessToken)
        }
        #expect(denied?.code == .sessionEnded)
        try await service.revoke(session: second.session, accessToken: own.accessToken)
        try await service.revoke(session: second.session, accessToken: own.accessToken)
        #expect(await refresh(second.refreshToken)?.code == .sessionEnded)
        #expect(try await service.sessions(accessToken: own.accessToken).map(\.device) == ["one"])
    }

    @Test func underANewRootKeyEverybodySignsInAgainToTheSameAccount() async throws {
        let pair = try await fixture.signIn()
        let keys = try AuthKeys(root: SymmetricKey())
        let service = AuthService(
            store: fixture.store, mailer: fixture.mailer, keys: { keys },
            signing: { [fixture] in fixture.keys }, issuer: "https://auth.example.org", clock: fixture.clock.clock)
        let late = await fixture.refusal { try await service.refresh(pair.refreshToken, from: fixture.prefix) }
        #expect(late?.code == .refreshTokenUnknown)
        try await service.requestSignIn(SignInRequest(address: fixture.address, prefix: fixture.prefix))
        let code = try #require(fixture.mailer.mails.last?.code?.withExposed { $0 })
        let again = try await service.verify(
            code: code, of: fixture.address, from: fixture.prefix, device: "parley")
        #expect(again.account == pair.account)
    }

    @Test func whatIsOldIsForgottenAndTheLivingStay() async throws {
        let old = try await fixture.signIn()
        fixture.clock.advance(by: .seconds(181 * 86_400))
        let fresh = try await fixture.signIn()
        try await service.deleteExpired()
        #expect(await refresh(old.refreshToken)?.code == .refreshTokenUnknown)
        #expect(await refresh(fresh.refreshToken) == nil)
        #expect(fresh.account == old.account)
    }
}

// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Concurrency
import Diagnostics
import Security
import Testing

/// Refreshes whose answers were lost are answered again; a token in two hands ends its session.
@Suite(.timeLimit(.minutes(5))) struct LostAnswerTests {
    private let fixture: ServiceFixture
    private var service: AuthService { fixture.service }

    init() throws {
        fixture = try ServiceFixture()
    }

    private func refresh(_ token: String) async throws -> TokenPair {
        try await service.refresh(token, from: fixture.prefix)
    }

    private func refusal(_ token: String) async -> AuthServerError.Code? {
        await fixture.refusal { try await refresh(token) }?.code
    }

    /// Uses an access token somewhere.
    private func use(_ pair: TokenPair) async throws { _ = try await service.account(accessToken: pair.accessToken) }

    @Test(arguments: [0, 10, 11, 3_600, 29 * 86_400]) func `a lost answer is given again`(_ seconds: Int) async throws {
        let first = try await fixture.signIn()
        try await use(first)
        let lost = try await refresh(first.refreshToken)
        for _ in 0..<3 {
            fixture.clock.advance(by: .seconds(seconds) / 3)
            let again = try await refresh(first.refreshToken)
            #expect(again.refreshToken == lost.refreshToken && again.session == first.session)
        }
        let again = try await refresh(first.refreshToken)
        try await use(again)
        let next = try await refresh(again.refreshToken)
        #expect(next.refreshToken != again.refreshToken)
    }

    @Test func `an answer that was used is given again for the grace alone`() async throws {
        let first = try await fixture.signIn()
        let second = try await refresh(first.refreshToken)
        try await use(second)
        fixture.clock.advance(by: .seconds(10))
        #expect(try await refresh(first.refreshToken).refreshToken == second.refreshToken)
        fixture.clock.advance(by: .milliseconds(1))
        #expect(await refusal(first.refreshToken) == .refreshTokenReused)
        #expect(await refusal(second.refreshToken) == .sessionEnded)
    }

    @Test func `a thief who used what he got and the owner are both out`() async throws {
        let owner = try await fixture.signIn()
        let thief = try await refresh(owner.refreshToken)
        try await use(thief)
        fixture.clock.advance(by: .seconds(800))
        #expect(await refusal(owner.refreshToken) == .refreshTokenReused)
        #expect(await refusal(thief.refreshToken) == .sessionEnded)
        #expect(await fixture.refusal { try await use(thief) }?.code == .sessionEnded)
    }

    /// Both have the same tokens then: as soon as both have used them, one of them shows an old one.
    @Test func `a thief who waits with the use is out after it`() async throws {
        let owner = try await fixture.signIn()
        let thief = try await refresh(owner.refreshToken)
        fixture.clock.advance(by: .seconds(800))
        let mine = try await refresh(owner.refreshToken)
        try await use(thief)
        #expect(mine.refreshToken == thief.refreshToken)
        let next = try await refresh(thief.refreshToken)
        try await use(next)
        fixture.clock.advance(by: .seconds(800))
        #expect(await refusal(mine.refreshToken) == .refreshTokenReused)
        #expect(await refusal(next.refreshToken) == .sessionEnded)
    }

    @Test func `two behind ends the session, used or not`() async throws {
        let first = try await fixture.signIn()
        let second = try await refresh(first.refreshToken)
        let third = try await refresh(second.refreshToken)
        #expect(await refusal(first.refreshToken) == .refreshTokenReused)
        #expect(await refusal(third.refreshToken) == .sessionEnded)
    }

    /// Times in tokens are whole seconds; the number tells the two apart.
    @Test func `an access token from before the refresh proves nothing`() async throws {
        let first = try await fixture.signIn()
        let second = try await refresh(first.refreshToken)
        try await use(second)
        let lost = try await refresh(second.refreshToken)
        try await use(second)
        try await use(first)
        fixture.clock.advance(by: .seconds(60))
        #expect(try await refresh(second.refreshToken).refreshToken == lost.refreshToken)
    }

    @Test func `a token that does not tell its number proves nothing`() async throws {
        let first = try await fixture.signIn()
        let lost = try await refresh(first.refreshToken)
        let seconds = fixture.clock.now.seconds
        let claims = AccessClaims(
            issuer: service.issuer, subject: lost.account.id, audience: "authenticated", issuedAt: seconds,
            expiresAt: seconds + 900, session: lost.session, email: fixture.address.value, role: "authenticated")
        _ = try await service.account(accessToken: AccessTokenFormat.sign(claims, with: fixture.keys))
        fixture.clock.advance(by: .seconds(60))
        #expect(try await refresh(first.refreshToken).refreshToken == lost.refreshToken)
    }

    @Test func `a clock that is set back signs nobody out`() async throws {
        let first = try await fixture.signIn()
        let second = try await refresh(first.refreshToken)
        fixture.clock.advance(by: .seconds(-3_600))
        let again = try await refresh(first.refreshToken)
        #expect(again.refreshToken == second.refreshToken)
        try await use(again)
        #expect(try await refresh(first.refreshToken).refreshToken == second.refreshToken, "its time counts as short")
        fixture.clock.advance(by: .seconds(3_611))
        #expect(await refusal(first.refreshToken) == .refreshTokenReused, "the use was noted all the same")
    }

    @Test(arguments: 0..<5) func `each use of an access token is a proof`(_ number: Int) async throws {
        let (first, other) = (try await fixture.signIn(), try await fixture.signIn())
        let token = try await refresh(first.refreshToken).accessToken
        switch number {
        case 0: _ = try await service.account(accessToken: token)
        case 1: _ = try await service.changeMetadata(AccountMetadata(), accessToken: token)
        case 2: _ = try await service.sessions(accessToken: token)
        case 3: try await service.signOut(accessToken: token, .others)
        default: try await service.revoke(session: other.session, accessToken: token)
        }
        fixture.clock.advance(by: .seconds(60))
        #expect(await refusal(first.refreshToken) == .refreshTokenReused)
    }

    @Test func `racing programs that refresh and use stay signed in`() async throws {
        var shown = try await fixture.signIn().refreshToken
        for _ in 0..<20 {
            let tokens = try await withThrowingTaskGroup(of: String.self) { [shown] group in
                for _ in 0..<20 {
                    group.addTask {
                        let pair = try await refresh(shown)
                        try await use(pair)
                        return pair.refreshToken
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(tokens.count == 1)
            shown = try #require(tokens.first)
            fixture.clock.advance(by: .seconds(11))
        }
    }

    private func service(on store: CountedStore) -> AuthService {
        AuthService(
            store: store, mailer: fixture.mailer, keys: { [fixture] in fixture.authKeys.keys },
            signing: { [fixture] in fixture.keys }, issuer: service.issuer, clock: fixture.clock.clock)
    }

    @Test func `a commit without an answer gives the browser its code`() async throws {
        let store = CountedStore(fixture.store)
        let service = service(on: store)
        let mail = try await fixture.mail(challenge: fixture.challenge)
        store.isFull.withLock { $0 = true }
        await #expect(throws: CountedStore.Failed.self) {
            try await service.confirm(link: mail.token, from: fixture.prefix)
        }
        store.isFull.withLock { $0 = false }
        store.lostAnswers.withLock { $0 = 1 }
        let (code, redirect) = try await service.confirm(link: mail.token, from: fixture.prefix)
        #expect(redirect == "parley://signed-in")
        let pair = try await service.exchange(
            authorizationCode: code, verifier: fixture.verifier, from: fixture.prefix, device: "parley")
        #expect(try await service.account(accessToken: pair.accessToken).account == pair.account)
    }

    @Test(arguments: [true, false]) func `a commit without an answer signs in`(_ byCode: Bool) async throws {
        let store = CountedStore(fixture.store)
        let service = service(on: store)
        let mail = try await fixture.mail()
        func verify() async throws -> TokenPair {
            if byCode {
                return try await service.verify(
                    code: mail.code ?? "", of: fixture.address, from: fixture.prefix, device: "parley")
            }
            return try await service.verify(link: mail.token, verifier: nil, from: fixture.prefix, device: "parley")
        }
        store.isFull.withLock { $0 = true }
        await #expect(throws: CountedStore.Failed.self) { try await verify() }
        store.isFull.withLock { $0 = false }
        store.lostAnswers.withLock { $0 = 1 }
        let pair = try await verify()
        #expect(try await service.account(accessToken: pair.accessToken).account == pair.account)
        _ = try await refresh(pair.refreshToken)
        #expect(await fixture.refusal { try await verify() }?.staleness == .used)
    }

    @Test func `one use is written, and a store that cannot write refuses no use`() async throws {
        let store = CountedStore(fixture.store)
        let told = Guarded(0)
        let service = AuthService(
            store: store, mailer: fixture.mailer, keys: { [fixture] in fixture.authKeys.keys },
            signing: { [fixture] in fixture.keys }, issuer: self.service.issuer, clock: fixture.clock.clock,
            confirmationFailed: { _ in told.withLock { $0 += 1 } })
        let first = try await fixture.signIn()
        _ = try await service.account(accessToken: first.accessToken)
        #expect(store.writes.withLock { $0 } == 0, "nothing comes before the first token")
        let second = try await refresh(first.refreshToken)
        store.isFull.withLock { $0 = true }
        for _ in 0..<2 { _ = try await service.account(accessToken: second.accessToken) }
        #expect(told.withLock { $0 } == 2)
        store.isFull.withLock { $0 = false }
        for _ in 0..<5 { _ = try await service.account(accessToken: second.accessToken) }
        #expect(store.writes.withLock { $0 } == 1 && told.withLock { $0 } == 2)
        fixture.clock.advance(by: .seconds(60))
        #expect(await refusal(first.refreshToken) == .refreshTokenReused)
    }
}

/// Counts transactions, or fails them before or after they are stored.
private final class CountedStore: AuthStore {
    struct Failed: Error {}

    private let base: InMemoryAuthStore
    let writes = Guarded(0)
    let isFull = Guarded(false)
    let lostAnswers = Guarded(0)

    init(_ base: InMemoryAuthStore) {
        self.base = base
    }

    func transaction<Result: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any AuthTransaction) async throws -> Result
    ) async throws -> Result {
        if isFull.withLock({ $0 }) { throw Failed() }
        writes.withLock { $0 += 1 }
        let result = try await base.transaction(body)
        let isLost = lostAnswers.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        if isLost { throw Failed() }
        return result
    }

    func read<Result: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (any AuthReading) async throws -> Result
    ) async throws -> Result {
        try await base.read(body)
    }
}

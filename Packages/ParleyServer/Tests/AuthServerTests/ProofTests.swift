// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Concurrency
import Security
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProofTests {
    private let fixture: ServiceFixture

    init() throws {
        fixture = try ServiceFixture()
    }

    private func tryCode(_ code: String?, _ address: EmailAddress? = nil) async -> AuthServerError? {
        await fixture.refusal {
            try await fixture.service.verify(
                code: code ?? "", of: address ?? fixture.address, from: fixture.prefix, device: "parley")
        }
    }

    private func tryLink(_ token: String, verifier: String? = nil) async -> AuthServerError? {
        await fixture.refusal {
            try await fixture.service.verify(
                link: token, verifier: verifier, from: fixture.prefix, device: "parley")
        }
    }

    @Test func theCodeOfTheMailSignsInOnce() async throws {
        let mail = try await fixture.mail()
        #expect(mail.recipient == fixture.address)
        #expect(await tryCode(mail.code) == nil)
        #expect(await tryCode(mail.code)?.staleness == .used)
        #expect(await tryLink(mail.token)?.staleness == .used, "the link of a used mail is used, too")
        #expect(
            await tryCode(fixture.wrong(mail.code))?.staleness == nil, "only who has the mail learns that it was used")
    }

    @Test func theLinkOfTheMailSignsInOnce() async throws {
        let mail = try await fixture.mail()
        #expect(await tryLink(mail.token) == nil)
        #expect(await tryLink(mail.token)?.staleness == .used)
        #expect(await tryCode(mail.code)?.staleness == .used, "the code of a used mail is used, too")
    }

    @Test func `each of several mails signs in once`() async throws {
        let (first, second, third) = (try await fixture.mail(), try await fixture.mail(), try await fixture.mail())
        #expect(await tryCode(second.code) == nil)
        #expect(await tryLink(second.token)?.staleness == .used)
        #expect(await tryLink(first.token) == nil)
        #expect(await tryLink(first.token)?.staleness == .used)
        #expect(await tryCode(third.code) == nil)
        #expect(await tryCode(third.code)?.staleness == .used)
    }

    @Test func `a code may outlive its link`() async throws {
        var policy = AuthPolicy()
        (policy.linkLifetime, policy.codeLifetime) = (.seconds(60), .seconds(600))
        let fixture = try ServiceFixture(policy)
        let first = try await fixture.mail()
        fixture.clock.advance(by: .seconds(70))
        _ = try await fixture.mail()
        let late = await fixture.refusal {
            try await fixture.service.verify(link: first.token, verifier: nil, from: fixture.prefix, device: "")
        }
        #expect(late?.staleness == .expired)
        _ = try await fixture.service.verify(
            code: first.code ?? "", of: fixture.address, from: fixture.prefix, device: "")
    }

    private static let strangers = (1...40).map { NetworkPrefix(address: "198.51.\($0).1") }

    @Test func `strangers take no mail from the one who asked`() async throws {
        let mail = try await fixture.mail()
        for stranger in Self.strangers.prefix(3) {
            for _ in 0..<3 { _ = try await fixture.mail(from: stranger) }
            #expect(await fixture.refusal { try await fixture.mail(from: stranger) }?.code == .tooManyMails)
        }
        _ = try await fixture.mail()
        _ = try await fixture.mail()
        #expect(
            await fixture.refusal { try await fixture.mail() }?.code == .tooManyMails, "their own limit is as it was")
        #expect(await tryCode(mail.code) == nil, "the first mail of twelve")
    }

    @Test func `strangers use up two tries of a code`() async throws {
        let mail = try await fixture.mail()
        var left: [Int?] = []
        for stranger in Self.strangers.prefix(9) {
            left.append(
                await fixture.refusal {
                    try await fixture.service.verify(
                        code: fixture.wrong(mail.code), of: fixture.address, from: stranger, device: "evil")
                }?.attemptsLeft)
        }
        #expect(left == [1, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(await tryCode(fixture.wrong(mail.code))?.attemptsLeft == 2)
        #expect(await tryCode(fixture.wrong(mail.code))?.attemptsLeft == 1)
        let late = await fixture.refusal {
            try await fixture.service.verify(
                code: try #require(mail.code), of: fixture.address, from: Self.strangers[0], device: "evil")
        }
        #expect(late?.code == .proofRefused && late?.attemptsLeft == 0, "not even the right one, from there")
        #expect(await tryCode(mail.code) == nil)
    }

    @Test func `who has changed the network signs in`() async throws {
        let mail = try await fixture.mail(from: Self.strangers[0])
        #expect(await tryCode(fixture.wrong(mail.code))?.attemptsLeft == 1)
        #expect(await tryCode(mail.code) == nil)
    }

    @Test func `an address gets twenty mails an hour from all networks`() async throws {
        let start = fixture.clock.now
        for stranger in Self.strangers.prefix(20) { _ = try await fixture.mail(from: stranger) }
        let next = await fixture.refusal { try await fixture.mail() }
        #expect(next?.code == .tooManyMails && next?.retryAfter == start + .seconds(3_600))
        fixture.clock.advance(by: .seconds(3_600))
        _ = try await fixture.mail()
    }

    @Test func `a guess counts at each code that it meets`() async throws {
        var policy = AuthPolicy()
        policy.failuresBeforeLinksOnly = 6
        let fixture = try ServiceFixture(policy)
        let codes = [try await fixture.mail().code, try await fixture.mail().code]
        let guess = try #require((["000000", "000001", "000002"] as [String]).first { !codes.contains($0) })
        for left in [4, 3] {
            let refusal = await fixture.refusal {
                try await fixture.service.verify(code: guess, of: fixture.address, from: fixture.prefix, device: "evil")
            }
            #expect(refusal?.attemptsLeft == left)
        }
        #expect(try await fixture.mail().code != nil, "two guesses at two codes are four")
        fixture.clock.advance(by: .seconds(3_600))
        let (first, second) = (try await fixture.mail(), try await fixture.mail())
        let next = try #require(
            (["000000", "000001", "000002"] as [String]).first { $0 != first.code && $0 != second.code })
        _ = await fixture.refusal {
            try await fixture.service.verify(code: next, of: fixture.address, from: fixture.prefix, device: "evil")
        }
        #expect(try await fixture.mail().code == nil, "and one more at two is six")
    }

    @Test func aCodeMayBeTriedFiveTimes() async throws {
        let mail = try await fixture.mail()
        var left: [Int?] = []
        for _ in 0..<5 { left.append(await tryCode(fixture.wrong(mail.code))?.attemptsLeft) }
        #expect(left == [4, 3, 2, 1, 0])
        let late = await tryCode(mail.code)
        #expect(late?.code == .proofRefused && late?.staleness == nil, "whether it would have been right is not told")
        #expect(await tryLink(mail.token) == nil, "the link is not guessed, so it still works")
    }

    @Test(arguments: ["", "12345", "1234567", "12345a", "１２３４５６", "12 456", "123456\u{0}"])
    func whatIsNoCodeIsAWrongOne(_ text: String) async throws {
        _ = try await fixture.mail()
        #expect(await tryCode(text)?.attemptsLeft == 4)
    }

    @Test func codesAreGoodForTenMinutesAndLinksForFifteen() async throws {
        let mail = try await fixture.mail()
        fixture.clock.advance(by: .seconds(600) - .milliseconds(1))
        #expect(await tryCode(fixture.wrong(mail.code))?.attemptsLeft == 4)
        fixture.clock.advance(by: .milliseconds(1))
        #expect(await tryCode(mail.code)?.staleness == .expired)
        fixture.clock.advance(by: .seconds(300) - .milliseconds(1))
        fixture.clock.advance(by: .milliseconds(1))
        #expect(await tryLink(mail.token)?.staleness == .expired)
    }

    @Test func aLinkIsGoodUntilItsLastMillisecond() async throws {
        let mail = try await fixture.mail()
        fixture.clock.advance(by: .seconds(900) - .milliseconds(1))
        #expect(await tryLink(mail.token) == nil)
    }

    @Test(arguments: ["code", "link", "authorization code"])
    func `what an instance with a clock two seconds ahead issued is taken`(_ kind: String) async throws {
        let mail = try await fixture.mail(challenge: kind == "authorization code" ? fixture.challenge : nil)
        fixture.clock.advance(by: .seconds(-2))
        switch kind {
        case "code": #expect(await tryCode(mail.code) == nil)
        case "link": #expect(await tryLink(mail.token) == nil)
        default:
            fixture.clock.advance(by: .seconds(2))
            let confirmed = try await fixture.service.confirm(link: mail.token, from: fixture.prefix)
            fixture.clock.advance(by: .seconds(-2))
            _ = try await fixture.service.exchange(
                authorizationCode: confirmed.code, verifier: fixture.verifier, from: fixture.prefix, device: "parley")
        }
    }

    @Test func `a mail of an instance whose clock is ahead counts`() async throws {
        for _ in 0..<3 { _ = try await fixture.mail() }
        fixture.clock.advance(by: .seconds(-2))
        #expect(await fixture.refusal { try await fixture.mail() }?.code == .tooManyMails)
    }

    /// The first transaction waits until a closure has run, as for a connection.
    private final class WaitingStore: AuthStore {
        let store: InMemoryAuthStore
        let meanwhile = Guarded<(@Sendable () async throws -> Void)?>(nil)

        init(_ store: InMemoryAuthStore) { self.store = store }

        func transaction<Result: Sendable>(
            _ body: nonisolated(nonsending) @Sendable (any AuthTransaction) async throws -> Result
        ) async throws -> Result {
            try await meanwhile.withLock { $0.take() }?()
            return try await store.transaction(body)
        }

        func read<Result: Sendable>(
            _ body: nonisolated(nonsending) @Sendable (any AuthReading) async throws -> Result
        ) async throws -> Result { try await store.read(body) }
    }

    @Test func `a request that waited takes back no newer mail`() async throws {
        let store = WaitingStore(fixture.store)
        let service = AuthService(
            store: store, mailer: fixture.mailer, keys: { [fixture] in fixture.authKeys.keys },
            signing: { [fixture] in fixture.keys }, issuer: "https://auth.example.org", clock: fixture.clock.clock)
        store.meanwhile.withLock {
            $0 = { [fixture] in
                fixture.clock.advance(by: .seconds(5))
                _ = try await fixture.mail()
            }
        }
        try await service.requestSignIn(SignInRequest(address: fixture.address, prefix: fixture.prefix))
        #expect(fixture.mailer.mails.count == 2)
        for mail in fixture.mailer.mails { #expect(await tryCode(mail.code?.withExposed { $0 }) == nil) }
    }

    @Test func aClockThatWasSetBackMakesNothingLastLonger() async throws {
        let mail = try await fixture.mail()
        fixture.clock.advance(by: .seconds(-2) - .milliseconds(1))
        #expect(await tryCode(mail.code)?.code == .proofRefused)
        #expect(await tryLink(mail.token)?.code == .proofRefused)
    }

    @Test func anAddressGetsThreeMailsInTenMinutesAndFiveInAnHour() async throws {
        for _ in 0..<3 { _ = try await fixture.mail() }
        let start = fixture.clock.now
        let fourth = await fixture.refusal { try await fixture.mail() }
        #expect(fourth?.code == .tooManyMails)
        #expect(fourth?.retryAfter == start + .seconds(600))
        fixture.clock.advance(by: .seconds(600))
        for _ in 0..<2 { _ = try await fixture.mail() }
        let sixth = await fixture.refusal { try await fixture.mail() }
        #expect(sixth?.retryAfter == start + .seconds(3_600))
        fixture.clock.advance(by: .seconds(3_000))
        _ = try await fixture.mail()
    }

    @Test func aNetworkGetsThirtyMailsAnHourForAllAddresses() async throws {
        for number in 0..<30 { _ = try await fixture.mail(EmailAddress("user\(number)@example.org")) }
        let next = await fixture.refusal { try await fixture.mail(EmailAddress("next@example.org")) }
        #expect(next?.code == .tooManyRequests)
        #expect(next?.retryAfter != nil)
        _ = try await fixture.mail(
            EmailAddress("next@example.org"), from: NetworkPrefix(address: "198.51.100.1"))
    }

    @Test func aNetworkGetsSixtyTriesInTenMinutes() async throws {
        for _ in 0..<60 { #expect(await tryLink("nonsense")?.code == .proofRefused) }
        #expect(await tryLink("nonsense")?.code == .tooManyRequests)
        let mail = try await fixture.mail()
        #expect(await tryCode(mail.code)?.code == .tooManyRequests)
        fixture.clock.advance(by: .seconds(10))
        #expect(await tryCode(mail.code) == nil)
    }

    @Test func aLinkIsBoundToTheDeviceThatAsked() async throws {
        let mail = try await fixture.mail(challenge: fixture.challenge)
        #expect(await tryLink(mail.token)?.code == .wrongVerifier)
        #expect(await tryLink(mail.token, verifier: String(fixture.verifier.reversed()))?.code == .wrongVerifier)
        #expect(await tryLink(mail.token, verifier: fixture.verifier) == nil, "the wrong device has used nothing up")
    }

    @Test func aBrowserCarriesACodeThatOnlyTheAskingDeviceExchanges() async throws {
        let service = fixture.service
        let mail = try await fixture.mail(challenge: fixture.challenge)
        let (code, redirect) = try await service.confirm(link: mail.token, from: fixture.prefix)
        #expect(redirect == "parley://signed-in")
        #expect(
            await fixture.refusal {
                try await service.confirm(link: mail.token, from: fixture.prefix)
            }?.code == .proofRefused)
        let pair = try await service.exchange(
            authorizationCode: code, verifier: fixture.verifier, from: fixture.prefix, device: "parley")
        #expect(pair.account.address == fixture.address)
        #expect(
            await fixture.refusal {
                try await service.exchange(
                    authorizationCode: code, verifier: fixture.verifier, from: fixture.prefix, device: "parley")
            }?.code == .authorizationCodeRefused)
    }

    @Test func aBrowserUsesNoLinkThatWasAskedForWithoutAChallenge() async throws {
        let mail = try await fixture.mail()
        let refusal = await fixture.refusal {
            try await fixture.service.confirm(link: mail.token, from: fixture.prefix).code
        }
        #expect(refusal?.code == .wrongVerifier)
        #expect(await tryLink(mail.token) == nil)
    }

    @Test func aWrongVerifierUsesTheAuthorizationCodeUp() async throws {
        let mail = try await fixture.mail(challenge: fixture.challenge)
        let code = try await fixture.service.confirm(link: mail.token, from: fixture.prefix).code
        let verifiers = [String(fixture.verifier.reversed()), fixture.verifier]
        var codes: [AuthServerError.Code?] = []
        for verifier in verifiers {
            codes.append(
                await fixture.refusal {
                    try await fixture.service.exchange(
                        authorizationCode: code, verifier: verifier, from: fixture.prefix, device: "parley")
                }?.code)
        }
        #expect(codes == [.wrongVerifier, .authorizationCodeRefused])
    }

    @Test func aChallengeHasTheLengthOfAHash() async throws {
        for challenge in ["", "short", fixture.challenge + "A", fixture.challenge + "=="] {
            #expect(await fixture.refusal { try await fixture.mail(challenge: challenge) }?.code == .validationFailed)
        }
    }

    @Test func withoutSignUpAStrangerHearsWhatAMemberHears() async throws {
        var policy = AuthPolicy()
        policy.allowsSignUp = false
        let fixture = try ServiceFixture(policy)
        let mail = try await fixture.mail()
        #expect(mail.recipient == nil)
        var left: [Int?] = []
        for _ in 0..<2 {
            left.append(
                await fixture.refusal {
                    try await fixture.service.verify(
                        code: fixture.wrong(mail.code), of: fixture.address, from: fixture.prefix, device: "parley")
                }?.attemptsLeft)
        }
        #expect(left == [4, 3])
        let lucky = await fixture.refusal {
            try await fixture.service.verify(
                code: try #require(mail.code), of: fixture.address, from: fixture.prefix, device: "parley")
        }
        #expect(lucky?.code == .proofRefused, "not even the right code makes an account")
    }

    @Test func afterAHundredFailuresOnlyTheLinkOfAFreshMailSignsIn() async throws {
        for round in 0..<20 {
            fixture.clock.advance(by: .seconds(3_600))
            let mail = try await fixture.mail()
            #expect(mail.code != nil, "round \(round)")
            for _ in 0..<5 { _ = await tryCode(fixture.wrong(mail.code)) }
        }
        fixture.clock.advance(by: .seconds(3_600))
        let mail = try await fixture.mail()
        #expect(mail.code == nil)
        for number in 0..<20 { #expect(await tryCode("00000\(number % 10)")?.code == .proofRefused) }
        #expect(await tryLink(mail.token) == nil)
        fixture.clock.advance(by: .seconds(3_600))
        #expect(try await fixture.mail().code != nil, "a success starts the count anew")
    }

    @Test func aFullQueueIsToldAndTheNextMailWorks() async throws {
        let fixture = try ServiceFixture(mailer: CollectingMailer(capacity: 1))
        _ = try await fixture.mail()
        let full = await fixture.refusal { try await fixture.mail() }
        #expect(full?.code == .tooManyRequests)
        fixture.mailer.clear()
        let mail = try await fixture.mail()
        #expect(
            await fixture.refusal {
                try await fixture.service.verify(
                    link: mail.token, verifier: nil, from: fixture.prefix, device: "parley")
            } == nil)
    }
    @Test func `a request that a full queue refuses costs nothing`() async throws {
        let fixture = try ServiceFixture(mailer: CollectingMailer(capacity: 1))
        _ = try await fixture.mail(EmailAddress("eve@example.org"))
        for _ in 0..<40 {
            let full = await fixture.refusal { try await fixture.mail() }
            #expect(full?.code == .tooManyRequests)
            #expect(full?.retryAfter == fixture.clock.now + .seconds(60))
        }
        for number in 0..<29 {
            fixture.mailer.clear()
            // The first three use up the limit of the address, and all of them that of the network.
            let address = number < 3 ? fixture.address : try EmailAddress("ada\(number)@example.org")
            #expect(await fixture.refusal { try await fixture.mail(address) } == nil, "mail \(number)")
            guard number == 2 else { continue }
            fixture.mailer.clear()
            #expect(await fixture.refusal { try await fixture.mail() }?.code == .tooManyMails)
        }
        fixture.mailer.clear()
        let last = await fixture.refusal { try await fixture.mail(EmailAddress("bob@example.org")) }
        #expect(last?.code == .tooManyRequests && last?.retryAfter == fixture.clock.now + .seconds(120))
    }
}

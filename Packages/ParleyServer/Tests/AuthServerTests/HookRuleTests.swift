// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Concurrency
import Diagnostics
import Testing

/// When the rules ask the operator's hook.
@Suite(.timeLimit(.minutes(5))) struct HookRuleTests {
    /// Remembers what it is asked, and answers as the test wants.
    private final class ScriptedHook: AuthHook {
        private let state = Guarded((asked: [String](), told: [SignInEvent](), refusal: AuthServerError?.none))

        var asked: [String] { state.withLock { $0.asked } }
        var told: [SignInEvent] { state.withLock { $0.told } }

        func refuse(_ refusal: AuthServerError?) { state.withLock { $0.refusal = refusal } }

        func willSignUp(_ event: SignUpEvent) async throws {
            let refusal = state.withLock { state in
                state.asked.append(event.address.value)
                return state.refusal
            }
            if let refusal { throw refusal }
        }

        func signedIn(_ event: SignInEvent) async { state.withLock { $0.told.append(event) } }
    }

    private let hook = ScriptedHook()
    private let fixture: ServiceFixture

    init() throws { fixture = try ServiceFixture(hook: hook) }

    @Test func `it is asked about a newcomer's right code only`() async throws {
        let mail = try await fixture.mail()
        #expect(hook.asked == [])
        let wrong = fixture.wrong(mail.code)
        let refusal = await fixture.refusal {
            try await fixture.service.verify(code: wrong, of: fixture.address, from: fixture.prefix, device: "")
        }
        #expect(refusal?.code == .proofRefused && hook.asked == [])
        let pair = try await fixture.service.verify(
            code: mail.code ?? "", of: fixture.address, from: fixture.prefix, device: "phone")
        #expect(hook.asked == ["ada@example.org"])
        _ = try await fixture.signIn()
        #expect(hook.asked.count == 1)
        #expect(hook.told.map(\.session).first == pair.session && hook.told.count == 2)
        #expect(hook.told.first?.account == pair.account && hook.told.first?.device == "phone")
    }

    @Test func `a refused newcomer has no account, and may try again`() async throws {
        let mail = try await fixture.mail()
        hook.refuse(AuthServerError(.hookRefused, "Only colleagues."))
        func verify() async throws -> TokenPair {
            try await fixture.service.verify(
                code: mail.code ?? "", of: fixture.address, from: fixture.prefix, device: "")
        }
        let refusal = await fixture.refusal(verify)
        #expect(refusal?.code == .hookRefused && refusal?.message == "Only colleagues.")
        #expect(try await fixture.service.accounts(offset: 0, limit: 1).total == 0 && hook.told.isEmpty)
        hook.refuse(nil)
        _ = try await verify()
        #expect(hook.asked.count == 2 && hook.told.count == 1)
    }

    @Test func `refused attempts count against the network`() async throws {
        let mail = try await fixture.mail()
        hook.refuse(AuthServerError(.hookRefused, "No."))
        var codes: [AuthServerError.Code?] = []
        for _ in 0..<61 {
            let refusal = await fixture.refusal {
                try await fixture.service.verify(
                    code: mail.code ?? "", of: fixture.address, from: fixture.prefix, device: "")
            }
            codes.append(refusal?.code)
        }
        #expect(codes.prefix(60).allSatisfy { $0 == .hookRefused } && codes.last == .tooManyRequests)
    }

    /// The hook takes time, which would tell a right code from a wrong one.
    @Test func `a network without attempts has no code checked`() async throws {
        var policy = AuthPolicy()
        policy.attemptsPerPrefixAndTenMinutes = 1
        let fixture = try ServiceFixture(policy, hook: hook)
        let mail = try await fixture.mail()
        func refusal(_ code: String?, of address: EmailAddress) async -> AuthServerError.Code? {
            await fixture.refusal {
                try await fixture.service.verify(code: code ?? "", of: address, from: fixture.prefix, device: "")
            }?.code
        }
        #expect(await refusal("000000", of: try EmailAddress("bob@example.org")) == .proofRefused)
        #expect(await refusal(mail.code, of: fixture.address) == .tooManyRequests)
        #expect(hook.asked == [])
        fixture.clock.advance(by: .seconds(600))
        let again = try await fixture.mail()
        #expect(await refusal(again.code, of: fixture.address) == nil, "one attempt is enough for a right code")
        #expect(hook.asked == ["ada@example.org"])
    }

    @Test func `a browser's link asks as a code does`() async throws {
        let link = try await fixture.mail(challenge: fixture.challenge).token
        let code = try await fixture.service.confirm(link: link, from: fixture.prefix).code
        #expect(hook.asked.count == 1 && hook.told.isEmpty)
        _ = try await fixture.service.exchange(
            authorizationCode: code, verifier: fixture.verifier, from: fixture.prefix, device: "")
        #expect(hook.told.count == 1)
    }
}

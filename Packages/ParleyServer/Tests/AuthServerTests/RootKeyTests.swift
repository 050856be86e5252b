// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import FoundationEssentials
import Security
import Testing

/// Another root key takes over while the server runs.
@Suite struct RootKeyTests {
    private let (old, new): (SymmetricKey, SymmetricKey)
    private let fixture: ServiceFixture

    init() throws {
        (old, new) = (try SymmetricKey(), try SymmetricKey())
        fixture = try ServiceFixture()
        try use(old)
    }

    private func use(_ key: SymmetricKey, others: [SymmetricKey] = []) throws {
        fixture.authKeys.keys = try AuthKeys(root: key, others: others)
    }

    private func refresh(_ token: String) async throws -> String {
        try await fixture.service.refresh(token, from: fixture.prefix).refreshToken
    }

    @Test func `a session outlives the change and needs the old key no more`() async throws {
        let pair = try await fixture.signIn()
        try use(new, others: [old])
        let next = try await refresh(pair.refreshToken)
        #expect(try await refresh(pair.refreshToken) == next, "the same token again within the grace time")
        try use(new)
        #expect(try await refresh(next) != next)
        let late = await fixture.refusal { try await refresh(pair.refreshToken) }
        #expect(late?.code == .refreshTokenUnknown)
    }

    /// Instances that know both keys and make with different ones.
    @Test(arguments: [true, false]) func `instances accept each other's tokens`(_ newIsFirst: Bool) async throws {
        let orders = [(old, new), (new, old)]
        var token = try await fixture.signIn().refreshToken
        for round in 0..<6 {
            let (key, other) = orders[(round + (newIsFirst ? 1 : 0)) % 2]
            try use(key, others: [other])
            fixture.clock.advance(by: .seconds(60))
            token = try await refresh(token)
        }
    }

    @Test func `a code of the old key signs in under the new one`() async throws {
        let mail = try await fixture.mail()
        try use(new, others: [old])
        let code = try #require(mail.code)
        let wrong = await fixture.refusal {
            try await fixture.service.verify(
                code: fixture.wrong(code), of: fixture.address, from: fixture.prefix, device: "")
        }
        #expect(wrong?.attemptsLeft == 4, "the network is still the one that requested the mail")
        let pair = try await fixture.service.verify(
            code: code, of: fixture.address, from: fixture.prefix, device: "")
        // The record has moved: the old key is not needed to find that the code was used.
        try use(new)
        let again = await fixture.refusal {
            try await fixture.service.verify(code: code, of: fixture.address, from: fixture.prefix, device: "")
        }
        #expect(again?.code == .proofRefused)
        let mails = try await fixture.signIn()
        #expect(mails.account == pair.account)
    }

    @Test func `limits of mails are not lost with the change`() async throws {
        for _ in 0..<3 { _ = try await fixture.mail() }
        try use(new, others: [old])
        let refused = await fixture.refusal { try await fixture.mail() }
        #expect(refused?.code == .tooManyMails)
    }

    @Test func `a link and its authorization code work across changes`() async throws {
        let mail = try await fixture.mail(challenge: fixture.challenge)
        try use(new, others: [old])
        let (code, _) = try await fixture.service.confirm(link: mail.token, from: fixture.prefix)
        try use(old, others: [new])
        let pair = try await fixture.service.exchange(
            authorizationCode: code, verifier: fixture.verifier, from: fixture.prefix, device: "")
        let again = await fixture.refusal {
            try await fixture.service.exchange(
                authorizationCode: code, verifier: fixture.verifier, from: fixture.prefix, device: "")
        }
        #expect(again?.code == .authorizationCodeRefused)
        try use(new)
        #expect(try await fixture.signIn().account == pair.account)
    }

    @Test func `records of an address under two keys become one`() async throws {
        let first = try await fixture.mail()
        try use(new)
        let second = try await fixture.mail()
        try use(new, others: [old])
        _ = try await fixture.mail()
        for mail in [first, second] {
            _ = try await fixture.service.verify(
                code: try #require(mail.code), of: fixture.address, from: fixture.prefix, device: "")
        }
    }

    @Test func `a key that is accepted no more proves nothing`() async throws {
        let (pair, mail) = (try await fixture.signIn(), try await fixture.mail(challenge: fixture.challenge))
        try use(new)
        let refusals = [
            await fixture.refusal { try await refresh(pair.refreshToken) },
            await fixture.refusal { try await fixture.service.confirm(link: mail.token, from: fixture.prefix) },
            await fixture.refusal {
                try await fixture.service.verify(
                    code: mail.code ?? "", of: fixture.address, from: fixture.prefix, device: "")
            },
        ]
        #expect(refusals.map { $0?.code } == [.refreshTokenUnknown, .proofRefused, .proofRefused])
    }
}

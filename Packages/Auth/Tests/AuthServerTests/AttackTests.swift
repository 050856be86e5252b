// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(4))) struct AttackTests {
    /// From a new network for each guess, with a new mail whenever the limits allow one. `AUTH_GUESSES=1000000` takes two
    /// minutes; the hundredth code is tried long before the 5,000th guess.
    @Test func guessesTryAHundredCodesInVain() async throws {
        let wanted = ProcessInfo.processInfo.environment["AUTH_GUESSES"].flatMap { Int($0) } ?? 20_000
        let fixture = try ServiceFixture()
        var random = SeededGenerator(seed: 6)
        var (tried, mails, successes, guesses) = (0, 0, 0, 0)
        var left = 0
        while guesses < wanted {
            if left == 0 {
                let asked = try? await fixture.mail(from: NetworkPrefix(address: address(&random)))
                if let asked {
                    mails += 1
                    left = asked.code == nil ? 0 : AuthPolicy().attemptsPerCode
                }
                // The whole rest of an hour's guesses find no code that is alive.
                fixture.clock.advance(by: .seconds(60))
            }
            let before = left
            for _ in 0..<(before > 0 ? 1 : 50) where guesses < wanted {
                guesses += 1
                let digits = String(Int.random(in: 0..<1_000_000, using: &random))
                let code = String(repeating: "0", count: 6 - digits.count) + digits
                let refusal = await fixture.refusal {
                    try await fixture.service.verify(
                        code: code, of: fixture.address, from: NetworkPrefix(address: address(&random)), device: "evil")
                }
                if refusal == nil { successes += 1 }
                if let attempts = refusal?.attemptsLeft, left > 0 {
                    tried += 1
                    left = attempts
                }
            }
        }
        #expect(tried == 100, "codes that were compared, of \(guesses) guesses with \(mails) mails")
        #expect(successes == 0, "each of them finds a code with a chance of one in a million")
    }

    @Test func ofTenThousandWhoUseOneLinkAtOnceOneWins() async throws {
        let fixture = try ServiceFixture()
        let mail = try await fixture.mail(challenge: fixture.challenge)
        let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<10_000 {
                group.addTask {
                    let prefix = NetworkPrefix(address: "10.\(number / 250).\(number % 250).1")
                    return await fixture.refusal {
                        if number.isMultiple(of: 2) {
                            _ = try await fixture.service.confirm(link: mail.token, from: prefix)
                        } else {
                            _ = try await fixture.service.verify(
                                link: mail.token, verifier: fixture.verifier, from: prefix, device: "parley")
                        }
                    } == nil
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
    }

    @Test func ofTenThousandWhoUseOneCodeAtOnceOneWins() async throws {
        let fixture = try ServiceFixture()
        let mail = try await fixture.mail()
        let code = try #require(mail.code)
        let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<10_000 {
                group.addTask {
                    let prefix = NetworkPrefix(address: "10.\(number / 250).\(number % 250).1")
                    return await fixture.refusal {
                        try await fixture.service.verify(
                            code: code, of: fixture.address, from: prefix, device: "parley")
                    } == nil
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
    }

    /// A chi-squared test over ten equal parts of the range; 27.9 is exceeded once in a thousand runs, 50 never.
    @Test func codesAreDrawnEvenly() async throws {
        var policy = AuthPolicy()
        (policy.sendsPerWindow, policy.sendsPerHour, policy.sendsPerPrefixAndHour) = (.max, .max, 100_000)
        let fixture = try ServiceFixture(policy)
        var counts = [Int](repeating: 0, count: 10)
        let total = 5_000
        for _ in 0..<total {
            let code = try #require(try await fixture.mail().code)
            #expect(code.utf8.count == 6)
            counts[try #require(Int(code)) / 100_000] += 1
            fixture.mailer.clear()
            fixture.clock.advance(by: .seconds(3_600))
        }
        let expected = Double(total) / 10
        let statistic = counts.map { (Double($0) - expected) * (Double($0) - expected) / expected }.reduce(0, +)
        #expect(statistic < 50, "\(counts)")
    }

    private func address(_ random: inout SeededGenerator) -> String {
        "\(Int.random(in: 1..<224, using: &random)).\(Int.random(in: 0..<256, using: &random))"
            + ".\(Int.random(in: 0..<256, using: &random)).1"
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

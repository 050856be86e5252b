// SPDX-License-Identifier: MIT

import AuthServer
import AuthServerTestSupport
import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct AttackTests {
    /// A mail of the attack's, as the rules should count its tries.
    private struct Target {
        let network: String
        let sentAt: AuthTime
        var own = 0
        var foreign = 0

        func left(from network: String) -> Int {
            network == self.network ? 5 - own - foreign : min(5 - own - foreign, 2 - foreign)
        }
    }

    /// Guesses from the networks that asked and from others, with a new mail whenever the limits allow one, as many at once as
    /// they allow. Each code is compared five times at most, and a hundred comparisons end the codes: the chance of the whole
    /// attack is that of a hundred numbers. `AUTH_GUESSES=1000000` takes minutes.
    @Test func guessesTryAHundredCodesInVain() async throws {
        let wanted = ProcessInfo.processInfo.environment["AUTH_GUESSES"].flatMap { Int($0) } ?? 20_000
        let fixture = try ServiceFixture()
        var random = SeededGenerator(seed: 6)
        var (compared, largest, mails, successes, hasCodes) = (0, 0, 0, 0, true)
        var targets: [Target] = []
        for number in 0..<wanted {
            if number.isMultiple(of: 20) {
                let network = address(&random)
                if let asked = try? await fixture.mail(from: NetworkPrefix(address: network)) {
                    mails += 1
                    hasCodes = asked.code != nil
                    if hasCodes { targets.append(Target(network: network, sentAt: fixture.clock.now)) }
                }
                fixture.clock.advance(by: .seconds(60))
                targets.removeAll { fixture.clock.now - $0.sentAt >= .seconds(600) }
            }
            let network = Bool.random(using: &random) ? targets.randomElement(using: &random)?.network : nil
            let source = network ?? address(&random)
            let digits = String(Int.random(in: 0..<1_000_000, using: &random))
            let code = String(repeating: "0", count: 6 - digits.count) + digits
            let met = targets.indices.filter { targets[$0].left(from: source) > 0 }
            largest = max(largest, met.count)
            let refusal = await fixture.refusal {
                try await fixture.service.verify(
                    code: code, of: fixture.address, from: NetworkPrefix(address: source), device: "evil")
            }
            if refusal == nil { successes += 1 }
            guard refusal?.code == .proofRefused else { continue }
            for index in met {
                if source == targets[index].network { targets[index].own += 1 } else { targets[index].foreign += 1 }
                compared += 1
            }
            let left = met.map { targets[$0].left(from: source) }.max() ?? 0
            #expect(refusal?.attemptsLeft == left, "guess \(number), seed 6")
        }
        #expect(!hasCodes && largest > 1, "\(mails) mails, up to \(largest) codes at once")
        // Those that were there when the hundredth was compared are tried to their end.
        #expect((100..<200).contains(compared), "\(compared) comparisons")
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
        (policy.sendsPerWindow, policy.sendsPerHour, policy.sendsPerPrefixAndHour) = (1_000, 1_000, 100_000)
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

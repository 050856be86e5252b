// SPDX-License-Identifier: MIT

import Domain
import Foundation
import Testing

@Suite struct FlagResolverTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)
    private let context = FeatureAccessContext(account: "ada", installation: "here")

    private func resolver(
        _ rules: [String: RuntimeConfig.Rule]?, isFresh: Bool = true, overrides: [String: FlagValue] = [:]
    ) -> FlagResolver {
        FlagResolver(
            config: rules.map { RuntimeConfig(rules: $0, fetchedAt: now) }, isFresh: isFresh, overrides: overrides,
            context: context)
    }

    @Test func theDefaultHoldsWhenNobodySaysAnything() {
        for rules in [nil, [:], ["other": RuntimeConfig.Rule(value: .boolean(true))]] {
            let resolution = resolver(rules).resolve("f", fallback: .boolean(false), at: now)
            #expect(resolution == .init(value: .boolean(false), source: .fallback, exclusion: nil))
        }
    }

    @Test func theServerComesBeforeTheDefaultAndAFileBeforeTheServer() {
        let rules = ["f": RuntimeConfig.Rule(value: .integer(7))]
        func resolve(_ resolver: FlagResolver) -> FlagResolver.Resolution {
            resolver.resolve("f", fallback: .integer(1), at: now)
        }
        #expect(resolve(resolver(rules)) == .init(value: .integer(7), source: .server, exclusion: nil))
        #expect(resolve(resolver(rules, isFresh: false)) == .init(value: .integer(7), source: .stored, exclusion: nil))
        #expect(
            resolve(resolver(rules, overrides: ["f": .integer(9)]))
                == .init(value: .integer(9), source: .file, exclusion: nil))
        #expect(resolve(resolver(rules, overrides: ["f": .text("9")])).source == .server)
    }

    @Test func aRuleThatDoesNotHoldSaysWhy() {
        let rules: [String: RuntimeConfig.Rule] = [
            "expired": .init(value: .boolean(true), expiresAt: now),
            "current": .init(value: .boolean(true), expiresAt: now + 1),
            "wrong": .init(value: .text("true")), "nobody": .init(value: .boolean(true), rollout: 0),
        ]
        let resolver = resolver(rules)
        func exclusion(_ name: String) -> FlagResolver.Exclusion? {
            let resolution = resolver.resolve(name, fallback: .boolean(false), at: now)
            #expect((resolution.value == .boolean(true)) == (resolution.exclusion == nil))
            return resolution.exclusion
        }
        #expect(exclusion("expired") == .expired)
        #expect(exclusion("current") == nil)
        #expect(exclusion("wrong") == .wrongType)
        #expect(exclusion("nobody") == .rollout)
    }

    @Test func aTypedFlagTakesItsTypeOnlyAndAWholeNumberIsANumber() {
        let resolver = resolver(["n": .init(value: .integer(1)), "t": .init(value: .boolean(true))])
        #expect(resolver.value(FeatureFlag("n", default: 0.5, ""), at: now) == 1.0)
        #expect(resolver.value(FeatureFlag("n", default: true, ""), at: now) == true)
        #expect(resolver.value(FeatureFlag("t", default: "x", ""), at: now) == "x")
        #expect(resolver.value(FeatureFlag("t", default: 3, ""), at: now) == 3)
    }

    @Test(arguments: [(-1, 0), (0, 0), (30, 30), (Int.max, 31_536_000)])
    func `a flag of seconds is a duration from 0 to a year`(value: Int, seconds: Int) {
        let flag = FeatureFlag("f", default: 5, "")
        #expect(resolver(["f": .init(value: .integer(value))]).seconds(flag, at: now) == .seconds(seconds))
    }

    @Test func aRollOutReachesItsShareAndKeepsWhoWasReached() {
        let accounts = (0..<20_000).map { FeatureAccessContext(account: "account-\($0)", installation: "") }
        for rollout in [100, 2_500, 5_000, 9_000] {
            let reached = accounts.count { $0.bucket(of: "newThing") < rollout }
            // Four standard deviations.
            let expected = Double(rollout * 2)
            #expect(abs(Double(reached) - expected) < 4 * (expected * (1 - expected / 20_000)).squareRoot())
        }
        let both = accounts.count { $0.bucket(of: "one") < 5_000 && $0.bucket(of: "two") < 5_000 }
        #expect(abs(both - 5_000) < 250, "flags do not reach the same half")
        // A change here would move people in and out of every roll-out.
        #expect(
            context.bucket(of: "newThing")
                == FeatureAccessContext(account: "ada", installation: "there").bucket(of: "newThing"))
        #expect(FeatureAccessContext(account: nil, installation: "x").bucket(of: "f") == 104)
    }

    @Test func everyFlagOfTheProgramHasItsOwnNameAndASummary() {
        #expect(Set(Flags.all.map(\.name)).count == Flags.all.count)
        #expect(Flags.all.allSatisfy { !$0.summary.isEmpty })
    }
}

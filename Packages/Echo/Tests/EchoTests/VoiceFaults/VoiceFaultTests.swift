// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Echo

@Suite("Each fault at each state of a voice conversation")
struct VoiceFaultTests {
    /// A fault, then another question: all is well in the end.
    private func world(_ fault: WorldFault, _ state: WorldState, seed: UInt64) -> VoiceWorld {
        var plan = state.plan(period: seed % 2 == 0 ? 20_000 : 40_000)
        if fault == .budgetUsedUp { plan.budget = 50 }
        let world = VoiceWorld(plan: plan, seed: seed)
        state.reach(world)
        // At the very moment, or some time later.
        world.run(Int(seed) * 130_000)
        fault.strike(world)
        world.run(2_600_000)
        world.speak(900)
        world.finish()
        return world
    }

    @Test("Nothing is lost, doubled or stuck", arguments: WorldFault.allCases)
    func each(_ fault: WorldFault) async {
        for state in WorldState.allCases {
            for seed in 0..<3 as Range<UInt64> {
                let world = world(fault, state, seed: seed)
                #expect(world.failures.isEmpty, "\(fault) while \(state), seed \(seed): \(world.failures)")
                #expect(world.fallbacks.map(\.kind) == fault.fallbacks(world), "\(fault) while \(state), seed \(seed)")
                if !fault.isFatal { #expect(!world.isGivenUp, "\(fault) while \(state), seed \(seed)") }
                await disturbOrder()
            }
        }
    }

    @Test("A refusal ends the conversation, and says so", arguments: WorldState.allCases)
    func refusal(_ state: WorldState) {
        guard state != .connecting, state != .reconnecting else { return }
        let world = world(.refusal, state, seed: 0)
        #expect(world.isGivenUp || state == .rollingOver)
        #expect(world.machine.deadline == nil || !world.isGivenUp)
    }

    @Test func `a first session that fails twice is followed by a third attempt`() {
        for count in [2, 3] {
            var plan = WorldPlan()
            plan.connectFaults = Array(repeating: .broken, count: count)
            let world = VoiceWorld(plan: plan, seed: 1)
            world.run(60_000_000) { !world.isGivenUp && world.machine.lifecycle.session == nil }
            #expect(world.isGivenUp == (count == 3))
            #expect(world.fallbacks.isEmpty)
        }
    }

    @Test("A conversation that cannot begin is given up within its limits")
    func neverConnects() {
        var plan = WorldPlan()
        plan.connectFaults = Array(repeating: .broken, count: 100)
        let world = VoiceWorld(plan: plan, seed: 1)
        world.run(120_000_000) { !world.isGivenUp }
        #expect(world.isGivenUp)
        #expect(world.failures.isEmpty)
    }
}

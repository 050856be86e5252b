// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Echo

@Suite("A voice conversation, whatever goes wrong when")
struct VoiceScheduleTests {
    /// A conversation by chance of half a minute or so.
    static func world(seed: UInt64, hasProgram: Bool = true, traces: Bool = false) -> VoiceWorld {
        var random = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 1)
        var plan = WorldPlan.random(&random)
        // Of numbers of its own, so that known schedules stay the same.
        var program = SeededGenerator(seed: ~seed)
        if hasProgram { plan.addProgram(&program) }
        let world = VoiceWorld(plan: plan, seed: seed)
        world.tracesAll = traces
        let pace = Int.random(in: 300_000...2_500_000, using: &random)
        let faults = Int.random(in: 0...2, using: &random) == 0 ? 0 : Int.random(in: 1...12, using: &random)
        for _ in 0..<Int.random(in: 5...18, using: &random) where world.failures.isEmpty {
            world.run(Int.random(in: 50_000...pace, using: &random))
            if Int.random(in: 0..<24, using: &random) < faults { world.suffer() } else { world.act() }
        }
        world.connectFaults = []
        world.finish()
        return world
    }

    @Test(
        "No turn is lost, doubled or out of order, nothing is heard that should not be, and nothing is stuck",
        arguments: 0..<20 as Range<UInt64>)
    func random(part: UInt64) async throws {
        for seed in 0..<RealtimeSeeds.count(1_000) / 20 {
            let number = Self.first + part << 32 + seed
            let world = Self.world(seed: number)
            try #require(world.failures.isEmpty, "ECHO_WORLD_SEED=\(number): \(world.failures)")
            // Tests in real time need the few threads that all tasks share.
            await disturbOrder()
        }
    }

    /// Another in each long run of the tests.
    private static let first = ProcessInfo.processInfo.environment["ECHO_WORLD_FIRST"].flatMap(UInt64.init) ?? 0
    private static let replayed = ProcessInfo.processInfo.environment["ECHO_WORLD_SEED"].flatMap(UInt64.init)

    @Test("One schedule again, with all that happens", .enabled(if: replayed != nil, "it replays a seed by hand"))
    func replay() throws {
        let world = Self.world(seed: try #require(Self.replayed), traces: true)
        for line in world.trace { print(line) }
        #expect(world.failures.isEmpty, "\(world.failures)")
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import Echo

@Suite("A voice conversation of hours")
struct VoiceLongTests {
    /// Everything that a value holds: elements of collections and bytes of texts, however deep.
    private static func size(_ value: Any) -> Int {
        switch value {
        case let bytes as [UInt8]: return bytes.count
        case let text as String: return text.utf8.count
        default: return Mirror(reflecting: value).children.reduce(1) { $0 + size($1.value) }
        }
    }

    /// Hours: more of them in a long run of the tests.
    private static let lengths = RealtimeSeeds.count(0) == 0 ? [1] : [1, 5]

    /// A question in every half minute or so, over sessions of an hour.
    private func talk(hours: Int) async -> (world: VoiceWorld, sizes: [Int], texts: [Int]) {
        var plan = WorldPlan()
        plan.period = 80_000
        plan.tools = 10
        let world = VoiceWorld(plan: plan, seed: UInt64(hours))
        var sizes: [Int] = []
        var texts: [Int] = []
        for tenth in 1...hours * 10 {
            while world.failures.isEmpty, world.now < tenth * 360_000_000 {
                world.speak(world.random(in: 300...2_000), hasWords: world.chance(90))
                world.run(world.random(in: 8_000_000...40_000_000))
                // Tests in real time need the few threads that all tasks share.
                await disturbOrder()
            }
            // The names of all items are remembered, so that none is taken for a new one.
            let machine = world.machine
            sizes.append(
                Self.size(machine) - Self.size(machine.history) - Self.size(machine.transcript)
                    - Self.size(machine.order.placed))
            texts.append(machine.history.sound.values.reduce(machine.history.pending.count) { $0 + $1.count })
        }
        world.finish()
        return (world, sizes, texts)
    }

    @Test("Rollovers lose nothing, and nothing grows but the conversation's words", arguments: lengths)
    func hours(_ hours: Int) async {
        let (world, sizes, sound) = await talk(hours: hours)
        #expect(world.failures.isEmpty, "\(world.failures)")
        // One at the beginning, and one for each 55 minutes.
        #expect(world.machine.lifecycle.lastSession == hours * 60 / 55 + 1)
        #expect(world.races.busy == 0)
        print("voice: \(hours) h, sizes \(sizes.first ?? 0) to \(sizes.last ?? 0), sound \(sound.max() ?? 0)")
        let early = sizes.prefix(5).max() ?? 0
        let late = sizes.suffix(5).max() ?? 0
        #expect(late <= early * 2, "\(sizes)")
        #expect((sound.max() ?? 0) < 48_000 * 60)
    }
}

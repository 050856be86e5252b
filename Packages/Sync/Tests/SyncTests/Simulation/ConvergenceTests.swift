// SPDX-License-Identifier: MIT

import Glibc
import TestKit
import Testing

@testable import Sync

/// Seeded runs of ``SyncWorld``. `SYNC_WORLD_RUNS` and `SYNC_WORLD_FIRST` ask for others.
struct ConvergenceTests {
    private static let parts: UInt64 = 4
    private static let steps = 60

    /// The seeds are dealt out to a few tasks.
    @Test(arguments: 0..<parts)
    func `devices agree, lose nothing, and name what the place did`(part: UInt64) async throws {
        let (first, runs) = (Self.number("SYNC_WORLD_FIRST") ?? 1, Self.number("SYNC_WORLD_RUNS") ?? 2_000)
        var counts: [String: (injected: Int, named: Int)] = [:]
        for seed in stride(from: first + part, to: first + runs, by: Int(Self.parts)) {
            // A world never waits for anything: the tests beside it would, for all of them, beyond their time limits.
            await disturbOrder(1)
            let (world, error) = try await Self.run(seed, steps: Self.steps)
            if error != nil {
                try await report(seed)
                return
            }
            for injection in await world.injections {
                counts[injection.kind.rawValue, default: (0, 0)].injected += 1
                if injection.finding != nil { counts[injection.kind.rawValue, default: (0, 0)].named += 1 }
            }
        }
        let text = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.injected)/\($0.value.named)" }
        print("sync: seeds \(first + part)..., each \(Self.parts)th: done/named: \(text.joined(separator: ", "))")
    }

    @Test(arguments: [
        302_056, 303_182, 307_692, 308_303, 405_675, 406_062, 500_378, 700_641, 800_545, 900_973, 910_013, 921_368,
        932_714, 939_859, 942_932, 943_485, 971_251, 973_039, 979_377, 999_085,
        1_022_134, 1_035_440,
    ])
    func `worlds that failed once hold`(seed: UInt64) async throws {
        if try await Self.run(seed, steps: Self.steps).1 != nil { try await report(seed) }
    }

    private static func run(_ seed: UInt64, steps: Int) async throws -> (SyncWorld, (any Error)?) {
        let world = SyncWorld(seed: seed)
        do {
            try await SeededRandomness.with(seed: seed) { try await world.run(steps: steps) }
            return (world, nil)
        } catch {
            return (world, error)
        }
    }

    /// Records the shortest run of the seed that fails: fewer steps are the same ones and end earlier.
    private func report(_ seed: UInt64) async throws {
        for steps in 0...Self.steps {
            let (world, error) = try await Self.run(seed, steps: steps)
            guard let error else { continue }
            let diary = await world.diary + [world.describe()]
            Issue.record("\(diary.joined(separator: "\n"))\nseed \(seed), the first \(steps) steps: \(error)")
            return
        }
    }

    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
}

// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import Sync

/// Seeded runs of ``SyncWorld``. `SYNC_WORLD_RUNS` and `SYNC_WORLD_FIRST` ask for others.
struct ConvergenceTests {
    @Test func `devices agree and lose nothing`() async throws {
        let runs = Self.number("SYNC_WORLD_RUNS") ?? 100
        let first = Self.number("SYNC_WORLD_FIRST") ?? 1
        for seed in first..<first + runs {
            let world = SyncWorld(seed: seed)
            do {
                try await SeededRandomness.with(seed: seed) { try await world.run(steps: 60) }
            } catch {
                let diary = await world.diary + [world.describe()]
                Issue.record("\(diary.joined(separator: "\n"))\nseed \(seed): \(error)")
                return
            }
        }
    }

    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
}

// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import Sync

/// Seeded runs of ``SyncWorld``. `SYNC_WORLD_RUNS` and `SYNC_WORLD_FIRST` ask for others.
struct ConvergenceTests {
    private static let parts: UInt64 = 4

    /// The seeds are dealt out to a few tasks.
    @Test(arguments: 0..<parts) func `devices agree and lose nothing`(part: UInt64) async throws {
        let (first, runs) = (Self.number("SYNC_WORLD_FIRST") ?? 1, Self.number("SYNC_WORLD_RUNS") ?? 2_000)
        for seed in stride(from: first + part, to: first + runs, by: Int(Self.parts)) {
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

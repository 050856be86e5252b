// SPDX-License-Identifier: MIT

import SyncTestSupport
import Testing

struct MemoryPlaceTests {
    @Test(.timeLimit(.minutes(5)), arguments: SyncTransportContract.checks)
    func `a place in memory keeps the contract`(check: SyncTransportContract.Check) async throws {
        let place = MemoryPlace()
        try await check.run(SyncTransportContract.Subject(device: { place }))
    }
}

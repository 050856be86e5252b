// SPDX-License-Identifier: MIT

import Sync
import SyncTestSupport
import SyncWire
import TestKit
import Testing

/// The contract of places over the real relay, on loopback; the other places have their runs in Packages/Sync.
@Suite(.timeLimit(.minutes(5))) struct SyncTransportContractTests {
    @Test(arguments: SyncTransportContract.checks)
    func `the relay keeps the contract`(_ check: SyncTransportContract.Check) async throws {
        try await ReferenceServer.run { server in
            let group = [UInt8](repeating: 0x5C, count: SyncLimit.groupByteCount)
            try await check.run(SyncTransportContract.Subject(device: { server.relay(group) }))
        }
    }
}

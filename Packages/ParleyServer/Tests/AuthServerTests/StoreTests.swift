// SPDX-License-Identifier: MIT

import AuthServerTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct StoreTests {
    private static let contract = AuthStoreContract { InMemoryAuthStore() }

    @Test(arguments: contract.checks.map(\.name)) func theStoreInMemoryKeepsTheContract(_ name: String) async throws {
        let check = try #require(Self.contract.checks.first { $0.name == name })
        try await check.run()
    }
}

// SPDX-License-Identifier: MIT

import DomainTestSupport
import Testing

@Suite struct ConversationRepositoryTests {
    @Test(arguments: ConversationRepositoryContract.checks)
    func inMemoryKeepsThePromise(_ check: ConversationRepositoryContract.Check) async throws {
        try await check.run(InMemoryConversationRepository())
    }
}

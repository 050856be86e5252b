// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import Testing

@Suite struct ConversationRepositoryTests {
    @Test(arguments: ConversationRepositoryContract.checks)
    func inMemoryKeepsThePromise(_ check: ContractCheck<any ConversationRepository>) async throws {
        try await check.run(InMemoryConversationRepository())
    }
}

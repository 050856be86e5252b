// SPDX-License-Identifier: MIT

import DataLayer
import Domain
import DomainTestSupport
import Foundation
import Testing

/// Every implementation of the port keeps every promise of its contract, each on an empty repository of its own.
@Suite struct ConversationRepositoryContractTests {
    @Test(arguments: ConversationRepositoryContract.checks)
    func inMemory(_ check: ContractCheck<any ConversationRepository>) async throws {
        try await check.run(InMemoryConversationRepository())
    }

    @Test(arguments: ConversationRepositoryContract.checks)
    func sqliteFile(_ check: ContractCheck<any ConversationRepository>) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "parley-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await check.run(
            try await SQLiteConversationRepository(path: folder + "/conversations.sqlite", damage: .refuse))
    }

    @Test(arguments: ConversationRepositoryContract.checks)
    func sqliteInMemory(_ check: ContractCheck<any ConversationRepository>) async throws {
        try await check.run(try await SQLiteConversationRepository())
    }
}

// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import StateKnowledge
import Testing

@Suite struct KnowledgeContractTests {
    @Test(arguments: AssistantContract.checks)
    func `the knowledge base keeps the contract`(_ check: ContractCheck<AssistantSubject>) async throws {
        try await check.run(
            AssistantSubject(
                assistant: StateKnowledgeBase(),
                known: ["What is the capital of Texas?", "state bird of ohio", "which state has boise as its capital"],
                refused: ["What is the capital of France?", "tell me a joke"]))
    }
}

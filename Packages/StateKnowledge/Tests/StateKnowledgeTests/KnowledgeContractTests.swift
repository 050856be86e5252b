// SPDX-License-Identifier: MIT

import Domain
import DomainTestSupport
import StateKnowledge
import Testing

@Suite struct KnowledgeContractTests {
    @Test(arguments: QuestionAnswererContract.checks)
    func `the knowledge base keeps the contract`(_ check: ContractCheck<QuestionAnswererSubject>) async throws {
        let answerer = StateKnowledgeBase()
        try await check.run(
            QuestionAnswererSubject(
                answerer: answerer,
                known: ["What is the capital of Texas?", "state bird of ohio", "which state has boise as its capital"],
                refused: ["What is the capital of France?", "tell me a joke"]))
    }
}

// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// The assistant on this machine, which knows what `parley ask` knows.
struct LocalPartner: ChatPartner {
    let ask: AnswerQuestion
    let conversation = Conversation(startedAt: .now)

    var name: String { "offline" }

    func answer(_ question: String, _ tell: @escaping @Sendable (ChatEvent) async throws -> Void) async throws {
        try await tell(.text(try await ask(question, of: TurnID(), in: conversation).text))
    }

    func use(model: String) throws {
        throw DomainError.invalidInput("The local assistant has no models. Leave --offline out to choose one.")
    }

    func tools() -> [ChatTool] { [] }
    func cost() -> ChatCost? { nil }
    func forget() {}
    func close() {}
}

// SPDX-License-Identifier: MIT

import Domain
import Echo
import FoundationEssentials

/// The assistant on this machine, with the knowledge of `parley ask`.
struct LocalPartner: ChatPartner {
    let ask: AnswerQuestion
    let conversation = Domain.Conversation(startedAt: .now)

    var name: String { "offline" }

    func answer(_ question: String, _ tell: @escaping @Sendable (ChatEvent) async throws -> Void) async throws {
        try await tell(.text(try await ask(question, of: TurnID(), in: conversation).text))
    }

    func attach(_ files: [AttachedFile]) throws { throw AttachmentError.noModel }

    func use(model: String) throws {
        throw DomainError.invalidInput("The local assistant has no models. Leave --offline out to choose one.")
    }

    func tools() -> [ChatTool] { [] }
    func cost() -> ChatCost? { nil }
    func forget() {}

    var mode: EchoMode { .text }

    func switchMode(to mode: EchoMode) throws {
        if mode == .audio { throw Self.isSilent }
    }

    func voiceEvents() throws -> EventStream { throw Self.isSilent }
    func carryOutCalls(_ tell: @escaping @Sendable (ChatEvent) async throws -> Void) {}
    func interrupt() {}
    func setMuted(_ muted: Bool) throws { throw Self.isSilent }

    private static let isSilent = DomainError.invalidInput(
        "The local assistant speaks in parley talk. In a chat it writes; omit --offline to speak with a model.")
    func close() {}
}

// SPDX-License-Identifier: MIT

import Domain
import Echo

extension [ResponseItem] {
    /// The items of a stored conversation, for a model: of each turn the question, the calls of tools with their results,
    /// and the answer. A question that got no answer is left out, and so is the person's situation of that time.
    init(_ messages: [Domain.Message]) {
        var order: [TurnID] = []
        var turns: [TurnID: [Domain.Message]] = [:]
        for message in messages where !message.isContext {
            if turns[message.turn] == nil { order.append(message.turn) }
            turns[message.turn, default: []].append(message)
        }
        self = order.flatMap { turn in
            let messages = turns[turn] ?? []
            guard messages.contains(where: { $0.isAnswer || $0.role == .tool }) else { return [ResponseItem]() }
            return messages.sorted { $0.role.place < $1.role.place }.flatMap(Self.items)
        }
    }

    private static func items(of message: Domain.Message) -> [ResponseItem] {
        switch message.role {
        case .user:
            let files = message.attachments.compactMap { try? AttachedFile(name: $0.name, bytes: $0.bytes) }
            return (files.isEmpty ? [] : [files.message]) + [.message(.user, message.text)]
        case .assistant:
            return message.isAnswer && !message.heardText.isEmpty ? [.message(.assistant, message.heardText)] : []
        case .tool:
            guard let call = message.toolCall else { return [] }
            let output = message.state == .partial ? "The call was broken off." : message.text
            return [
                .functionCall(FunctionCallItem(callID: call.callID, name: call.name, arguments: call.arguments)),
                .functionCallOutput(FunctionCallOutputItem(callID: call.callID, output: .text(output))),
            ]
        }
    }
}

extension ResponseItem {
    /// True for the person's situation, which a question had before it.
    var isContext: Bool {
        guard case .message(let message) = self, message.role == .user else { return false }
        return message.text.hasPrefix(UserContext.heading)
    }
}

extension Domain.Message.Role {
    /// The place within a turn. The sort is stable: several calls stay in their order.
    fileprivate var place: Int {
        switch self {
        case .user: 0
        case .tool: 1
        case .assistant: 2
        }
    }
}

extension Domain.Message {
    /// True for an answer of another part of the assistant.
    var isFromThisMachine: Bool {
        switch source {
        case .intent, .states, .cache: role == .assistant
        case .model, .tool, nil: false
        }
    }

    /// The text of an answer as far as the person heard it.
    fileprivate var heardText: String {
        if case .interrupted(let heard?) = state { String(text.prefix(heard)) } else { text }
    }
}

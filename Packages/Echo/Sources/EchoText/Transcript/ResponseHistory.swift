// SPDX-License-Identifier: MIT

/// A conversation as the responses API takes it, derived from its ``Transcript``: without ids, without speech that has no
/// text, and in two parts if the server keeps an answer.
struct ResponseHistory: Sendable {
    /// All items, in a form that may be sent again to a server that has none of them.
    private(set) var items: [ResponseItem] = []
    /// The estimated size of each item, in tokens.
    private(set) var costs: [Int] = []
    /// The number of items up to the answer that the server keeps, with it; `nil` if it keeps none, or something before
    /// it has changed since.
    var keptCount: Int?

    /// The items after the part that the server keeps.
    var newItems: [ResponseItem] { Array(items[(keptCount ?? 0)...]) }

    /// Adds an item.
    mutating func append(_ item: ResponseItem, cost: Int) {
        items.append(item)
        costs.append(cost)
    }
}

extension ResponseItem {
    /// The item in the form for a server that does not have it: without ids; `nil` if it is meaningless without them.
    var repeatable: ResponseItem? {
        switch self {
        case .message(let item):
            if hasAttachment { return .message(MessageItem(role: item.role, content: item.content)) }
            return item.text.isEmpty ? nil : .message(MessageItem(role: item.role, text: item.text))
        case .functionCall(let call):
            return .functionCall(
                FunctionCallItem(callID: call.callID, name: call.name, arguments: call.arguments))
        case .functionCallOutput(let output):
            return .functionCallOutput(FunctionCallOutputItem(callID: output.callID, output: output.output))
        case .reasoning(let item): return item.encryptedContent == nil ? nil : self
        case .customToolCall, .customToolCallOutput, .reference, .unknown: return nil
        }
    }

    /// True for speech of the user without a transcript.
    var isAwaited: Bool {
        guard case .message(let message) = self else { return false }
        return message.role == .user && message.content.allSatisfy { $0.text?.isEmpty ?? false }
    }
}

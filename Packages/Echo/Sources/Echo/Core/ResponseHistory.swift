// SPDX-License-Identifier: MIT

/// What was said so far, in the form in which it is sent: as a whole, or as what came after an answer that the server keeps.
struct ResponseHistory: Sendable {
    /// Everything, in a form that may be sent again without the server's knowing any of it.
    private(set) var items: [ResponseItem] = []
    /// What each of them costs by the estimate, in tokens.
    private(set) var costs: [Int] = []
    /// The answer that the server keeps, which stands for the first ``keptCount`` items.
    private(set) var keptID: String?
    private(set) var keptCount = 0

    init(_ items: [ResponseItem] = []) {
        for item in items { append(item) }
    }

    /// What is to be sent besides ``keptID``.
    var newItems: [ResponseItem] { Array(items[keptCount...]) }

    mutating func append(_ item: ResponseItem) {
        items.append(item)
        costs.append(ContextBudget.cost(of: item))
    }

    /// Takes a whole answer.
    ///
    /// - Parameter isKept: Whether the server keeps it.
    mutating func append(_ response: Response, isKept: Bool) {
        for item in response.output { if let item = item.repeatable { append(item) } }
        guard isKept, !response.id.isEmpty else { return }
        keptID = response.id
        keptCount = items.count
    }

    /// The server does not know the answer any more, or it is not to be used.
    mutating func forget() {
        keptID = nil
        keptCount = 0
    }

    /// Calls which have no result.
    var openCalls: [ToolCall] {
        var open: [ToolCall] = []
        for item in items {
            switch item {
            case .functionCall(let call):
                open.append(ToolCall(id: call.callID, name: call.name, arguments: call.arguments))
            case .functionCallOutput(let output): open.removeAll { $0.id == output.callID }
            default: break
            }
        }
        return open
    }

    /// Gives every call without a result this one. The API takes no history in which one is missing.
    mutating func closeCalls(_ reason: String) {
        for call in openCalls {
            append(.functionCallOutput(FunctionCallOutputItem(callID: call.id, output: .text(reason))))
        }
    }
}

extension ResponseItem {
    /// The item as it may be sent to a server that does not know it: without ids, and `nil` for what is nothing without
    /// them.
    var repeatable: ResponseItem? {
        switch self {
        case .message(let item):
            return item.text.isEmpty ? nil : .message(MessageItem(role: item.role, text: item.text))
        case .functionCall(let call):
            return .functionCall(
                FunctionCallItem(callID: call.callID, name: call.name, arguments: call.arguments))
        case .functionCallOutput: return self
        case .reasoning(let item): return item.encryptedContent == nil ? nil : self
        case .customToolCall, .customToolCallOutput, .reference, .unknown: return nil
        }
    }
}

extension ResponseItem {
    /// A message as part of a history.
    init(_ message: Message) {
        let role: ItemRole =
            switch message.role {
            case .user: .user
            case .assistant: .assistant
            case .system: .system
            }
        self = .message(role, message.text)
    }
}

// SPDX-License-Identifier: MIT

/// The history as it is sent: as a whole, or the part after an answer that the server keeps.
struct ResponseHistory: Sendable {
    /// The id and state of an item in the conversation.
    private struct Name: Sendable {
        var id: String?
        var isInterrupted = false
    }

    /// Everything, in a form that may be sent again without the server's knowing any of it. A message of the user's
    /// without words is one whose transcript has not come: leave it out.
    private(set) var items: [ResponseItem] = []
    /// The estimated size of each item, in tokens.
    private(set) var costs: [Int] = []
    private var names: [Name] = []
    /// The answer that the server keeps, which stands for the first ``keptCount`` items.
    private(set) var keptID: String?
    private(set) var keptCount = 0

    /// A history of items with their names.
    init(_ items: [ResponseItem] = []) {
        for item in items {
            var isInterrupted = false
            if case .message(let message) = item { isInterrupted = message.status == .incomplete }
            guard let repeatable = item.isAwaited ? item : item.repeatable else { continue }
            append(repeatable, id: item.id, isInterrupted: isInterrupted)
        }
    }

    /// The items to send besides ``keptID``.
    var newItems: [ResponseItem] { Array(items[keptCount...]) }

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - id: By what the conversation knows it; a message's name.
    ///   - isInterrupted: True if it was cut short.
    mutating func append(_ item: ResponseItem, id: String? = nil, isInterrupted: Bool = false) {
        items.append(item)
        costs.append(ContextBudget.cost(of: item))
        names.append(Name(id: id, isInterrupted: isInterrupted))
    }

    /// Takes a whole answer.
    ///
    /// - Parameters:
    ///   - isKept: True if the server keeps it.
    ///   - messageID: The name of the message that has its words.
    mutating func append(_ response: Response, isKept: Bool, messageID: String? = nil) {
        var name = messageID
        for output in response.output {
            guard let item = output.repeatable else { continue }
            if case .message = output {
                append(item, id: name ?? output.id)
                name = nil
            } else {
                append(item, id: output.id)
            }
        }
        guard isKept, !response.id.isEmpty else { return }
        keptID = response.id
        keptCount = items.count
    }

    /// The words of a message that had none; the server has to be told of them.
    mutating func fill(_ id: String, transcript: String) {
        guard let index = names.lastIndex(where: { $0.id == id }), items[index].isAwaited,
            case .message(let message) = items[index], !transcript.isEmpty
        else { return }
        items[index] = .message(message.role, transcript)
        costs[index] = ContextBudget.cost(of: items[index])
        if index < keptCount { forget() }
    }

    /// The server does not know the answer any more, or it is not to be used.
    mutating func forget() {
        keptID = nil
        keptCount = 0
    }

    /// Calls which have no result.
    var openCalls: [ToolCall] { items.openCalls }

    /// Gives every call without a result this one. The API takes no history in which one is missing.
    mutating func closeCalls(_ reason: String) {
        for call in openCalls {
            append(.functionCallOutput(FunctionCallOutputItem(callID: call.id, output: .text(reason))))
        }
    }

    /// All of it under its names, as another engine takes it.
    var named: [ResponseItem] {
        zip(items, names).map { item, name in item.named(name.id, isInterrupted: name.isInterrupted) }
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
        case .functionCallOutput(let output):
            return .functionCallOutput(FunctionCallOutputItem(callID: output.callID, output: output.output))
        case .reasoning(let item): return item.encryptedContent == nil ? nil : self
        case .customToolCall, .customToolCallOutput, .reference, .unknown: return nil
        }
    }

    /// True if it is something that the user said and of which there is no transcript.
    var isAwaited: Bool {
        guard case .message(let message) = self else { return false }
        return message.role == .user && message.content.allSatisfy { $0.text?.isEmpty ?? false }
    }
}

// SPDX-License-Identifier: MIT

/// The history as it is sent: as a whole, or the part after an answer that the server keeps.
struct ResponseHistory: Sendable {
    /// The id and state of an item in the conversation.
    private struct Name: Sendable {
        var id: String?
        var isInterrupted = false
    }

    /// All items, in a form that may be sent again to a server that has none of them. A message of the user without
    /// text has no transcript yet: leave it out.
    private(set) var items: [ResponseItem] = []
    /// The estimated size of each item, in tokens.
    private(set) var costs: [Int] = []
    private var names: [Name] = []
    /// The id of the answer that the server keeps, which replaces the first ``keptCount`` items.
    private(set) var keptID: String?
    private(set) var keptCount = 0

    /// A history of items with their ids.
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
    ///   - id: The item's id in the conversation; a message's id.
    ///   - isInterrupted: True if the item was cut short.
    mutating func append(_ item: ResponseItem, id: String? = nil, isInterrupted: Bool = false) {
        items.append(item)
        costs.append(ContextBudget.cost(of: item))
        names.append(Name(id: id, isInterrupted: isInterrupted))
    }

    /// Adds a whole answer.
    ///
    /// - Parameters:
    ///   - isKept: True if the server keeps it.
    ///   - messageID: The id of the message with its text.
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

    /// Sets the text of a message that had none; the server has to be sent it.
    mutating func fill(_ id: String, transcript: String) {
        guard let index = names.lastIndex(where: { $0.id == id }), items[index].isAwaited,
            case .message(let message) = items[index], !transcript.isEmpty
        else { return }
        items[index] = .message(message.role, transcript)
        costs[index] = ContextBudget.cost(of: items[index])
        if index < keptCount { forget() }
    }

    /// Forgets ``keptID``: the server does not have the answer any more, or it is not to be used.
    mutating func forget() {
        keptID = nil
        keptCount = 0
    }

    /// Calls without a result.
    var openCalls: [ToolCall] { items.openCalls }

    /// Adds this result to every call without one. The API accepts no history with a missing result.
    mutating func closeCalls(_ reason: String) {
        for call in openCalls {
            append(.functionCallOutput(FunctionCallOutputItem(callID: call.id, output: .text(reason))))
        }
    }

    /// All items with their ids, in the form for another engine.
    var named: [ResponseItem] {
        zip(items, names).map { item, name in item.named(name.id, isInterrupted: name.isInterrupted) }
    }
}

extension ResponseItem {
    /// The item in the form for a server that does not have it: without ids; `nil` if it is meaningless without them.
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

    /// True for speech of the user without a transcript.
    var isAwaited: Bool {
        guard case .message(let message) = self else { return false }
        return message.role == .user && message.content.allSatisfy { $0.text?.isEmpty ?? false }
    }
}

// SPDX-License-Identifier: MIT

package import FoundationEssentials

/// The record as items. Messages have the ids of their ``Message``s; one that was cut short is
/// ``ItemStatus/incomplete``; one without words is speech whose transcript has not come.
extension Transcript {
    /// All messages, calls and results, in order.
    package var items: [ResponseItem] { indicesInOrder.compactMap { item(at: $0) } }

    /// All positions in order, with the items that are there.
    package var positions: [(id: String, item: ResponseItem?)] {
        indicesInOrder.map { (entries[$0].id, item(at: $0)) }
    }

    private var indicesInOrder: [Int] {
        var all: [Int] = []
        var index = head
        while let current = index {
            all.append(current)
            index = entries[current].next
        }
        return all
    }

    private func item(at index: Int) -> ResponseItem? {
        switch entries[index].content {
        case .place: nil
        case .item(let item): item
        case .waiting(let message): Self.item(of: message, entries[index].original)
        case .released(let number): Self.item(of: released[number], entries[index].original)
        }
    }

    private static func item(of message: Message, _ original: MessageItem?) -> ResponseItem? {
        let isReady = message.transcriptStatus.isReady && message.transcriptFailure == nil
        if message.role == .user, !isReady || message.text.isEmpty, original == nil {
            return .message(MessageItem(id: message.id, role: .user, content: []))
        }
        var item = original ?? MessageItem(role: ItemRole(message.role), text: message.text)
        guard !item.content.isEmpty, original != nil || !message.text.isEmpty else { return nil }
        item.id = message.id
        let isWhole = isReady && !message.isInterrupted && message.incompleteReason == nil
        item.status =
            message.role == .assistant || message.isInterrupted ? (isWhole ? .completed : .incomplete) : nil
        return .message(item)
    }

    /// The conversation as the responses API takes it.
    ///
    /// - Parameter mark: The end of the part that the server keeps.
    mutating func history(after mark: Mark?) -> ResponseHistory {
        var history = ResponseHistory()
        let last = mark.flatMap { index(of: $0) }
        for index in indicesInOrder {
            if let item = item(at: index), !item.isAwaited, let item = item.repeatable {
                let cost = entries[index].cost ?? ContextBudget.cost(of: item)
                setCost(cost, at: index)
                history.append(item, cost: cost)
            }
            if index == last { history.keptCount = history.items.count }
        }
        return history
    }

    // MARK: Changes by text conversations

    /// Adds an item at the end.
    mutating func append(_ item: ResponseItem) { insert(.item(item), id: item.id, at: .end) }

    /// Adds the items of a whole answer, except its messages: they are one message here already, with its own id.
    mutating func append(_ answer: Response, message id: String?) {
        let output = answer.output
        let cut = id.flatMap { _ in output.firstIndex { if case .message = $0 { true } else { false } } } ?? 0
        var previous = id.flatMap { index(before: $0) }
        for item in output[..<cut].compactMap(\.recorded) {
            _ = insert(.item(item), "\u{0}\(entries.count)", after: previous)
            previous = entries.count - 1
        }
        for item in output[cut...].compactMap(\.recorded) { append(item) }
    }

    private func index(before id: String) -> Int? {
        guard let index = index(of: id) else { return nil }
        return indicesInOrder.last { entries[$0].next == index }
    }

    /// Begins with items of an earlier conversation.
    ///
    /// - Parameters:
    ///   - item: The item; it gets the message's id.
    ///   - message: The message that it is, if it is one.
    /// - Returns: The messages that this released.
    package mutating func restore(_ item: ResponseItem, as message: Message?) -> [Message] {
        guard let message, case .message(let original) = item else {
            guard item.isAwaited || item.repeatable != nil else { return [] }
            append(item)
            return []
        }
        let released = insert(message, at: .end)
        if item.hasAttachment || original.role == .developer { keep(original, as: message.id) }
        return released
    }

    /// Calls without a result, in order.
    var openCalls: [ToolCall] { items.openCalls }

    /// Adds this result to every call without one: neither API takes a history in which one is missing.
    mutating func closeCalls(_ reason: String) {
        for call in openCalls { append(.output(of: call.id, reason)) }
    }
}

extension ResponseItem {
    /// The result that the model reads for a call that was never answered.
    package static let switchedReason = "The conversation went on in another mode before the call was answered."

    static func output(of callID: String, _ text: String) -> ResponseItem {
        .functionCallOutput(FunctionCallOutputItem(callID: callID, output: .text(text)))
    }

    /// The item in the form for the record: as it may be sent again, with its id; `nil` for a message, and for what
    /// cannot be sent again.
    fileprivate var recorded: ResponseItem? {
        if case .message = self { return nil }
        guard var item = repeatable else { return nil }
        item.id = id
        return item
    }
}

extension [ResponseItem] {
    /// Calls without a result.
    var openCalls: [ToolCall] {
        var open: [ToolCall] = []
        for item in self {
            switch item {
            case .functionCall(let call):
                open.append(ToolCall(id: call.callID, name: call.name, arguments: call.arguments))
            case .functionCallOutput(let output): open.removeAll { $0.id == output.callID }
            default: break
            }
        }
        return open
    }

    /// With a result for every call that has none.
    package func closed(_ reason: String = ResponseItem.switchedReason) -> [ResponseItem] {
        self + openCalls.map { .output(of: $0.id, reason) }
    }
}

extension ItemRole {
    fileprivate init(_ role: MessageRole) {
        self =
            switch role {
            case .user: .user
            case .assistant: .assistant
            case .system: .system
            }
    }
}

extension Message {
    /// A message from an item; `nil` if the item is not a message with text.
    package init?(_ item: ResponseItem, id: String, createdAt: Date) {
        guard case .message(let message) = item, !message.text.isEmpty else { return nil }
        let role: MessageRole = message.role == .user ? .user : message.role == .assistant ? .assistant : .system
        self.init(
            id: id, role: role, text: message.text, isInterrupted: message.status == .incomplete, createdAt: createdAt)
    }
}

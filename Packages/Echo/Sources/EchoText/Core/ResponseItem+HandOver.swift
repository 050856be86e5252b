// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A conversation as items: what one engine hands over to the next. Messages have the names of their ``Message``s; one that
/// was cut short is ``ItemStatus/incomplete``; one without words is speech whose transcript has not come.
extension ResponseItem {
    /// The item with that id.
    func named(_ id: String?, isInterrupted: Bool = false) -> ResponseItem {
        var item = self
        item.id = id
        guard case .message(var message) = item else { return item }
        message.status = isInterrupted ? .incomplete : message.role == .assistant ? .completed : nil
        return .message(message)
    }

    /// The result that the model reads for a call that was never answered.
    package static let switchedReason = "The conversation went on in another mode before the call was answered."
}

extension [ResponseItem] {
    /// Calls which have no result.
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

    /// With a result for every call that has none: neither API takes a history in which one is missing.
    package func closed(_ reason: String = ResponseItem.switchedReason) -> [ResponseItem] {
        self + openCalls.map { .functionCallOutput(FunctionCallOutputItem(callID: $0.id, output: .text(reason))) }
    }
}

extension Message {
    /// The message that an item is; `nil` for what is none.
    init?(_ item: ResponseItem, id: String, createdAt: Date) {
        guard case .message(let message) = item, !message.text.isEmpty else { return nil }
        let role: MessageRole =
            message.role == .user ? .user : message.role == .assistant ? .assistant : .system
        self.init(
            id: id, role: role, text: message.text, isInterrupted: message.status == .incomplete, createdAt: createdAt)
    }
}

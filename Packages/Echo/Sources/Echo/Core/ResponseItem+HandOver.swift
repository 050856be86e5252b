// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A conversation as items: the form in which one engine hands it over to the next. Messages have the ids of their
/// ``Message``s; one that was cut short is ``ItemStatus/incomplete``; one without text is speech whose transcript has
/// not arrived.
extension ResponseItem {
    /// The item with that id.
    func named(_ id: String?, isInterrupted: Bool = false) -> ResponseItem {
        switch self {
        case .message(var item):
            item.id = id
            item.status = isInterrupted ? .incomplete : item.role == .assistant ? .completed : nil
            return .message(item)
        case .functionCall(var item):
            item.id = id
            return .functionCall(item)
        case .functionCallOutput(var item):
            item.id = id
            return .functionCallOutput(item)
        default: return self
        }
    }

    /// The text form of a voice session's item; `nil` if it has none.
    init?(_ item: RealtimeItem) {
        switch item {
        case .message(let message):
            let parts = message.content.compactMap { ContentPart($0, role: message.role) }
            self = .message(
                MessageItem(id: message.id, role: message.role, content: parts, status: message.status))
        case .functionCall(let call): self = .functionCall(call)
        case .functionCallOutput(let output): self = .functionCallOutput(output)
        case .mcpCall, .mcpApprovalRequest, .mcpApprovalResponse, .mcpListTools, .unknown: return nil
        }
    }

    /// The result, for the model, of a call that was never answered.
    static let switchedReason = "The conversation went on in another mode before the call was answered."
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

    /// The items with a result for every call: neither API accepts a history with a missing one.
    func closed(_ reason: String = ResponseItem.switchedReason) -> [ResponseItem] {
        self + openCalls.map { .functionCallOutput(FunctionCallOutputItem(callID: $0.id, output: .text(reason))) }
    }
}

extension RealtimeItem {
    /// The longest id that a voice session accepts, in characters. The ids of the responses API are longer.
    static let maximumIDLength = 32

    /// The voice session's form of a text conversation's item; `nil` if it has none.
    init?(_ item: ResponseItem) {
        let id = item.id.map { String($0.suffix(Self.maximumIDLength)) }
        switch item {
        case .message(let message):
            let role: ItemRole = message.role == .developer ? .system : message.role
            let parts = message.content.compactMap { RealtimeContent($0, role: role) }
            self = .message(RealtimeMessage(id: id, role: role, content: parts, status: message.status))
        case .functionCall(let call):
            self = .functionCall(
                FunctionCallItem(id: id, callID: call.callID, name: call.name, arguments: call.arguments))
        case .functionCallOutput(let output):
            self = .functionCallOutput(
                FunctionCallOutputItem(id: id, callID: output.callID, output: .text(output.text)))
        case .customToolCall, .customToolCallOutput, .reasoning, .reference, .unknown: return nil
        }
    }
}

extension ContentPart {
    /// A part of a message, as text; `nil` for sound without a transcript.
    fileprivate init?(_ part: RealtimeContent, role: ItemRole) {
        if case .inputImage(let url, let detail) = part {
            self = .inputImage(url: url, fileID: nil, detail: detail)
            return
        }
        guard let text = part.text, !text.isEmpty else { return nil }
        self = role == .assistant ? .outputText(OutputText(text)) : .inputText(text)
    }
}

extension RealtimeContent {
    fileprivate init?(_ part: ContentPart, role: ItemRole) {
        if case .inputImage(let url?, _, let detail) = part {
            self = .inputImage(url: url, detail: detail)
            return
        }
        guard let text = part.text, !text.isEmpty else { return nil }
        self = role == .assistant ? .outputText(text) : .inputText(text)
    }
}

extension Message {
    /// The message in an item; `nil` if it is not a message with text.
    init?(_ item: ResponseItem, id: String, createdAt: Date) {
        guard case .message(let message) = item, !message.text.isEmpty else { return nil }
        let role: MessageRole =
            message.role == .user ? .user : message.role == .assistant ? .assistant : .system
        self.init(
            id: id, role: role, text: message.text, isInterrupted: message.status == .incomplete, createdAt: createdAt)
    }
}

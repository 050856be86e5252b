// SPDX-License-Identifier: MIT

/// Translates a conversation's items into those of the other mode.
extension ResponseItem {
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
}

extension RealtimeItem {
    /// The longest id that a voice session accepts, in characters. The ids of the responses API are longer.
    static let maximumIDLength = 32

    /// The voice session's form of an item of a text conversation; `nil` if it has none.
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

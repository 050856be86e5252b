// SPDX-License-Identifier: MIT

/// An event, and the conversation in which it happened.
@dynamicMemberLookup
public struct ConversationEvent: Sendable {
    /// The event.
    public let detail: EchoEvent
    /// The ``Conversation/id`` of the conversation, if the event belongs to one.
    public let conversationID: String?

    /// An event.
    public init(_ detail: EchoEvent, conversationID: String? = nil) {
        self.detail = detail
        self.conversationID = conversationID
    }

    /// The kind of event.
    public var type: EventType { detail.type }

    /// A value of the event, such as its text.
    public subscript<Value>(dynamicMember path: KeyPath<EchoEvent, Value>) -> Value { detail[keyPath: path] }
}

extension EchoEvent {
    /// The text of an event with text: a piece of the answer, a transcript, or a finalised message's text.
    public var text: String? {
        switch self {
        case .assistantTextDelta(let piece): piece
        case .userTranscriptionCompleted(let transcript, _): transcript
        case .messageFinalized(let message): message.text
        default: nil
        }
    }

    /// The message of `messageFinalized`.
    public var message: Message? { if case .messageFinalized(let message) = self { message } else { nil } }

    /// The call of `toolCallRequested`.
    public var toolCall: ToolCall? { if case .toolCallRequested(let call) = self { call } else { nil } }

    /// The error of an `error` event.
    public var error: (any Error)? { if case .error(let error) = self { error } else { nil } }
}

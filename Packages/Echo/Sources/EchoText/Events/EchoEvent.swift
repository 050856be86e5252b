// SPDX-License-Identifier: MIT

/// An event, and the conversation in which it happened.
///
/// ```swift
/// echo.when(.assistantTextDelta) { event in
///     if case .assistantTextDelta(let piece) = event.detail { show(piece) }
/// }
/// ```
public struct EchoEvent: Sendable {
    /// The kind of event with its values.
    public let detail: Detail
    /// The ``Conversation/id`` of the conversation, if the event belongs to one.
    public let conversationID: String?

    /// An event.
    public init(_ detail: Detail, conversationID: String? = nil) {
        self.detail = detail
        self.conversationID = conversationID
    }

    /// The kind of event.
    public var type: EventType { detail.type }

    /// The text of an event with text: a piece of the answer, a transcript, or a finalised message's text.
    public var text: String? {
        switch detail {
        case .assistantTextDelta(let piece): piece
        case .userTranscriptionCompleted(let transcript, _): transcript
        case .messageFinalized(let message): message.text
        default: nil
        }
    }

    /// The message of `messageFinalized`.
    public var message: Message? { if case .messageFinalized(let message) = detail { message } else { nil } }

    /// The call of `toolCallRequested`.
    public var toolCall: ToolCall? { if case .toolCallRequested(let call) = detail { call } else { nil } }

    /// The error of an `error` event.
    public var error: (any Error)? { if case .error(let error) = detail { error } else { nil } }
}

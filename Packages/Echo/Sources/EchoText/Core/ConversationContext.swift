// SPDX-License-Identifier: MIT

/// The values that all engines of one conversation share.
package struct ConversationContext: Sendable {
    /// The conversation's id in events.
    package let id: String
    /// The instructions that precede all messages.
    package let systemMessage: String?
    /// The rule that ends the user's turns in voice.
    package let turnMode: TurnDetection
    /// All messages, in every mode.
    package let queue: MessageQueue
    /// The receiver of the events.
    let events: ConversationEvents
    /// The tools that the model may call.
    package let tools: ToolRegistry
    /// The line on which an engine asks for another mode.
    package let modeRequests = ModeRequests()

    package func emit(_ detail: EchoEvent) async {
        await events.emit(ConversationEvent(detail, conversationID: id))
    }
}

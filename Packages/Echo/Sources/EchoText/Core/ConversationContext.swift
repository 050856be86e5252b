// SPDX-License-Identifier: MIT

/// What all engines of one conversation share.
package struct ConversationContext: Sendable {
    /// The conversation's name in events.
    package let id: String
    /// What the assistant is told before everything else.
    package let systemMessage: String?
    /// Who ends the user's turns in voice.
    package let turnMode: TurnDetection
    /// All messages, whatever the mode.
    package let queue: MessageQueue
    /// What takes the events.
    package let emitter: any EventEmitterProtocol
    /// What the model may call.
    package let tools: ToolRegistry
    /// By what an engine asks for another mode.
    package let modeRequests = ModeRequests()

    package func emit(_ detail: EchoEvent.Detail) async {
        await emitter.emit(EchoEvent(detail, conversationID: id))
    }
}

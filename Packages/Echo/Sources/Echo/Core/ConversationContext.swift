// SPDX-License-Identifier: MIT

/// What all engines of one conversation share.
struct ConversationContext: Sendable {
    /// The conversation's name in events.
    let id: String
    /// What the assistant is told before everything else.
    let systemMessage: String?
    /// Who ends the user's turns in voice.
    let turnMode: TurnDetection
    /// All messages, whatever the mode.
    let queue: MessageQueue
    /// What takes the events.
    let emitter: any EventEmitterProtocol
    /// What the model may call.
    let tools: ToolRegistry
    /// By what an engine asks for another mode.
    let modeRequests = ModeRequests()

    func emit(_ detail: EchoEvent.Detail) async {
        await emitter.emit(EchoEvent(detail, conversationID: id))
    }
}

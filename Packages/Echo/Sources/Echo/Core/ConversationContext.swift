// SPDX-License-Identifier: MIT

/// The values that all engines of one conversation share.
struct ConversationContext: Sendable {
    /// The conversation's id in events.
    let id: String
    /// The instructions to the assistant, before everything else.
    let systemMessage: String?
    /// The party that ends the user's turns in voice.
    let turnMode: TurnDetection
    /// All messages, in every mode.
    let queue: MessageQueue
    /// The receiver of the events.
    let emitter: any EventEmitterProtocol
    /// The tools that the model may call.
    let tools: ToolRegistry
    /// Requests of an engine for another mode.
    let modeRequests = ModeRequests()

    func emit(_ detail: EchoEvent.Detail) async {
        await emitter.emit(EchoEvent(detail, conversationID: id))
    }
}

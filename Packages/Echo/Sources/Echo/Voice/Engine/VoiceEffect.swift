// SPDX-License-Identifier: MIT

import Concurrency

/// What a voice conversation does where somebody else may take time: in order, and apart from the loop, so that a slow
/// handler delays no sound.
enum VoiceEffect: Sendable {
    case messages([TranscriptOrder.Operation])
    case emit(EchoEvent.Detail)
    /// A command is done.
    case done(Int, VoiceFailure?)
    /// The program has calls of tools to carry out.
    case handedOver
    /// From here on, the end of the assistant's turn is the end of what that number waits for.
    case awaitTurn(Int)
    case turnEnded
    /// What has no text by now goes without.
    case settle
    /// As ``settle``; the text may still come late, for another engine that goes on.
    case retire
    /// Tells that all before is done.
    case reached(Promise<Void>)
}

// SPDX-License-Identifier: MIT

import Concurrency

/// An effect of a voice conversation that may wait for other code: performed in order, and apart from the loop, so that
/// a slow handler delays no sound.
enum VoiceEffect: Sendable {
    case messages([TranscriptOrder.Operation])
    case emit(EchoEvent)
    /// A command is done.
    case done(Int, VoiceFailure?)
    /// The program has to carry out calls of tools.
    case handedOver
    /// From here on, the end of the assistant's turn completes the command with that number.
    case awaitTurn(Int)
    case turnEnded
    /// Release messages without text.
    case settle
    /// As ``settle``; the text may still arrive late, for another engine that continues.
    case retire
    /// Report that all effects before are done.
    case reached(Promise<Void>)
}

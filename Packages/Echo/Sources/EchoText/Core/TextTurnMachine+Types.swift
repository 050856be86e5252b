// SPDX-License-Identifier: MIT

extension TextTurnMachine {
    enum Input: Sendable {
        /// The caller sends a message.
        case send(String)
        /// The caller submits results of the calls that the program carries out.
        case submit([ToolResult])
        /// A piece of the answer's text arrived.
        case delta
        /// The model has answered, and requests these calls.
        case answered([ToolCall])
        /// The calls were carried out.
        case ran([ToolResult])
        /// The request or the calls failed. `mayRepeat` is true if the request continued an answer that the server no
        /// longer has, or was too long, so that the whole history may be sent instead, or a shorter one.
        case failed(any Error, mayRepeat: Bool)
        /// The request or the calls were cancelled: after ``Action/stop``, or by the caller.
        case cancelled
        /// The program interrupts the assistant.
        case interrupt
        /// Another engine is to continue: the turn ends; calls keep waiting for the program.
        case pause
        /// The turn line is held, so that no other turn begins.
        case paused
        /// The conversation continues after all.
        case resume
        /// The conversation ends.
        case close
    }

    enum Action: Sendable {
        /// Add the user's message.
        case addMessage(String)
        /// Ask the model, and report ``Input/answered(_:)``, ``Input/failed(_:mayRepeat:)`` or ``Input/cancelled``.
        case ask
        /// As ``ask``, with the whole history, or as much of it as fits.
        case askAnew
        /// Carry out calls, and report ``Input/ran(_:)``, ``Input/failed(_:mayRepeat:)`` or ``Input/cancelled``.
        case run([ToolCall])
        /// Add the result of a call to the history.
        case addResult(ToolResult)
        /// Give each call without a result this one.
        case closeCalls(String)
        /// Give the program an event.
        case emit(EchoEvent)
        /// Cancel the request or the calls in progress.
        case stop
        /// Let the next turn begin, after ``Input/paused``.
        case releaseLine
        /// The caller continues.
        case finish(End)
    }

    /// The end of a caller's wait.
    enum End: Sendable {
        /// The turn is over, or waits for the program.
        case returned
        /// The program ended the turn.
        case interrupted
        /// The caller was cancelled.
        case cancelled
        case failed(any Error)
        /// The engine was closed before the call had any effect.
        case closed
    }

    enum State: Sendable {
        /// No turn is in progress.
        case idle
        case asking
        case running
        /// The program carries out calls; the results so far, by call.
        case pending([ToolCall], [String: ToolResult])
    }
}

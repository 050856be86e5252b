// SPDX-License-Identifier: MIT

extension VoiceConfiguration {
    /// How long a voice conversation waits for what may never come. No program needs others; tests do, whose days are
    /// shorter.
    struct Limits: Sendable, Hashable {
        /// For the server's answers.
        var answers = ResponseGate.Limits()
        /// For transcripts, and items that others follow.
        var transcripts = TranscriptOrder.Limits()
        /// For a session: connecting, the handshake and the confirmation each. 15 s.
        var handshake = Duration.seconds(15)
        /// For the server's part of the closing handshake. 5 s.
        var closing = Duration.seconds(5)
        /// For a line that takes nothing of what is to be sent. 15 s.
        var sending = Duration.seconds(15)
        /// For servers of tools, before the session begins without theirs. 500 ms.
        var tools = Duration.milliseconds(500)
        /// For transcripts, before another engine begins. 800 ms.
        var windUp = Duration.milliseconds(800)
        /// For the machine's word that all has ended. 2 s.
        var windUpEnd = Duration.seconds(2)
        /// For transcripts, while the other engine goes on. 10 s.
        var late = Duration.seconds(10)
        /// The limit of failed sessions at the start of a conversation. 3.
        var attempts = 3
    }
}

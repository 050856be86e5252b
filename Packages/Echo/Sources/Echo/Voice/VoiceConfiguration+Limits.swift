// SPDX-License-Identifier: MIT

extension VoiceConfiguration {
    /// Time limits of a voice conversation. Programs need no others; tests do, since they run for less time.
    struct Limits: Sendable, Hashable {
        /// For the server's answers.
        var answers = ResponseGate.Limits()
        /// For transcripts, and items that others follow.
        var transcripts = TranscriptOrder.Limits()
        /// For a session: connecting, the handshake and the confirmation each. 15 s.
        var handshake = Duration.seconds(15)
        /// For the server's part of the closing handshake. 5 s.
        var closing = Duration.seconds(5)
        /// For a connection that accepts nothing that is to be sent. 15 s.
        var sending = Duration.seconds(15)
        /// For servers of tools, before the session begins without their tools. 500 ms.
        var tools = Duration.milliseconds(500)
        /// For transcripts, before another engine begins. 800 ms.
        var windUp = Duration.milliseconds(800)
        /// For the machine's report that all turns have ended. 2 s.
        var windUpEnd = Duration.seconds(2)
        /// For transcripts, while the other engine continues. 10 s.
        var late = Duration.seconds(10)
        /// The limit of failed sessions at the start of a conversation. 3.
        var attempts = 3
    }
}

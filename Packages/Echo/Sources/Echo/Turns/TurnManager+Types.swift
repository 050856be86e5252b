// SPDX-License-Identifier: MIT

extension TurnManager {
    /// The settings of turns.
    public struct Options: Sendable, Hashable, Codable {
        /// The time in which a word of speech over an answer has to come; else it was noise. 2 s.
        public var falseInterruption: Duration
        /// Speech over an answer that lasts this long interrupts, regardless of its transcript. 1.5 s.
        public var certainInterruption: Duration
        /// True if an answer can continue after a false interruption; otherwise any speech cuts it.
        public var resumesAnswers: Bool
        /// The shortest sound of a turn that the program ends: the API refuses less. 100 ms.
        public var minimumTurn: Duration
        /// The time that the server may take to make an item of speech; else that turn is over. 5 s.
        public var commit: Duration
        /// The silence after which `EchoEvent.idleTimedOut` is reported; `nil` for no limit.
        public var idleTimeout: Duration?
        /// The longest turn of the user that the program begins: after it the turn ends, as if the program had ended it.
        /// 5 min, the most sound that a session takes in one turn; `nil` for no limit.
        public var longestTurn: Duration?

        /// Settings of turns.
        public init(
            falseInterruption: Duration = .seconds(2), certainInterruption: Duration = .milliseconds(1_500),
            resumesAnswers: Bool = true, minimumTurn: Duration = .milliseconds(100), commit: Duration = .seconds(5),
            idleTimeout: Duration? = nil, longestTurn: Duration? = .seconds(300)
        ) {
            self.falseInterruption = falseInterruption
            self.certainInterruption = certainInterruption
            self.resumesAnswers = resumesAnswers
            self.minimumTurn = minimumTurn
            self.commit = commit
            self.idleTimeout = idleTimeout
            self.longestTurn = longestTurn
        }
    }

    /// The events of turns.
    enum Event: Sendable, Hashable {
        /// The detector hears speech begin; it will become that item.
        case speechStarted(itemID: String)
        /// The detector hears the speech end.
        case speechStopped(itemID: String)
        /// The sound became an item.
        case committed(itemID: String)
        /// A piece of the item's transcript arrived.
        case transcriptPiece(itemID: String, text: String)
        /// The item's transcript is complete; `nil` if it failed.
        case transcriptEnded(itemID: String, text: String?)
        /// The program begins the user's turn, as when a button is pressed.
        case turnBegins
        /// Sound of that duration was sent to the server.
        case captured(Duration)
        /// The program ends the user's turn.
        case turnEnds
        /// The model begins to answer.
        case answerStarted
        /// Sound of the answer is on its way to the loudspeaker.
        case answerQueued
        /// The model has answered; the queued sound plays on.
        case answerEnded
        /// All queued sound was heard.
        case playbackFinished
        /// The program wants the assistant to be quiet.
        case interrupt
        /// The session has ended; another will replace it.
        case sessionLost
        /// Another session replaced this one; it has the same conversation and the user's uncommitted sound.
        /// `keepsAnswer` is true if a complete answer is still to be heard, or another to come.
        case sessionReplaced(keepsAnswer: Bool = false)
    }

    /// The actions that follow.
    enum Action: Sendable, Hashable {
        /// Stop playback at once, and keep the unheard sound.
        case pausePlayback
        /// Continue with the unheard sound.
        case resumePlayback
        /// Stop playback, drop the unheard sound, cancel the answer, and report to the server how much was heard.
        case cutAnswer
        /// Send `input_audio_buffer.clear`.
        case clearInput
        /// Send `input_audio_buffer.commit`.
        case commitInput
        /// Request an answer to those items, by ``ResponseGate``.
        case requestAnswer(items: [String])
        /// Send `conversation.item.delete`: the item was noise.
        case deleteItem(id: String)
        /// Restore a deleted item as text: it was speech after all.
        case restoreItem(id: String, text: String)
        /// A turn begins.
        case turnBegan(Speaker)
        /// A turn is over.
        case turnEnded(Speaker)
        /// The user interrupted the assistant.
        case interrupted
        /// The turn was shorter than the minimum; its sound was dropped.
        case tooShort
        /// The user has been silent for the idle time-out.
        case idleTimedOut
        /// The turn that the program began has lasted too long; it ends now.
        case timedOut
    }

    /// Speech over an answer.
    struct Doubt: Sendable, Hashable {
        /// The items of the speech; `committed` has those that the server committed.
        var items: [String]
        var committed: [String] = []
        var isSpeaking = true
        /// While speech lasts: the time at which it is certain. After it: the time at which it counts as noise.
        var deadline: Duration
    }
}

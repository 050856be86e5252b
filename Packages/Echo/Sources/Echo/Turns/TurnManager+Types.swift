// SPDX-License-Identifier: MIT

extension TurnManager {
    /// The settings of turns.
    public struct Options: Sendable, Hashable {
        /// The time in which a word of speech over an answer has to come; else it was noise. 2 s.
        public var falseInterruption = Duration.seconds(2)
        /// Speech over an answer that lasts so long interrupts, whatever its transcript will say. 1.5 s.
        public var certainInterruption = Duration.milliseconds(1_500)
        /// True if an answer can go on after a false interruption; without it any speech cuts it.
        public var resumesAnswers = true
        /// The least sound of a turn of the program's: the API refuses less. 100 ms.
        public var minimumTurn = Duration.milliseconds(100)
        /// The time that the server may take to make an item of speech; else that turn is over. 5 s.
        public var commit = Duration.seconds(5)
        /// The silence before ``Action/idleTimedOut``; `nil` for no limit.
        public var idleTimeout: Duration?

        /// The defaults.
        public init() {}
    }

    /// What happens.
    public enum Event: Sendable, Hashable {
        /// The detector hears speech begin, which will be that item.
        case speechStarted(itemID: String)
        /// The detector hears it end.
        case speechStopped(itemID: String)
        /// The sound became an item.
        case committed(itemID: String)
        /// A piece of its transcript came.
        case transcriptPiece(itemID: String, text: String)
        /// Its transcript is whole; `nil` if it failed.
        case transcriptEnded(itemID: String, text: String?)
        /// The program says that the user's turn begins, as when a button is pressed.
        case turnBegins
        /// So much sound was sent to the server.
        case captured(Duration)
        /// The program says that the user's turn ends.
        case turnEnds
        /// The model begins to answer.
        case answerStarted
        /// Sound of the answer is on its way to the loudspeaker.
        case answerQueued
        /// The model has answered; what is queued plays on.
        case answerEnded
        /// All sound that was queued was heard.
        case playbackFinished
        /// The program wants the assistant to be quiet.
        case interrupt
        /// The session is gone; another will take its place.
        case sessionLost
        /// The session was replaced by another, which has the same conversation and the sound of the user's that was not
        /// committed; whether an answer that was whole is still to be heard.
        case sessionReplaced(keepsAnswer: Bool = false)
    }

    /// What to do.
    public enum Action: Sendable, Hashable {
        /// Be silent at once, and keep what was not heard.
        case pausePlayback
        /// Go on with what was not heard.
        case resumePlayback
        /// Be silent, drop what was not heard, cancel the answer, and tell the server what was heard.
        case cutAnswer
        /// Send `input_audio_buffer.clear`.
        case clearInput
        /// Send `input_audio_buffer.commit`.
        case commitInput
        /// Ask for an answer to those items, by way of ``ResponseGate``.
        case requestAnswer(items: [String])
        /// Send `conversation.item.delete`: it was noise.
        case deleteItem(id: String)
        /// Put what was deleted back as text: it was speech after all.
        case restoreItem(id: String, text: String)
        /// A turn begins.
        case turnBegan(Speaker)
        /// A turn is over.
        case turnEnded(Speaker)
        /// The user interrupted the assistant.
        case interrupted
        /// There was too little sound for a turn; it was dropped.
        case tooShort
        /// Nobody has spoken for the idle time-out.
        case idleTimedOut
    }

    /// Speech over an answer.
    struct Doubt: Sendable, Hashable {
        /// What was spoken, and whether it was committed.
        var items: [String]
        var committed: [String] = []
        var isSpeaking = true
        /// While speech lasts: when it is certain. After it: when it was noise.
        var deadline: Duration
    }
}

// SPDX-License-Identifier: MIT

extension EchoEvent {
    /// What happened: a case for each ``EventType``, with what belongs to it.
    public enum Detail: Sendable {
        case userStartedSpeaking
        case userStoppedSpeaking
        /// The whole transcript, and the message that has it.
        case userTranscriptionCompleted(transcript: String, messageID: String)
        case assistantStartedSpeaking
        case assistantStoppedSpeaking
        /// A piece of text; the pieces of an answer in order make the whole of it.
        case assistantTextDelta(String)
        /// A piece of sound, in the format that the session speaks.
        case assistantAudioDelta([UInt8])
        /// From 0 (silence) to 1 (full scale).
        case audioLevelChanged(Double)
        case audioStatusChanged(AudioStatus)
        /// Whose turn begins.
        case turnChanged(Speaker)
        /// Whose turn is over.
        case turnEnded(Speaker)
        case assistantInterrupted
        case toolCallRequested(ToolCall)
        case toolResultSubmitted(ToolResult)
        case messageFinalized(Message)
        case connectionStatusChanged(ConnectionStatus)
        case error(any Error)

        /// What kind of event it is.
        public var type: EventType {
            switch self {
            case .userStartedSpeaking: .userStartedSpeaking
            case .userStoppedSpeaking: .userStoppedSpeaking
            case .userTranscriptionCompleted: .userTranscriptionCompleted
            case .assistantStartedSpeaking: .assistantStartedSpeaking
            case .assistantStoppedSpeaking: .assistantStoppedSpeaking
            case .assistantTextDelta: .assistantTextDelta
            case .assistantAudioDelta: .assistantAudioDelta
            case .audioLevelChanged: .audioLevelChanged
            case .audioStatusChanged: .audioStatusChanged
            case .turnChanged: .turnChanged
            case .turnEnded: .turnEnded
            case .assistantInterrupted: .assistantInterrupted
            case .toolCallRequested: .toolCallRequested
            case .toolResultSubmitted: .toolResultSubmitted
            case .messageFinalized: .messageFinalized
            case .connectionStatusChanged: .connectionStatusChanged
            case .error: .error
            }
        }
    }
}

// SPDX-License-Identifier: MIT

/// An event of a conversation: a case for each ``EventType``, with its values.
///
/// ```swift
/// echo.when(.messageFinalized) { event in
///     if case .messageFinalized(let message) = event { show(message) }
/// }
/// ```
///
/// More cases may follow: a `switch` over it in another package needs `@unknown default` (ADR 0040).
@nonexhaustive
public enum EchoEvent: Sendable {
    case userStartedSpeaking
    case userStoppedSpeaking
    /// The whole transcript, and the id of its message.
    case userTranscriptionCompleted(transcript: String, messageID: String)
    case assistantStartedSpeaking
    case assistantStoppedSpeaking
    /// A piece of text; the pieces of an answer in order are its whole text.
    case assistantTextDelta(String)
    /// A piece of sound in the session's format, when it arrives: once, before it is heard, and also if it is cut then.
    /// With a guardrail, when it has passed.
    case assistantAudioDelta([UInt8])
    /// From 0 (silence) to 1 (full scale).
    case audioLevelChanged(Double)
    case audioStatusChanged(AudioStatus)
    /// The side whose turn begins.
    case turnChanged(Speaker)
    /// The side whose turn is over.
    case turnEnded(Speaker)
    case assistantInterrupted
    case toolCallRequested(ToolCall)
    case toolResultSubmitted(ToolResult)
    case messageFinalized(Message)
    case connectionStatusChanged(ConnectionStatus)
    case error(any Error)
    /// From 0 (silence) to 1 (full scale), 20 times a second.
    case outputLevelChanged(Double)
    /// The devices' names.
    case audioRouteChanged(String)
    case audioInputEnded
    /// From the end of the user's speech to the first sound of the answer, step by step.
    case turnTimed(TurnLatency)
    /// The cost of an answer or a transcript, `nil` without a price, and the totals so far.
    case usageCounted(RealtimeCost?, total: UsageMeter.Totals)
    case interruptionWasFalse
    /// The item of the blocked answer, which is not heard and becomes no message.
    case answerBlocked(itemID: String)
    case modeChanged(EchoMode, because: ModeChangeReason)
    case turnTooShort
    case idleTimedOut
    case turnTimedOut
    case rateLimited(RateLimitWait)

    /// The kind of event.
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
        case .outputLevelChanged: .outputLevelChanged
        case .audioRouteChanged: .audioRouteChanged
        case .audioInputEnded: .audioInputEnded
        case .turnTimed: .turnTimed
        case .usageCounted: .usageCounted
        case .interruptionWasFalse: .interruptionWasFalse
        case .answerBlocked: .answerBlocked
        case .modeChanged: .modeChanged
        case .turnTooShort: .turnTooShort
        case .idleTimedOut: .idleTimedOut
        case .turnTimedOut: .turnTimedOut
        case .rateLimited: .rateLimited
        }
    }
}

// SPDX-License-Identifier: MIT

import Echo

/// Tells when everything that a sound file asks was answered. Pure: events in.
struct VoiceProgress: Sendable {
    /// True if the file is over.
    private(set) var isInputOver = false
    /// The number of answers that were heard to their ends, or until they were interrupted.
    private(set) var answers = 0
    /// True if anything was understood.
    private(set) var hasWords = false
    private var isUserSpeaking = false
    /// True while a turn of the user's is not answered.
    private var isAnswerExpected = false
    private var isAnswering = false
    /// True while the connection is made again: it may fail for good.
    private var isReconnecting = false

    /// True if nobody speaks and nothing is owed.
    var isQuiet: Bool { isInputOver && !isUserSpeaking && !isAnswerExpected && !isAnswering && !isReconnecting }

    /// Takes an event.
    mutating func take(_ event: EchoEvent) {
        switch event {
        case .audioInputEnded: isInputOver = true
        case .userStartedSpeaking: isUserSpeaking = true
        case .userStoppedSpeaking: (isUserSpeaking, isAnswerExpected) = (false, true)
        case .turnEnded(.user): (isUserSpeaking, isAnswerExpected) = (false, true)
        case .turnChanged(.assistant), .assistantStartedSpeaking: (isAnswering, isAnswerExpected) = (true, false)
        case .turnEnded(.assistant): (isAnswering, isAnswerExpected) = (false, false)
        case .turnTooShort: isAnswerExpected = false
        case .connectionStatusChanged(let status): isReconnecting = status == .reconnecting
        case .userTranscriptionCompleted(let text, _):
            hasWords = hasWords || text.contains { $0.isLetter || $0.isNumber }
        case .messageFinalized(let message) where message.role == .assistant && !message.text.isEmpty: answers += 1
        default: break
        }
    }
}

/// Echo's message and times of a turn, for files that import Domain, too, which has other types of these names.
typealias SpokenMessage = Message
/// See ``SpokenMessage``.
typealias SpokenTurnTimes = TurnLatency

// SPDX-License-Identifier: MIT

/// The side that speaks or writes in a turn.
public enum Speaker: String, Sendable, Hashable, CaseIterable {
    case user
    case assistant
}

/// The state of microphone and loudspeaker.
public enum AudioStatus: String, Sendable, Hashable, CaseIterable {
    /// Neither is open.
    case idle
    /// The microphone is open.
    case listening
    /// The assistant is heard.
    case speaking
    /// The microphone is muted.
    case muted
}

/// The state of a conversation's connection.
public enum ConnectionStatus: String, Sendable, Hashable, CaseIterable {
    case connecting
    case connected
    /// The connection broke, and is being restored.
    case reconnecting
    case disconnected
}

/// The latency of one turn, step by step. A step that did not happen is `nil`.
public struct TurnLatency: Sendable, Hashable {
    /// The turn.
    public var turnID: Int
    /// From the end of speech to the request for an answer.
    public var sent: Duration?
    /// From the end of speech to the first event of the answer.
    public var firstEvent: Duration?
    /// From the end of speech to the first sound of the answer that came.
    public var firstAudio: Duration?
    /// From the end of speech to the first sample that could be heard.
    public var audible: Duration?

    package init(
        turnID: Int, sent: Duration? = nil, firstEvent: Duration? = nil, firstAudio: Duration? = nil,
        audible: Duration? = nil
    ) {
        self.turnID = turnID
        self.sent = sent
        self.firstEvent = firstEvent
        self.firstAudio = firstAudio
        self.audible = audible
    }
}

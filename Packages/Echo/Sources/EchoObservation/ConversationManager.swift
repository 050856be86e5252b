// SPDX-License-Identifier: MIT

public import EchoText
public import Observation

/// A conversation's state for a view that observes it: messages, the answer under way, mode, status and levels.
///
/// ```swift
/// let manager = ConversationManager(conversation)
/// withObservationTracking { show(manager.messages) } onChange: { … }
/// ```
///
/// It follows the conversation until ``close()``, until it is deallocated, or until the conversation is closed. All of
/// it belongs to the main actor.
@MainActor
@Observable
public final class ConversationManager {
    /// The conversation.
    public let conversation: Conversation
    /// All finished messages, in order.
    public private(set) var messages: [Message] = []
    /// The text so far of the assistant's answer under way; empty if it writes none.
    public private(set) var answer = ""
    /// The mode of the conversation; `nil` until it is known.
    public private(set) var mode: EchoMode?
    /// The side whose turn it is.
    public private(set) var speaker = Speaker.user
    /// True while the assistant writes or speaks.
    public private(set) var isAssistantSpeaking = false
    /// The state of the voice session; `nil` in text.
    public private(set) var connection: ConnectionStatus?
    /// The state of microphone and loudspeaker.
    public private(set) var audio = AudioStatus.idle
    /// The loudness at the microphone, from 0 to 1.
    public private(set) var inputLevel = 0.0
    /// The loudness of the played sound, from 0 to 1.
    public private(set) var outputLevel = 0.0
    /// The last failure; `nil` since the last finished message.
    public private(set) var failure: (any Error)?
    /// The wait for a rate limit, until the answer begins.
    public private(set) var rateLimitWait: RateLimitWait?

    /// The state of the last voice session, which is open before the mode changes.
    @ObservationIgnored private var session: ConnectionStatus?
    @ObservationIgnored private var following: Task<Void, Never>?
    private static let types = Set(EventType.allCases).subtracting([.assistantAudioDelta])

    /// Begins to follow a conversation.
    public init(_ conversation: Conversation) {
        self.conversation = conversation
        let events = conversation.events(of: Self.types)
        following = Task { [weak self] in
            // A message of before may be reported by an event as well: the list is read whole each time.
            await self?.readMessages()
            await self?.readMode()
            for await event in events { await self?.take(event) }
        }
    }

    isolated deinit { following?.cancel() }

    /// Ends following; the values stay as they are.
    public func close() async {
        following?.cancel()
        await following?.value
    }

    private func readMessages() async { messages = await conversation.allMessages }

    private func readMode() async { mode = await conversation.mode }

    private func take(_ event: EchoEvent) async {
        switch event {
        case .assistantTextDelta(let piece): answer += piece
        case .messageFinalized(let message):
            if message.role == .assistant { answer = "" }
            failure = nil
            await readMessages()
        case .userTranscriptionCompleted: await readMessages()
        case .assistantStartedSpeaking:
            isAssistantSpeaking = true
            rateLimitWait = nil
        case .assistantStoppedSpeaking: isAssistantSpeaking = false
        case .turnChanged(let speaker): self.speaker = speaker
        case .turnEnded(.assistant), .assistantInterrupted, .answerBlocked: answer = ""
        case .modeChanged(let mode, _):
            self.mode = mode
            connection = mode == .audio ? session : nil
            if mode == .text { (inputLevel, outputLevel) = (0, 0) }
        case .connectionStatusChanged(let status):
            session = status
            if mode == .audio { connection = status }
        case .audioStatusChanged(let status): audio = status
        case .audioLevelChanged(let level): inputLevel = level
        case .outputLevelChanged(let level): outputLevel = level
        case .error(let error): failure = error
        case .rateLimited(let wait): rateLimitWait = wait
        default: break
        }
    }
}

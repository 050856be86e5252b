// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Listens for ever: wake word → question → answer → speech, with follow-ups and barge-in.
///
/// ``VoiceLoop`` decides the next step; this type carries it out. An error in one part ends neither it nor the others.
public struct ListenAllDay: Sendable {
    /// The waits before a failed listener is tried again.
    public struct Retry: Sendable, Equatable {
        /// The wait after the first failure; doubled after each further one.
        public var first: Duration
        /// The longest wait.
        public var longest: Duration

        /// Makes a policy: 0.5 s, up to 30 s, unless given.
        public init(first: Duration = .milliseconds(500), longest: Duration = .seconds(30)) {
            self.first = first
            self.longest = longest
        }
    }

    let listener: any RoomListener
    let speaker: any SpeechSpeaker
    let earcons: any EarconPlayer
    let answerQuestion: AnswerQuestion
    let preload: PreloadAnswers?
    let configuration: VoiceLoop.Configuration
    let retry: Retry
    let controls: AsyncStream<RoomControl>?
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - preload: Prepares for likely questions while it waits for the wake word; nil to prepare nothing.
    ///   - controls: The requests that a person makes by other means than by voice; nil for none.
    ///   - clock: Measures the waits between attempts.
    ///   - now: The wall clock, for the beginnings of conversations.
    public init(
        listener: any RoomListener, speaker: any SpeechSpeaker, earcons: any EarconPlayer,
        answerQuestion: AnswerQuestion, preload: PreloadAnswers? = nil,
        configuration: VoiceLoop.Configuration = VoiceLoop.Configuration(), retry: Retry = Retry(),
        controls: AsyncStream<RoomControl>? = nil, clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.listener = listener
        self.speaker = speaker
        self.earcons = earcons
        self.answerQuestion = answerQuestion
        self.preload = preload
        self.configuration = configuration
        self.retry = retry
        self.controls = controls
        self.clock = clock
        self.now = now
    }

    /// Listens until the task is cancelled, or the sound is over and the last answer said; reports on the way, one
    /// event after the other.
    ///
    /// Each call by the wake word begins a conversation, and follow-ups belong to it.
    ///
    /// - Throws: Only `CancellationError`: any other error is reported, and the part is used again.
    public func callAsFunction(report: @escaping @Sendable (RoomEvent) async -> Void) async throws {
        try await ListeningSession(self, report: report).run()
    }
}

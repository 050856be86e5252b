// SPDX-License-Identifier: MIT

extension EchoConfiguration {
    /// The settings of voice conversations.
    public var voice: VoiceConfiguration {
        get { voiceSettings as? VoiceConfiguration ?? VoiceConfiguration() }
        set { voiceSettings = newValue }
    }

    /// The model for transcripts: the same setting as ``VoiceConfiguration/transcription``'s model.
    public var transcriptionModel: TranscriptionModel {
        get { voice.transcription.model }
        set { voice.transcription.model = newValue }
    }

    /// A configuration for text, with those settings of voice.
    public init(_ configuration: EchoConfiguration = EchoConfiguration(), voice: VoiceConfiguration) {
        self = configuration
        self.voice = voice
    }
}

/// The settings of voice conversations.
public struct VoiceConfiguration: Sendable {
    /// The device that hears and plays; `nil` for the system's default microphone and loudspeaker.
    public var device: (any VoiceDevice)?
    /// The voice; `nil` leaves it to the server.
    public var voice: RealtimeVoice?
    /// The pace of the model's speech, from 0.25 to 1.5; `nil` for its own.
    public var speed: Double?
    /// The transcription of the user's speech.
    public var transcription: RealtimeTranscription
    /// The server's noise reduction; `nil` for none, since the device does it.
    public var noiseReduction: RealtimeNoiseReduction?
    /// The settings of interruptions.
    public var turns: TurnManager.Options
    /// The limits of sessions, and of their replacement.
    public var sessions: SessionLifecycle.Limits
    /// Judges answers before they are heard; `nil` plays every answer as soon as it arrives.
    public var guardrail: Guardrail?
    /// The words said while a tool takes long; `nil` for silence.
    public var filler: Filler?
    /// The limit of the cost of voice in US dollars; beyond it the conversation continues in text. `nil` for no limit
    /// of its own.
    public var budget: Double?
    /// Takes a trace of the conversation, to be replayed; `nil` for none.
    public var trace: (any VoiceTraceSink)?
    /// Time limits.
    var limits = Limits()

    /// Settings of voice; without arguments the defaults.
    public init(
        device: (any VoiceDevice)? = nil, voice: RealtimeVoice? = nil, speed: Double? = nil,
        transcription: RealtimeTranscription = RealtimeTranscription(), noiseReduction: RealtimeNoiseReduction? = nil,
        turns: TurnManager.Options = TurnManager.Options(),
        sessions: SessionLifecycle.Limits = SessionLifecycle.Limits(), guardrail: Guardrail? = nil,
        filler: Filler? = Filler(), budget: Double? = nil, trace: (any VoiceTraceSink)? = nil
    ) {
        self.device = device
        self.voice = voice
        self.speed = speed
        self.transcription = transcription
        self.noiseReduction = noiseReduction
        self.turns = turns
        self.sessions = sessions
        self.guardrail = guardrail
        self.filler = filler
        self.budget = budget
        self.trace = trace
    }

    /// Holds back the sound of an answer until its text has passed.
    ///
    /// The sound of a part is played when its whole transcript has passed: the wire does not link pieces of sound and
    /// text. Sentences are judged as they arrive, so that an answer is stopped as soon as one of them fails.
    public struct Guardrail: Sendable {
        /// True if the text may be heard. Called with the transcript so far at the end of each sentence, and with all
        /// of it. A judgement that takes longer than ``timeout`` has failed.
        public var allows: @Sendable (String) async -> Bool
        /// The time-out of a judgement. 5 s.
        public var timeout = Duration.seconds(5)
        /// The replacement that the model is asked to say, once for a turn; `nil` for nothing.
        public var replacement: String?

        /// A guardrail.
        public init(
            replacement: String? = nil, timeout: Duration = .seconds(5),
            allows: @escaping @Sendable (String) async -> Bool
        ) {
            self.replacement = replacement
            self.timeout = timeout
            self.allows = allows
        }
    }

    /// The words said while a tool takes long.
    public struct Filler: Sendable, Hashable, Codable {
        /// The time that a tool may take without it. 1.5 s.
        public var delay: Duration
        /// The instructions to the model, outside of the conversation.
        public var instructions = Self.usual

        /// A trace has no instructions.
        private enum CodingKeys: CodingKey { case delay }

        private static let usual = "Say in a few words that you are looking it up. Say nothing else."

        /// Words; without arguments the defaults.
        public init(delay: Duration = .milliseconds(1_500), instructions: String? = nil) {
            self.delay = delay
            self.instructions = instructions ?? Self.usual
        }
    }
}

/// Takes the lines of a trace.
public protocol VoiceTraceSink: Sendable {
    /// Takes a line, without its line feed. Must not wait.
    func take(_ line: String)
}

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
        /// For transcripts, while the other engine continues. 10 s.
        var late = Duration.seconds(10)
        /// The limit of failed sessions at the start of a conversation. 3.
        var attempts = 3
    }
}

// SPDX-License-Identifier: MIT

/// The configuration of a voice session, in the API's form of 2025 (`"type": "realtime"`).
public struct RealtimeSessionConfiguration: Sendable, Hashable, Codable {
    /// The rules that the model follows; `nil` leaves the server's own.
    public var instructions: String?
    /// Instructions that are kept at the server.
    public var prompt: RealtimePrompt?
    /// The form of the answers: sound or text.
    public var modality: RealtimeModality
    /// The encoding of the sound to the model.
    public var inputFormat: RealtimeAudioFormat
    /// The encoding of the model's sound.
    public var outputFormat: RealtimeAudioFormat
    /// The transcription of the user's speech; `nil` for none.
    public var transcription: RealtimeTranscription?
    /// The server's noise reduction; `nil` for none.
    public var noiseReduction: RealtimeNoiseReduction?
    /// The rule that ends the user's turn.
    public var turnDetection: TurnDetection
    /// The voice; `nil` leaves it to the server.
    public var voice: RealtimeVoice?
    /// The pace of the model's speech, from 0.25 to 1.5; `nil` for its own. It can be changed between turns only.
    public var speed: Double?
    /// The tools that the model may call.
    public var tools: [ResponseTool]
    /// The tool that the model must call, if any.
    public var toolChoice: ToolChoice
    /// True if the model may call several tools at once; `nil` leaves it to the server. For reasoning models.
    public var allowsParallelToolCalls: Bool?
    /// The effort of the reasoning, for models that reason; `nil` leaves it to the server.
    public var reasoning: ReasoningEffort?
    /// The most tokens of one answer, from 1 to 4096; `nil` for the model's limit.
    public var maximumOutputTokens: Int?
    /// The server's trace of the session; `nil` leaves the setting unchanged.
    public var tracing: RealtimeTracing?
    /// The treatment of a conversation that no longer fits; `nil` leaves it to the server.
    public var truncation: RealtimeTruncation?
    /// True if transcripts include the log probability of each token.
    public var includesTranscriptLogprobs: Bool

    /// A session. Without arguments: speech in and out, 24 kHz, with transcripts and detection of turns.
    public init(
        instructions: String? = nil, prompt: RealtimePrompt? = nil, modality: RealtimeModality = .audio,
        inputFormat: RealtimeAudioFormat = .pcm, outputFormat: RealtimeAudioFormat = .pcm,
        transcription: RealtimeTranscription? = RealtimeTranscription(),
        noiseReduction: RealtimeNoiseReduction? = nil, turnDetection: TurnDetection = .automatic(VADConfiguration()),
        voice: RealtimeVoice? = nil, speed: Double? = nil, tools: [ResponseTool] = [], toolChoice: ToolChoice = .auto,
        allowsParallelToolCalls: Bool? = nil, reasoning: ReasoningEffort? = nil, maximumOutputTokens: Int? = nil,
        tracing: RealtimeTracing? = nil, truncation: RealtimeTruncation? = nil,
        includesTranscriptLogprobs: Bool = false
    ) {
        self.instructions = instructions
        self.prompt = prompt
        self.modality = modality
        self.inputFormat = inputFormat
        self.outputFormat = outputFormat
        self.transcription = transcription
        self.noiseReduction = noiseReduction
        self.turnDetection = turnDetection
        self.voice = voice
        self.speed = speed
        self.tools = tools
        self.toolChoice = toolChoice
        self.allowsParallelToolCalls = allowsParallelToolCalls
        self.reasoning = reasoning
        self.maximumOutputTokens = maximumOutputTokens
        self.tracing = tracing
        self.truncation = truncation
        self.includesTranscriptLogprobs = includesTranscriptLogprobs
    }
}

extension RealtimeSessionConfiguration {
    /// The session in the form of `session.update`.
    public var json: JSONValue {
        var session: JSONObject = ["type": "realtime", "output_modalities": [.string(modality.rawValue)]]
        session.set("instructions", instructions.map(JSONValue.string))
        session.set("prompt", prompt?.json)
        session["audio"] = ["input": inputJSON, "output": outputJSON]
        session["tools"] = .array(tools.map(\.json))
        session["tool_choice"] = toolChoice.json
        session.set("parallel_tool_calls", allowsParallelToolCalls.map(JSONValue.bool))
        session.set("reasoning", reasoning.map { ["effort": .string($0.rawValue)] })
        session["max_output_tokens"] = maximumOutputTokens.map(JSONValue.integer) ?? "inf"
        session.set("tracing", tracing?.json)
        session.set("truncation", truncation?.json)
        if includesTranscriptLogprobs { session["include"] = ["item.input_audio_transcription.logprobs"] }
        return .object(session)
    }

    private var inputJSON: JSONValue {
        var input: JSONObject = ["format": inputFormat.json, "turn_detection": turnDetection.json]
        input.set("transcription", transcription?.json)
        input.set("noise_reduction", noiseReduction.map { ["type": .string($0.rawValue)] })
        return .object(input)
    }

    private var outputJSON: JSONValue {
        var output: JSONObject = ["format": outputFormat.json]
        output.set("voice", voice?.json)
        output.set("speed", speed.map(JSONValue.double))
        return .object(output)
    }
}

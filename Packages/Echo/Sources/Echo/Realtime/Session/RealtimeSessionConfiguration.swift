// SPDX-License-Identifier: MIT

/// The configuration of a voice session, in the API's form of 2025 (`"type": "realtime"`).
struct RealtimeSessionConfiguration: Sendable, Hashable, Codable {
    /// The rules that the model follows; `nil` leaves the server's own.
    var instructions: String?
    /// The transcription of the user's speech; `nil` for none.
    var transcription: RealtimeTranscription? = RealtimeTranscription()
    /// The server's noise reduction; `nil` for none.
    var noiseReduction: RealtimeNoiseReduction?
    /// The rule that ends the user's turn.
    var turnDetection: TurnDetection = .automatic(VADConfiguration())
    /// The voice; `nil` leaves it to the server.
    var voice: RealtimeVoice?
    /// The pace of the model's speech, from 0.25 to 1.5; `nil` for its own. It can be changed between turns only.
    var speed: Double?
    /// The tools that the model may call.
    var tools: [ResponseTool] = []
    /// The effort of the reasoning, for models that reason; `nil` leaves it to the server.
    var reasoning: ReasoningEffort?
    /// The most tokens of one answer, from 1 to 4096; `nil` for the model's limit.
    var maximumOutputTokens: Int?
}

extension RealtimeSessionConfiguration {
    /// The session in the form of `session.update`.
    var json: JSONValue {
        var session: JSONObject = ["type": "realtime", "output_modalities": ["audio"]]
        session.set("instructions", instructions.map(JSONValue.string))
        session["audio"] = ["input": inputJSON, "output": outputJSON]
        session["tools"] = .array(tools.map(\.json))
        session["tool_choice"] = "auto"
        session.set("reasoning", reasoning.map { ["effort": .string($0.rawValue)] })
        session["max_output_tokens"] = maximumOutputTokens.map(JSONValue.integer) ?? "inf"
        return .object(session)
    }

    private var inputJSON: JSONValue {
        var input: JSONObject = ["format": PCM.json, "turn_detection": turnDetection.json]
        input.set("transcription", transcription?.json)
        input.set("noise_reduction", noiseReduction.map { ["type": .string($0.rawValue)] })
        return .object(input)
    }

    private var outputJSON: JSONValue {
        var output: JSONObject = ["format": PCM.json]
        output.set("voice", voice?.json)
        output.set("speed", speed.map(JSONValue.double))
        return .object(output)
    }
}

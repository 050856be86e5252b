// SPDX-License-Identifier: MIT

extension RealtimeSessionConfiguration {
    /// A session's configuration from its JSON. Traces do not contain instructions and prompts kept at the server.
    ///
    /// - Parameter mode: The turn detection, since the JSON is the same for turns that the program ends and for no
    ///   turns.
    /// - Throws: `WireError` if it is not a configuration.
    init(traceJSON json: JSONValue, mode: String) throws(WireError) {
        self.init()
        let session = try WireObject(json, "session")
        let audio = try session.member("audio")
        let input = try audio.member("input")
        let output = try audio.member("output")
        modality = session.array("output_modalities").first?.string.flatMap(RealtimeModality.init(rawValue:)) ?? .audio
        inputFormat = try RealtimeAudioFormat(traceJSON: try input.required("format"))
        outputFormat = try RealtimeAudioFormat(traceJSON: try output.required("format"))
        transcription = try input["transcription"].map(RealtimeTranscription.init(traceJSON:))
        noiseReduction = input["noise_reduction"]?["type"]?.string.flatMap(RealtimeNoiseReduction.init(rawValue:))
        turnDetection = try TurnDetection(traceJSON: input["turn_detection"], mode: mode)
        voice = output["voice"].flatMap { json in
            json.string.map(RealtimeVoice.named) ?? json["id"]?.string.map { RealtimeVoice.custom(id: $0) }
        }
        speed = output["speed"]?.double
        for tool in session.array("tools") { tools.append(try RealtimeTool(json: tool)) }
        toolChoice = session["tool_choice"].map(ToolChoice.init(traceJSON:)) ?? .auto
        allowsParallelToolCalls = session["parallel_tool_calls"]?.bool
        reasoning = session["reasoning"]?["effort"]?.string.map(ReasoningEffort.init(rawValue:))
        maximumOutputTokens = session["max_output_tokens"]?.integer
        truncation = session["truncation"].flatMap(RealtimeTruncation.init(traceJSON:))
        includesTranscriptLogprobs = !session.array("include").isEmpty
    }
}

extension RealtimeAudioFormat {
    fileprivate init(traceJSON json: JSONValue) throws(WireError) {
        switch json["type"]?.string {
        case "audio/pcm": self = .pcm
        case "audio/pcmu": self = .pcmu
        case "audio/pcma": self = .pcma
        default: throw WireError("session", field: "format", expected: "format of sound")
        }
    }
}

extension RealtimeTranscription {
    fileprivate init(traceJSON json: JSONValue) throws(WireError) {
        let object = try WireObject(json, "transcription")
        self.init(
            model: TranscriptionModel(rawValue: try object.string("model")),
            language: object.optionalString("language"),
            prompt: object.optionalString("prompt"))
    }
}

extension TurnDetection {
    /// The mode's name in a trace.
    var traceName: String {
        switch self {
        case .automatic: "automatic"
        case .manual: "manual"
        case .disabled: "disabled"
        }
    }

    fileprivate init(traceJSON json: JSONValue?, mode: String) throws(WireError) {
        switch (mode, json) {
        case ("automatic", let json?): self = .automatic(try VADConfiguration(traceJSON: json))
        case ("manual", nil): self = .manual
        case ("disabled", nil): self = .disabled
        default: throw WireError("session", field: "turn_detection", expected: "detector")
        }
    }
}

extension VADConfiguration {
    fileprivate init(traceJSON json: JSONValue) throws(WireError) {
        let object = try WireObject(json, "turn_detection")
        func milliseconds(_ name: String) -> Duration? {
            object[name]?.integer.map { .milliseconds(min(max($0, 0), 1 << 40)) }
        }
        self.init(
            createsResponse: try object.bool("create_response"),
            interruptsResponse: try object.bool("interrupt_response"))
        if object.optionalString("type") == "semantic_vad" {
            detector = .semantic(Eagerness(rawValue: try object.string("eagerness")))
        } else {
            threshold = object["threshold"]?.double ?? threshold
            silenceDuration = milliseconds("silence_duration_ms") ?? silenceDuration
            prefixPadding = milliseconds("prefix_padding_ms") ?? prefixPadding
            idleTimeout = milliseconds("idle_timeout_ms")
        }
    }
}

extension ToolChoice {
    fileprivate init(traceJSON json: JSONValue) {
        switch json.string {
        case "auto": self = .auto
        case "none": self = .none
        case "required": self = .required
        default:
            let isFunction = json["type"]?.string == "function"
            self = json["name"]?.string.flatMap { isFunction ? .function(name: $0) : nil } ?? .other(json)
        }
    }
}

extension RealtimeTruncation {
    fileprivate init?(traceJSON json: JSONValue) {
        switch (json.string, json["retention_ratio"]?.double) {
        case ("auto", _): self = .auto
        case ("disabled", _): self = .disabled
        case (_, let ratio?): self = .retaining(ratio, limit: json["token_limits"]?["post_instructions"]?.integer)
        default: return nil
        }
    }
}

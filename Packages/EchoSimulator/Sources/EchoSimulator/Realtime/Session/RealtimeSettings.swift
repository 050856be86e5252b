// SPDX-License-Identifier: MIT

import StructuredJSON

/// A session's settings: the API's defaults, changed by `session.update`.
struct RealtimeSettings: Sendable {
    /// `realtime` or `transcription`.
    private(set) var type = "realtime"
    private(set) var general: JSONObject
    private(set) var input: JSONObject
    private(set) var output: JSONObject

    init(model: String) {
        general = [
            "model": .string(model), "output_modalities": ["audio"],
            "instructions": "You are a helpful, witty, and friendly AI.", "tools": [], "tool_choice": "auto",
            "max_output_tokens": "inf", "tracing": nil, "truncation": "auto", "prompt": nil, "include": nil,
        ]
        input = [
            "format": ["type": "audio/pcm", "rate": 24_000], "transcription": nil, "noise_reduction": nil,
            "turn_detection": Self.serverDetection,
        ]
        output = ["format": ["type": "audio/pcm", "rate": 24_000], "voice": "marin", "speed": 1.0]
    }

    private static let serverDetection: JSONValue = [
        "type": "server_vad", "threshold": 0.5, "prefix_padding_ms": 300, "silence_duration_ms": 500,
        "idle_timeout_ms": nil, "create_response": true, "interrupt_response": true,
    ]
    private static let semanticDetection: JSONValue = [
        "type": "semantic_vad", "eagerness": "auto", "create_response": true, "interrupt_response": true,
    ]

    /// The session as `session.created` and `session.updated` have it.
    func json(id: String, expiresAt: Int) -> JSONValue {
        var object: JSONObject = [
            "type": .string(type), "object": "realtime.session", "id": .string(id), "expires_at": .integer(expiresAt),
        ]
        guard type == "realtime" else {
            object["include"] = general["include"]
            object["audio"] = ["input": .object(input)]
            return .object(object)
        }
        for (name, value) in general { object[name] = value }
        object["audio"] = ["input": .object(input), "output": .object(output)]
        return .object(object)
    }

    /// Applies an update, whose shape was checked.
    ///
    /// - Parameter hasSpoken: True if the session has sent sound, after which its voice stays.
    mutating func update(_ session: JSONValue, hasSpoken: Bool) throws(RealtimeProblem) {
        try check(session, hasSpoken: hasSpoken)
        type = session["type"]?.string ?? "realtime"
        for (name, value) in session.object ?? [:] where name != "type" && name != "audio" { general[name] = value }
        for (name, value) in session["audio"]?["input"]?.object ?? [:] {
            input[name] = name == "turn_detection" ? Self.detection(value) : value
        }
        for (name, value) in session["audio"]?["output"]?.object ?? [:] { output[name] = value }
    }

    private func check(_ session: JSONValue, hasSpoken: Bool) throws(RealtimeProblem) {
        if let model = session["model"]?.string, model != general["model"]?.string {
            throw RealtimeProblem(
                code: "invalid_value", message: "The model of a session cannot be changed.", param: "session.model")
        }
        if let voice = session["audio"]?["output"]?["voice"], hasSpoken, voice != output["voice"] {
            throw RealtimeProblem(
                code: "cannot_update_voice",
                message: "Cannot update a conversation's voice if assistant audio is present.",
                param: "session.audio.output.voice")
        }
        try Self.check(modalities: session["output_modalities"], at: "session.output_modalities")
    }

    /// One modality: sound includes its transcript, and no other text.
    static func check(modalities: JSONValue?, at path: String) throws(RealtimeProblem) {
        guard let names = modalities?.array, names.count != 1 else { return }
        let found = names.compactMap(\.string).map { "'\($0)'" }.joined(separator: ", ")
        throw RealtimeProblem(
            code: "invalid_value",
            message: "Invalid modalities: [\(found)]. Supported combinations are: ['text'] and ['audio'].", param: path)
    }

    private static func detection(_ value: JSONValue) -> JSONValue {
        guard let object = value.object else { return .null }
        let defaults = object["type"] == "semantic_vad" ? semanticDetection : serverDetection
        var merged = defaults.object ?? [:]
        for (name, value) in object { merged[name] = value }
        return .object(merged)
    }
}

extension RealtimeSettings {
    var inputFormat: SoundFormat { Self.format(input["format"]) }
    var outputFormat: SoundFormat { Self.format(output["format"]) }
    var transcribes: Bool { input["transcription"]?.object != nil }
    var transcriptionModel: String { input["transcription"]?["model"]?.string ?? "whisper-1" }
    var createsResponse: Bool {
        type == "realtime" && (input["turn_detection"]?["create_response"]?.bool ?? false)
    }
    var interruptsResponse: Bool { input["turn_detection"]?["interrupt_response"]?.bool ?? false }
    var idleTimeout: Duration? {
        input["turn_detection"]?["idle_timeout_ms"]?.integer.map { .milliseconds($0) }
    }

    /// The settings of turn detection; `nil` if the client says when a turn ends. The semantic detector waits as long
    /// as its eagerness says.
    var detector: TurnDetector.Settings? {
        guard let detection = input["turn_detection"]?.object else { return nil }
        var settings = TurnDetector.Settings()
        guard detection["type"] == "semantic_vad" else {
            settings.threshold = detection["threshold"]?.double ?? settings.threshold
            settings.prefixPadding = detection["prefix_padding_ms"]?.integer ?? settings.prefixPadding
            settings.silence = detection["silence_duration_ms"]?.integer ?? settings.silence
            return settings
        }
        switch detection["eagerness"]?.string {
        case "low": settings.silence = 1_600
        case "high": settings.silence = 400
        default: settings.silence = 800
        }
        return settings
    }

    static func format(_ json: JSONValue?) -> SoundFormat {
        SoundFormat(rawValue: json?["type"]?.string ?? "") ?? .pcm
    }
}

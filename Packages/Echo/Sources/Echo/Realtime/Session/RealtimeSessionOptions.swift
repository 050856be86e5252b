// SPDX-License-Identifier: MIT

/// The form of the answers. A session has one: sound comes with its transcript, and never with other text.
public enum RealtimeModality: String, Sendable, Hashable, CaseIterable, Codable {
    /// Sound, and its transcript.
    case audio
    /// Text alone.
    case text
}

/// The transcription of the user's speech, beside the model, which hears the sound itself.
public struct RealtimeTranscription: Sendable, Hashable, Codable {
    /// The model that transcribes.
    public var model: TranscriptionModel
    /// The language in ISO 639-1, such as `en`; `nil` lets the model detect it.
    public var language: String?
    /// Words or a sentence that guide the model.
    public var prompt: String?

    /// Transcription.
    public init(model: TranscriptionModel = .whisper1, language: String? = nil, prompt: String? = nil) {
        self.model = model
        self.language = language
        self.prompt = prompt
    }

    var json: JSONValue {
        var object: JSONObject = ["model": .string(model.rawValue)]
        object.set("language", language.map(JSONValue.string))
        object.set("prompt", prompt.map(JSONValue.string))
        return .object(object)
    }
}

/// The distance of the microphone, for the server's filter of noise.
public enum RealtimeNoiseReduction: String, Sendable, Hashable, CaseIterable, Codable {
    /// At the mouth, as with a headset.
    case nearField = "near_field"
    /// On the table or in the laptop.
    case farField = "far_field"
}

/// Instructions that are kept at the server.
public struct RealtimePrompt: Sendable, Hashable, Codable {
    /// The prompt's id.
    public var id: String
    /// The prompt's version; `nil` for the current one.
    public var version: String?
    /// The values of its variables, by name: texts, or parts as the API describes them.
    public var variables: JSONObject

    /// A prompt.
    public init(id: String, version: String? = nil, variables: JSONObject = [:]) {
        self.id = id
        self.version = version
        self.variables = variables
    }

    var json: JSONValue {
        var object: JSONObject = ["id": .string(id)]
        object.set("version", version.map(JSONValue.string))
        if !variables.isEmpty { object["variables"] = .object(variables) }
        return .object(object)
    }
}

/// The server's trace of the session, for its dashboard. It cannot be changed once it is on.
public enum RealtimeTracing: Sendable, Hashable, Codable {
    /// No trace.
    case off
    /// A trace with names of the server's choice.
    case auto
    /// A trace of that workflow and group.
    case named(workflow: String?, group: String?, metadata: JSONObject)

    var json: JSONValue {
        switch self {
        case .off: return .null
        case .auto: return "auto"
        case .named(let workflow, let group, let metadata):
            var object = JSONObject()
            object.set("workflow_name", workflow.map(JSONValue.string))
            object.set("group_id", group.map(JSONValue.string))
            if !metadata.isEmpty { object["metadata"] = .object(metadata) }
            return .object(object)
        }
    }
}

/// The server's treatment of a conversation that no longer fits the model.
public enum RealtimeTruncation: Sendable, Hashable, Codable {
    /// It drops the oldest items.
    case auto
    /// It fails.
    case disabled
    /// It drops the oldest items until that share of the limit is left (0 to 1), so that the cache is invalidated less
    /// often; the limit in tokens excludes instructions and tools, `nil` for the model's own.
    case retaining(Double, limit: Int?)

    var json: JSONValue {
        switch self {
        case .auto: return "auto"
        case .disabled: return "disabled"
        case .retaining(let ratio, let limit):
            var object: JSONObject = ["type": "retention_ratio", "retention_ratio": .double(ratio)]
            object.set("token_limits", limit.map { ["post_instructions": .integer($0)] })
            return .object(object)
        }
    }
}

/// The voice that the model speaks with. It cannot be changed once the model has spoken.
public enum RealtimeVoice: Sendable, Hashable, Codable {
    /// One of the server's voices, such as `marin`.
    case named(String)
    /// A voice that was made for you, by its id.
    case custom(id: String)

    /// `marin`, one of the two that OpenAI recommends.
    public static let marin = RealtimeVoice.named("marin")
    /// `cedar`, the other.
    public static let cedar = RealtimeVoice.named("cedar")

    var json: JSONValue {
        switch self {
        case .named(let name): .string(name)
        case .custom(let id): ["id": .string(id)]
        }
    }
}

/// The encoding of sound on the wire, always one channel.
public enum RealtimeAudioFormat: Sendable, Hashable, Codable {
    /// Samples of 16 bits, little-endian, 24,000 a second. The only rate that the API takes.
    case pcm
    /// G.711 µ-law, 8,000 samples a second.
    case pcmu
    /// G.711 A-law, 8,000 samples a second.
    case pcma

    /// Samples a second.
    public var rate: Int { self == .pcm ? 24_000 : 8_000 }

    /// The bytes of one sample.
    public var bytesPerFrame: Int { self == .pcm ? 2 : 1 }

    var json: JSONValue {
        switch self {
        case .pcm: ["type": "audio/pcm", "rate": 24_000]
        case .pcmu: ["type": "audio/pcmu"]
        case .pcma: ["type": "audio/pcma"]
        }
    }
}

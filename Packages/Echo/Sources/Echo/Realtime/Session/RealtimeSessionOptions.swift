// SPDX-License-Identifier: MIT

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

/// The encoding of sound on the wire: one channel of samples of 16 bits, little-endian.
enum PCM {
    /// Samples a second, the only rate that the API takes.
    static let rate = 24_000
    /// The bytes of one sample.
    static let bytesPerFrame = 2
    static let json: JSONValue = ["type": "audio/pcm", "rate": .integer(rate)]
}

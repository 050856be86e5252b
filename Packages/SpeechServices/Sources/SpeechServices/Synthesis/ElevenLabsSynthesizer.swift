// SPDX-License-Identifier: MIT

public import AudioBuffers
import Networking
public import SpeechEngines
import StructuredJSON

/// Speaks by ElevenLabs' `POST /v1/text-to-speech/{voice}/stream`, 24 kHz mono.
public struct ElevenLabsSynthesizer: SpeechSynthesizer {
    /// The manner of a voice (`voice_settings`). What is nil is left to the voice's own setting.
    public struct VoiceSettings: Sendable, Hashable {
        /// The evenness from sentence to sentence, 0 to 1: lower is livelier.
        public var stability: Double?
        /// The closeness to the original voice, 0 to 1.
        public var similarityBoost: Double?
        /// The exaggeration of the voice's style, 0 to 1; more is slower to compute.
        public var style: Double?
        /// The speed, 0.7 to 1.2 of the voice's own.
        public var speed: Double?
        /// True to sound more like the original speaker, at the cost of some time.
        public var usesSpeakerBoost: Bool?

        /// Makes settings.
        public init(
            stability: Double? = nil, similarityBoost: Double? = nil, style: Double? = nil, speed: Double? = nil,
            usesSpeakerBoost: Bool? = nil
        ) {
            self.stability = stability
            self.similarityBoost = similarityBoost
            self.style = style
            self.speed = speed
            self.usesSpeakerBoost = usesSpeakerBoost
        }

        var json: JSONObject {
            var object: JSONObject = [:]
            if let stability { object["stability"] = .double(stability) }
            if let similarityBoost { object["similarity_boost"] = .double(similarityBoost) }
            if let style { object["style"] = .double(style) }
            if let speed { object["speed"] = .double(speed) }
            if let usesSpeakerBoost { object["use_speaker_boost"] = .bool(usesSpeakerBoost) }
            return object
        }
    }

    /// The voice and its options.
    public struct Configuration: Sendable, Hashable {
        /// The voice's id; a name is not enough.
        public var voice: String
        /// The model's id; nil takes the service's default.
        public var model: String?
        /// The language as an ISO 639-1 code, for models that take one; nil lets the model find it.
        public var language: String?
        /// The manner of the voice.
        public var settings = VoiceSettings()
        /// The seed with which the same text is nearly the same sound; nil for another one each time.
        public var seed: Int?

        /// A voice with its own settings.
        public init(voice: String) { self.voice = voice }
    }

    /// 24 kHz mono.
    public let format = AudioFormat(sampleRate: 24_000)
    private let service: HTTPSpeechService
    private let configuration: Configuration

    /// A synthesiser; nothing is sent yet.
    ///
    /// - Parameter service: ElevenLabs, `https://api.elevenlabs.io`, with a key.
    public init(_ service: HTTPSpeechService, configuration: Configuration) {
        self.service = service
        self.configuration = configuration
    }

    /// See `SpeechSynthesizer`: one request for the whole text; buffers as its bytes arrive.
    ///
    /// - Throws: ``SpeechServiceError``.
    public func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        .filled { [self] continuation in
            guard text.hasWords else { return }
            let response = try await service.send(try request(text), about: .voice(configuration.voice))
            try await ServiceSound(service: service, format: format, coding: .pcm).forward(response, to: continuation)
        }
    }

    private func request(_ text: String) throws -> HTTPRequest {
        guard !configuration.voice.isEmpty else {
            throw SpeechServiceError(.voiceMissing, "\(service.name) needs a voice. List its voices and choose one.")
        }
        var body: JSONObject = ["text": .string(text)]
        if let model = configuration.model { body["model_id"] = .string(model) }
        if let language = configuration.language { body["language_code"] = .string(language) }
        let settings = configuration.settings.json
        if !settings.isEmpty { body["voice_settings"] = .object(settings) }
        if let seed = configuration.seed { body["seed"] = .integer(seed) }
        var headers = service.elevenLabsKey
        headers.add(name: "Content-Type", value: "application/json")
        return try service.request(
            .post, "v1/text-to-speech/\(configuration.voice)/stream", query: ["output_format": "pcm_24000"],
            headers: headers, body: .bytes(JSONValue.object(body).bytes))
    }
}

extension HTTPSpeechService {
    /// `xi-api-key`, if there is a key.
    var elevenLabsKey: HTTPHeaders {
        guard let key, !key.value.isEmpty else { return [:] }
        return ["xi-api-key": key.value]
    }
}

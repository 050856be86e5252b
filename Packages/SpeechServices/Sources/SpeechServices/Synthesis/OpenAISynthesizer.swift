// SPDX-License-Identifier: MIT

public import AudioBuffers
import Networking
public import SpeechEngines
import StructuredJSON

/// Speaks by OpenAI's `POST /v1/audio/speech`: OpenAI, speaches (Kokoro, piper), LocalAI and others.
///
/// WAV is asked for, since PCM says no rate. A server that sends samples all the same is believed to use the declared
/// one.
public struct OpenAISynthesizer: SpeechSynthesizer {
    /// The voice and its options.
    public struct Configuration: Sendable, Hashable {
        /// The model's id.
        public var model = "tts-1"
        /// The voice's id.
        public var voice = "alloy"
        /// The format of the voice: 24 kHz at OpenAI and Kokoro, its own at piper. `SpeechServiceProbe.format(of:)` asks.
        public var format = AudioFormat(sampleRate: 24_000)
        /// The speed, 0.25 to 4 of the voice's own; nil takes the service's.
        public var speed: Double?
        /// The manner of speaking in words, for models that take it; nil for none.
        public var instructions: String?

        /// The defaults.
        public init() {}
    }

    private let service: HTTPSpeechService
    private let configuration: Configuration

    /// A synthesiser; nothing is sent yet.
    public init(_ service: HTTPSpeechService, configuration: Configuration = Configuration()) {
        self.service = service
        self.configuration = configuration
    }

    /// The declared format.
    public var format: AudioFormat { configuration.format }

    /// See `SpeechSynthesizer`: one request for the whole text; buffers as its bytes arrive.
    ///
    /// - Throws: ``SpeechServiceError``.
    public func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        .filled { [self] continuation in
            guard text.hasWords else { return }
            var body: JSONObject = [
                "model": .string(configuration.model), "voice": .string(configuration.voice), "input": .string(text),
                "response_format": "wav",
            ]
            if let speed = configuration.speed { body["speed"] = .double(speed) }
            if let instructions = configuration.instructions { body["instructions"] = .string(instructions) }
            var headers = service.bearer
            headers.add(name: "Content-Type", value: "application/json")
            let request = try service.request(
                .post, "audio/speech", headers: headers, body: .bytes(JSONValue.object(body).bytes))
            let response = try await service.send(request, about: .model(configuration.model))
            try await ServiceSound(service: service, format: format, coding: .either)
                .forward(response, to: continuation)
        }
    }
}

extension String {
    /// True if there is something to speak; a service may refuse, or charge for, anything else.
    var hasWords: Bool { contains { $0.isLetter || $0.isNumber } }
}

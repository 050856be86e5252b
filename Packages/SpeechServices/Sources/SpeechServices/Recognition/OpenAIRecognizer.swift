// SPDX-License-Identifier: MIT

public import AudioBuffers
import Networking
public import SpeechEngines

/// Recognises by OpenAI's `POST /v1/audio/transcriptions`: OpenAI, speaches, LocalAI and others.
///
/// The utterance is sent as a WAV file when it has ended.
public struct OpenAIRecognizer: SpeechRecognizer {
    /// The model and its options.
    public struct Configuration: Sendable, Hashable {
        /// The model's id.
        public var model = "whisper-1"
        /// The language of the speech as an ISO 639-1 code, such as "en"; nil lets the service guess.
        public var language: String?
        /// Words that the speech may contain, for models that take such a hint; nil for none.
        public var prompt: String?
        /// True to ask for `verbose_json`, which has the probability that nobody spoke. OpenAI's `gpt-4o` models refuse
        /// it.
        public var asksForDetails = true
        /// True to ask for the words as they are found (server-sent events). OpenAI's `gpt-4o` models and speaches have
        /// it; `whisper-1` answers as if it were false.
        public var streams = false

        /// The defaults.
        public init() {}
    }

    /// 16 kHz mono.
    public let format = AudioFormat.speech
    private let service: HTTPSpeechService
    private let configuration: Configuration

    /// A recogniser; nothing is sent yet.
    public init(_ service: HTTPSpeechService, configuration: Configuration = Configuration()) {
        self.service = service
        self.configuration = configuration
    }

    /// See `SpeechRecognizer`.
    ///
    /// - Throws: ``SpeechServiceError``.
    public func recognize(_ sound: AsyncStream<AudioBuffer>) -> AsyncThrowingStream<RecognitionEvent, any Error> {
        .filled { [self] continuation in
            let recorder = UtteranceRecorder(
                service: service.name, format: format, limit: service.limits.maximumUploadBytes)
            guard let wav = try await recorder.wav(of: sound) else {
                continuation.yield(.final(Transcription("")))
                return
            }
            let response = try await service.send(try request(wav), about: .model(configuration.model))
            if response.headers["Content-Type"]?.lowercased().hasPrefix("text/event-stream") == true {
                try await readEvents(response.body, continuation)
            } else {
                guard let words = TranscriptionAnswer.read(try await service.collect(response.body)) else {
                    throw SpeechServiceError.invalidResponse(service.name, "no transcription in JSON")
                }
                continuation.yield(.final(words))
            }
        }
    }

    private func request(_ wav: [UInt8]) throws -> HTTPRequest {
        var form = MultipartBody()
        form.add("file", fileName: "speech.wav", contentType: "audio/wav", wav)
        form.add("model", configuration.model)
        if let language = configuration.language { form.add("language", language) }
        if let prompt = configuration.prompt { form.add("prompt", prompt) }
        form.add("response_format", configuration.asksForDetails && !configuration.streams ? "verbose_json" : "json")
        if configuration.streams { form.add("stream", "true") }
        form.finish()
        var headers = service.bearer
        headers.add(name: "Content-Type", value: form.contentType)
        return try service.request(.post, "audio/transcriptions", headers: headers, body: .bytes(form.bytes))
    }

    private func readEvents(
        _ body: HTTPResponseBody, _ continuation: AsyncThrowingStream<RecognitionEvent, any Error>.Continuation
    ) async throws {
        var parser = ServerSentEventParser()
        var words = StreamedWords()
        try await service.forEachPiece(of: body, upTo: service.limits.maximumStreamBytes) { piece in
            for event in try parser.parse(piece) {
                if let partial = words.take(event.data) { continuation.yield(.partial(partial)) }
            }
        }
        guard let whole = words.finish() else { throw SpeechServiceError.cut(service.name) }
        continuation.yield(.final(whole))
    }
}

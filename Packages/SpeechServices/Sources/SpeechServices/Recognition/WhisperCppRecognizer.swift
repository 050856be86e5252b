// SPDX-License-Identifier: MIT

public import AudioBuffers
import Networking
public import SpeechEngines

/// Recognises by the server of whisper.cpp (`POST /inference`), which has one model and takes 16 kHz mono.
public struct WhisperCppRecognizer: SpeechRecognizer {
    /// 16 kHz mono, the only format that the server takes without ffmpeg.
    public let format = AudioFormat.speech
    private let service: HTTPSpeechService
    private let language: String?

    /// A recogniser; nothing is sent yet.
    ///
    /// - Parameters:
    ///   - service: The server, such as `http://127.0.0.1:8080`.
    ///   - language: The language as an ISO 639-1 code, or "auto"; nil takes the server's own.
    public init(_ service: HTTPSpeechService, language: String? = nil) {
        self.service = service
        self.language = language
    }

    /// See `SpeechRecognizer`: the utterance is sent when it has ended, so there are no partial words.
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
            var form = MultipartBody()
            form.add("file", fileName: "speech.wav", contentType: "audio/wav", wav)
            form.add("response_format", "verbose_json")
            if let language { form.add("language", language) }
            form.finish()
            var headers = service.bearer
            headers.add(name: "Content-Type", value: form.contentType)
            let request = try service.request(.post, "inference", headers: headers, body: .bytes(form.bytes))
            let response = try await service.send(request, about: .service)
            let bytes = try await service.collect(response.body)
            // The server answers 200 with {"error": …} for a sound that it cannot read.
            guard let words = TranscriptionAnswer.read(bytes) else {
                throw SpeechServiceError.invalidResponse(
                    service.name, SpeechServiceError.oneLine(String(decoding: bytes, as: UTF8.self), service.key) ?? "")
            }
            continuation.yield(.final(words))
        }
    }
}

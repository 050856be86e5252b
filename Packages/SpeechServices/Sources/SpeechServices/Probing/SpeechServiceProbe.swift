// SPDX-License-Identifier: MIT

public import AudioBuffers
import FoundationEssentials
import Networking
public import SpeechEngines
import StructuredJSON

/// Asks a service for what it offers, and a voice for its format.
public enum SpeechServiceProbe {
    /// `GET /v1/models` of OpenAI's protocol. The list does not tell ears from mouths, so every model is in both, except
    /// where the service says its task, as speaches does.
    ///
    /// - Throws: `CancellationError`; every other failure is in the report.
    public static func openAI(_ service: HTTPSpeechService) async throws -> SpeechServiceReport {
        try await report(service) {
            let json = try await list("models", of: service, headers: service.bearer)
            guard let entries = json["data"]?.array else { throw unreadable(service, "no list of models") }
            var offer = SpeechServiceOffer()
            for entry in entries {
                guard let id = entry["id"]?.string else { continue }
                let item = SpeechServiceOffer.Item(id: id, languages: strings(entry["language"]))
                let task = entry["task"]?.string
                if task == nil || task == "automatic-speech-recognition" { offer.recognitionModels.append(item) }
                if task == nil || task == "text-to-speech" { offer.synthesisModels.append(item) }
                for voice in entry["voices"]?.array ?? [] {
                    guard let name = voice["name"]?.string ?? voice.string else { continue }
                    offer.voices.append(.init(id: name, languages: strings(voice["language"])))
                }
            }
            return offer
        }
    }

    /// `GET /v1/models` and `GET /v1/voices` of ElevenLabs.
    ///
    /// - Throws: `CancellationError`; every other failure is in the report.
    public static func elevenLabs(_ service: HTTPSpeechService) async throws -> SpeechServiceReport {
        try await report(service) {
            async let voices = list("v1/voices", of: service, headers: service.elevenLabsKey)
            let models = try await list("v1/models", of: service, headers: service.elevenLabsKey)
            guard let models = models.array, let voices = try await voices["voices"]?.array else {
                throw unreadable(service, "no list of models and voices")
            }
            var offer = SpeechServiceOffer()
            offer.synthesisModels = models.compactMap { model in
                guard let id = model["model_id"]?.string, model["can_do_text_to_speech"]?.bool != false else {
                    return nil
                }
                let languages = (model["languages"]?.array ?? []).compactMap { $0["language_id"]?.string }
                return .init(id: id, name: model["name"]?.string, languages: languages)
            }
            offer.voices = voices.compactMap { voice in
                guard let id = voice["voice_id"]?.string else { return nil }
                return .init(
                    id: id, name: voice["name"]?.string, languages: strings(voice["labels"]?["language"]))
            }
            return offer
        }
    }

    /// `GET /health` of whisper.cpp's server, which lists nothing; an older one without it only answers.
    ///
    /// - Throws: `CancellationError`; every other failure is in the report.
    public static func whisperCpp(_ service: HTTPSpeechService) async throws -> SpeechServiceReport {
        try await report(service) {
            do {
                let response = try await service.send(
                    try service.request(.get, "health", headers: service.bearer), about: .service)
                _ = try await service.collect(response.body)
            } catch let error as SpeechServiceError where error.status == 404 {}
            return SpeechServiceOffer()
        }
    }

    /// `describe` of a Wyoming server.
    ///
    /// - Throws: `CancellationError`; every other failure is in the report.
    public static func wyoming(_ service: WyomingService) async throws -> SpeechServiceReport {
        try await report(
            service.name, isUnprotected: !service.isOnThisMachine,
            {
                try await service.withConnection(receiving: service.limits.maximumTextBytes) { connection in
                    try await connection.send(WyomingFrame("describe"))
                    let info = try await connection.receive(within: service.limits.stall) { $0.type == "info" }
                    return WyomingInfo.offer(in: info.data)
                }
            })
    }

    /// The format in which a voice speaks, found by letting it say a word.
    ///
    /// - Throws: The engine's error; ``SpeechServiceError`` with `cut` if it says nothing.
    public static func format(of synthesizer: some SpeechSynthesizer) async throws -> AudioFormat {
        do {
            for try await buffer in synthesizer.synthesize("One.") { return buffer.format }
        } catch let error as SpeechServiceError {
            guard let actual = error.actualFormat else { throw error }
            return actual
        }
        throw SpeechServiceError(.cut, "The voice said nothing. Choose another one.")
    }

    private static func report(
        _ service: HTTPSpeechService, _ ask: () async throws -> SpeechServiceOffer
    ) async throws -> SpeechServiceReport {
        let host = service.baseURL.host(percentEncoded: false)?.lowercased() ?? ""
        let isPlain = service.baseURL.scheme?.lowercased() != "https"
        return try await report(
            service.name, isUnprotected: isPlain && !CurlTransport.Configuration.loopbackHosts.contains(host), ask)
    }

    private static func report(
        _ name: String, isUnprotected: Bool, _ ask: () async throws -> SpeechServiceOffer
    ) async throws -> SpeechServiceReport {
        let began = ContinuousClock.now
        let result: Result<SpeechServiceOffer, SpeechServiceError>
        do { result = .success(try await ask()) } catch let error as SpeechServiceError { result = .failure(error) }
        return SpeechServiceReport(
            name: name, result: result, elapsed: ContinuousClock.now - began, isUnprotected: isUnprotected)
    }

    private static func list(
        _ path: HTTPPath, of service: HTTPSpeechService, headers: HTTPHeaders
    ) async throws -> JSONValue {
        let response = try await service.send(try service.request(.get, path, headers: headers), about: .service)
        let bytes = try await service.collect(response.body)
        do { return try JSONValue(parsing: bytes, maximumDepth: 64) } catch {
            throw unreadable(service, "\(error)")
        }
    }

    private static func unreadable(_ service: HTTPSpeechService, _ detail: String) -> SpeechServiceError {
        SpeechServiceError.invalidResponse(service.name, detail)
    }

    /// The strings of a list, or the one string.
    private static func strings(_ json: JSONValue?) -> [String] {
        json?.string.map { [$0] } ?? (json?.array ?? []).compactMap(\.string)
    }
}

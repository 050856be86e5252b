// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
public import Diagnostics
public import Domain
import FoundationEssentials
public import Networking
public import Speech
public import SpeechEngines
public import SpeechServices

/// A configured engine with its key and the way to it: makes its recogniser, its synthesiser and its probe.
public struct ConfiguredEngine: Sendable {
    /// The options.
    public private(set) var engine: SpeechEngine
    private let service: Service

    private enum Service {
        case http(HTTPSpeechService)
        case wyoming(WyomingService)
    }

    /// An engine; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - key: The key; nil for an engine that wants none.
    ///   - transport: Has the pins, and the hosts that sound may reach without TLS.
    ///   - limits: The limits of each request.
    /// - Throws: `DomainError.invalidInput` for an address that is not of the protocol.
    public init(
        _ engine: SpeechEngine, key: SpeechServiceKey?, transport: any HTTPTransport & ByteStreamConnector,
        limits: SpeechServiceLimits = SpeechServiceLimits(), logger: Logger = .disabled
    ) throws(DomainError) {
        self.engine = engine
        if engine.kind == .wyoming {
            do {
                service = .wyoming(
                    try WyomingService(
                        name: engine.name, address: engine.address, connector: transport, limits: limits, logger: logger
                    ))
            } catch { throw error.domainError }
            return
        }
        guard let url = URL(string: engine.address) else {
            throw .invalidInput("The address of \(engine.name) is invalid. Remove the engine and add it again.")
        }
        service = .http(
            HTTPSpeechService(
                name: engine.name, baseURL: url, key: key, transport: transport, limits: limits, logger: logger))
    }

    /// The same engine, whose voice has this rate in hertz.
    public func declaring(sampleRate: Int) -> ConfiguredEngine {
        var other = self
        other.engine.sampleRate = sampleRate
        return other
    }

    /// Asks the engine for its models and voices.
    ///
    /// - Throws: `CancellationError`; every other failure is in the report.
    public func probe() async throws -> SpeechServiceReport {
        switch (service, engine.kind) {
        case (.wyoming(let service), _): try await SpeechServiceProbe.wyoming(service)
        case (.http(let service), .whispercpp): try await SpeechServiceProbe.whisperCpp(service)
        case (.http(let service), .elevenlabs): try await SpeechServiceProbe.elevenLabs(service)
        case (.http(let service), _): try await SpeechServiceProbe.openAI(service)
        }
    }

    /// The engine's recogniser.
    ///
    /// - Throws: `DomainError.invalidInput` for an engine that only speaks.
    public func recognizer() throws(DomainError) -> any SpeechRecognizer {
        switch (service, engine.kind) {
        case (.wyoming(let service), _):
            return WyomingRecognizer(service, model: engine.recognitionModel, language: engine.language)
        case (.http(let service), .whispercpp): return WhisperCppRecognizer(service, language: engine.language)
        case (.http(let service), .openai):
            var configuration = OpenAIRecognizer.Configuration()
            if let model = engine.recognitionModel { configuration.model = model }
            configuration.language = engine.language
            configuration.streams = engine.streams
            // These models refuse `verbose_json`.
            configuration.asksForDetails = !configuration.model.hasPrefix("gpt-4o")
            return OpenAIRecognizer(service, configuration: configuration)
        default: throw .invalidInput("\(engine.name) speaks, and hears nothing. Choose another engine.")
        }
    }

    /// The engine's synthesiser at a speed, as far as it has speeds; Wyoming has none.
    ///
    /// - Parameter percent: The speed in percent of the voice's own.
    /// - Throws: `DomainError.invalidInput` for an engine that only hears, or that lacks a voice.
    public func synthesizer(percent: Int = 100) throws(DomainError) -> any SpeechSynthesizer {
        try voice(percent: percent).synthesizer
    }

    /// The engine's synthesiser at a live speed, which speaks from the cache what it has spoken before.
    ///
    /// - Throws: See ``synthesizer(percent:)``.
    public func synthesizer(rate: SpeechRate, cache: any SpeechCache) throws(DomainError) -> any SpeechSynthesizer {
        RatedSynthesizer(format: try voice(percent: rate.percent).synthesizer.format) { [self] in
            let voice = try voice(percent: rate.percent)
            return CachingSynthesizer(
                voice.synthesizer, voice: "\(engine.kind.rawValue) \(engine.address)", settings: voice.settings,
                cache: cache)
        }
    }

    /// The synthesiser with the options that change its sound, in one text.
    private func voice(percent: Int) throws(DomainError) -> (synthesizer: any SpeechSynthesizer, settings: String) {
        let speed = percent == 100 ? nil : Double(percent) / 100
        switch (service, engine.kind) {
        case (.wyoming(let service), _):
            var configuration = WyomingSynthesizer.Configuration()
            configuration.voice = engine.voice
            if let rate = engine.sampleRate { configuration.format = AudioFormat(sampleRate: rate) }
            return (WyomingSynthesizer(service, configuration: configuration), "\(configuration)")
        case (.http(let service), .openai):
            var configuration = OpenAISynthesizer.Configuration()
            if let model = engine.synthesisModel { configuration.model = model }
            if let voice = engine.voice { configuration.voice = voice }
            if let rate = engine.sampleRate { configuration.format = AudioFormat(sampleRate: rate) }
            configuration.speed = speed
            return (OpenAISynthesizer(service, configuration: configuration), "\(configuration)")
        case (.http(let service), .elevenlabs):
            guard let voice = engine.voice else {
                throw .invalidInput(
                    "\(engine.name) needs a voice. parley speech test \(engine.name) lists them; choose one with "
                        + "parley speech use \(engine.name) --voice ID.")
            }
            var configuration = ElevenLabsSynthesizer.Configuration(voice: voice)
            configuration.model = engine.synthesisModel
            configuration.language = engine.language
            configuration.settings = .init(
                stability: engine.stability, similarityBoost: engine.similarity,
                speed: speed.map { min(1.2, max(0.7, $0)) })
            return (ElevenLabsSynthesizer(service, configuration: configuration), "\(configuration)")
        default: throw .invalidInput("\(engine.name) hears, and does not speak. Choose another engine.")
        }
    }
}

/// Speaks each text by an engine that is made for it, so that a changed speed holds from the next sentence on.
private struct RatedSynthesizer: SpeechSynthesizer {
    let format: AudioFormat
    let make: @Sendable () throws -> any SpeechSynthesizer

    func synthesize(_ text: String) -> AsyncThrowingStream<AudioBuffer, any Error> {
        do { return try make().synthesize(text) } catch {
            return AsyncThrowingStream { $0.finish(throwing: error) }
        }
    }
}

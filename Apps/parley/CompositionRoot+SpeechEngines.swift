// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import DataVoice
import Diagnostics
import Domain
import FoundationEssentials
import Networking
import Persistence
import Security
import Speech
import SpeechEngines
import SpeechServices
import TerminalKit

/// The voice of a command: the one value that a synthesiser is made from.
struct SpeechChoice: Sendable {
    /// The engine elsewhere, with its voice; nil for this machine alone.
    var engine: SpeechEngine?
    /// This machine's voice, which speaks without an engine and while the engine fails.
    var voice: Voice
    /// The speed.
    var rate: SpeechRate
    /// The pitch of the engine's voice, as a factor of its own.
    var pitch = 1.0
    /// False if nothing that is spoken may be kept on the disk.
    var keepsSound = true
}

extension CompositionRoot {
    /// The synthesiser of a choice. While the engine fails, this machine's voice speaks, with one warning.
    func synthesizer(_ choice: SpeechChoice) async throws -> any SpeechSynthesizer {
        let local = try await synthesizer(choice.voice, rate: choice.rate)
        guard let engine = choice.engine else { return local }
        let cache: any SpeechCache = choice.keepsSound ? await speechCache() : InMemorySpeechCache()
        let elsewhere = try await configured(engine).synthesizer(rate: choice.rate, cache: cache)
        let shaped = ShapedSynthesizer(
            elsewhere, rate: { engine.kind.restOfSpeed(choice.rate.percent) }, pitch: choice.pitch)
        return FallbackSynthesizer(
            shaped, local: local,
            configuration: fallback(of: engine, for: .synthesis))
    }

    /// The recogniser of a command: offline dictation, with a warning, an engine, or this machine's for its questions. While
    /// the engine fails, this machine's hears, with one warning.
    ///
    /// - Parameters:
    ///   - name: The engine's name from the command line; nil for the one in use.
    ///   - dictation: In the place of an engine.
    ///   - showsWords: True if words are shown while somebody speaks.
    func ears(
        _ name: String? = nil, dictation: Dictation?, showsWords: Bool
    ) async throws -> any UtteranceRecognizer {
        if let dictation {
            console.warn(Dictation.warning)
            return try await recognizer(of: dictation, showsWords: showsWords)
        }
        let engine = try await speechEngine(name, for: .recognition)
        let local = try await recognizer()
        guard let engine else { return local }
        return EngineRecognizer(
            FallbackRecognizer(
                try await configured(engine).recognizer(), local: local,
                configuration: fallback(of: engine, for: .recognition)))
    }

    /// The choice of a command.
    ///
    /// - Parameters:
    ///   - named: The engine's name from the command line; nil for the one in use.
    ///   - voice: This machine's voice.
    ///   - isVoiceChosen: True if the command line names the voice: then this machine speaks, unless an engine is named,
    ///     too.
    func speechChoice(
        named: String? = nil, voice: Voice, isVoiceChosen: Bool, rate: SpeechRate, keepsSound: Bool = true
    ) async throws -> SpeechChoice {
        let isLocal = named == nil && isVoiceChosen
        let engine = isLocal ? nil : try await speechEngine(named, for: .synthesis)
        return SpeechChoice(engine: engine, voice: voice, rate: rate, keepsSound: keepsSound)
    }

    /// The engine for a purpose; nil for this machine's. While the app lock is closed nobody is asked for its passphrase,
    /// and this machine hears and speaks, as it does if the settings cannot be read, which costs a warning.
    ///
    /// - Parameter name: The engine's name from the command line; nil for the one in use.
    func speechEngine(_ name: String?, for purpose: SpeechEngine.Purpose) async throws -> SpeechEngine? {
        if name == SpeechEngine.local { return nil }
        if let name {
            let engine = try await speechEngineList().named(name)
            try KeyValueSpeechEngines.check(engine, for: [purpose])
            return engine
        }
        do {
            guard try await !settingsAreLocked() else { return nil }
            return try await speechEngineList().engine(for: purpose)
        } catch let error as DomainError {
            console.warn("The settings cannot be read, so this machine hears and speaks. \(Sentence(error))")
            return nil
        }
    }

    /// The stored engines, after the passphrase of the app lock, which nobody is asked for if nothing is stored.
    func speechEngineList() async throws -> SpeechEngineList {
        guard !AppPaths.isMissing(paths.settings) else { return SpeechEngineList() }
        return try await speechEngines().list()
    }

    /// The store of the engines, after the passphrase of the app lock.
    func speechEngines() async throws -> KeyValueSpeechEngines { KeyValueSpeechEngines(try await settingsFile()) }

    /// An engine with its key and the way to it; nothing is connected yet.
    ///
    /// - Throws: `SecretNotFound` if its key is missing.
    func configured(
        _ engine: SpeechEngine, limits: SpeechServiceLimits = SpeechServiceLimits()
    ) async throws -> ConfiguredEngine {
        var key: SpeechServiceKey?
        if let secret = engine.secret {
            let name = try SecretStoreChoice.name(secret)
            guard let value = try await SecretStoreChoice(.auto).open(in: self, writes: false).value(for: name) else {
                throw SecretNotFound(name: name)
            }
            key = SpeechServiceKey(value.withExposed { String(decoding: $0, as: UTF8.self) })
        }
        let configuration = try transportConfiguration(
            to: SpeechEngineAddress.host(of: engine.address), allowsPlainHTTP: engine.allowsPlainText)
        return try ConfiguredEngine(
            engine, key: key, transport: try transport(configuration), limits: limits, logger: logger)
    }

    /// The sound of spoken sentences; in memory alone while the app lock is closed.
    private func speechCache() async -> any SpeechCache {
        guard (try? await sealedData.isLocked()) == false else { return InMemorySpeechCache() }
        let cache = StoredSpeechCache { [self] in
            try paths.makeDataFolder()
            return try await soundStore()
        }
        return CountedSpeechCache(cache: cache, tally: sentences)
    }

    /// The file of the sound of spoken sentences.
    func soundStore() async throws -> CacheStore {
        try await CacheStore(
            at: paths.speechCache, configuration: StoredSpeechCache.bounds, seal: try await dataSeal()?.pages,
            logger: logger.with(category: "speech-cache"))
    }

    private func fallback(of engine: SpeechEngine, for purpose: SpeechEngine.Purpose) -> FallbackConfiguration {
        let (works, stands): (Sentence, Sentence) =
            purpose == .synthesis
            ? ("\(engine.name) speaks again.", "This machine speaks in its place until it works again.")
            : ("\(engine.name) hears again.", "This machine hears in its place until it works again.")
        var configuration = FallbackConfiguration(convert: { try $0.converted(to: $1) }) { [console] event in
            switch event {
            case .fellBack(let error, _):
                let reason = (error as? SpeechServiceError)?.sentence ?? Sentence(error)
                console.warn("\(engine.name): \(reason) \(stands)")
            case .recovered: console.warn(works)
            }
        }
        if let patience = engine.patience[purpose] { configuration.patience = patience }
        return configuration
    }
}

extension SpeechEngine.Kind {
    /// The factor of a speed in percent that is left after what the protocol makes by itself.
    fileprivate func restOfSpeed(_ percent: Int) -> Double {
        switch self {
        case .wyoming: Double(percent) / 100
        case .elevenlabs: Double(percent) / Double(min(120, max(70, percent)))
        case .openai, .whispercpp: 1
        }
    }
}

extension SpeechEngineList {
    /// The engine of this name.
    ///
    /// - Throws: `DomainError.invalidInput` with the name that was probably meant.
    func named(_ name: String) throws(DomainError) -> SpeechEngine {
        if let engine = engine(named: name) { return engine }
        throw .unknown("speech engine", name, among: engines.map(\.name), command: "parley speech add")
    }
}

/// The address of a speech engine in one form.
enum SpeechEngineAddress {
    /// The usual address of a protocol; nil for one that has no usual address.
    static func standard(for kind: SpeechEngine.Kind) -> String? {
        switch kind {
        case .openai: "https://api.openai.com/v1"
        case .whispercpp: "http://127.0.0.1:8080"
        case .elevenlabs: "https://api.elevenlabs.io"
        case .wyoming: nil
        }
    }

    /// The host of an address, in lower case.
    static func host(of address: String) -> String? {
        guard let host = URLComponents(string: address)?.host?.lowercased() else { return nil }
        return host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }

    /// True if nobody on the way can listen: TLS, or this machine itself.
    static func isPrivate(_ address: String) -> Bool {
        if address.lowercased().hasPrefix("https://") { return true }
        return host(of: address).map(CurlTransport.Configuration.loopbackHosts.contains) ?? false
    }

    /// The address in one form, or what is wrong with it.
    static func checked(_ text: String, for kind: SpeechEngine.Kind) -> Result<String, Invalid> {
        guard kind == .wyoming else {
            guard let address = ServerAddress(text) else {
                return .failure(Invalid(sentence: ServerAddress.invalid(text)))
            }
            return .success(address.text)
        }
        guard let parts = URLComponents(string: text), parts.scheme?.lowercased() == "tcp", let port = parts.port,
            (1...65_535).contains(port), let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil,
            parts.password == nil, parts.query == nil, parts.fragment == nil, ["", "/"].contains(parts.path)
        else {
            let sentence: Sentence =
                "\"\(text.printable)\" is no address of a Wyoming server. Write it as tcp://127.0.0.1:10300."
            return .failure(Invalid(sentence: sentence))
        }
        let isBare = host.contains(":") && !host.hasPrefix("[")
        return .success("tcp://\(isBare ? "[\(host)]" : host):\(port)")
    }

    /// An address that cannot be used.
    struct Invalid: Error {
        let sentence: Sentence
    }
}

// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataLayer
import DataVoice
import Diagnostics
import Domain
import FoundationEssentials
import Networking
import Security
import SecuritySecretService
import Speech
import StateKnowledge

/// Puts the parts together. Nothing is opened or loaded before a command asks for it.
struct CompositionRoot: Sendable {
    let paths: AppPaths
    let logger: Logger
    let console: Console
    /// The environment, for what a person sets there.
    let environment: [String: String]

    /// The passphrase before all secrets, if there is one; one for the process, so that it is asked for once.
    let appLock: AppLock

    init(paths: AppPaths, logger: Logger, console: Console, environment: [String: String]) {
        self.paths = paths
        self.logger = logger
        self.console = console
        self.environment = environment
        appLock = AppLock(path: paths.appLock)
    }

    /// What is known of the states.
    let knowledge = StateKnowledgeBase()

    /// What answers questions.
    var answerer: any QuestionAnswerer { knowledge }

    /// The use case that answers, storing in `conversations`.
    func answerQuestion(storingIn conversations: any ConversationRepository) -> AnswerQuestion {
        AnswerQuestion(answerer: answerer, conversations: conversations, wording: \.message)
    }

    /// The stored conversations, opened by their first use; a damaged file is set aside and what can be read is kept, with
    /// a warning. A history that cannot be kept costs a warning, too.
    ///
    /// - Parameters:
    ///   - kept: whether anything outlives the process.
    ///   - warn: Called when something cannot be kept; by default it is shown at once.
    func conversations(kept: Bool, warn: (@Sendable (String) -> Void)? = nil) -> any ConversationRepository {
        BestEffortConversations(
            open: { [console, logger, data = sealedData(console)] in
                guard kept else { return try await SQLiteConversationRepository(logger: logger) }
                return try await data.openForAppending(damage: .salvage { console.progress($0) })
            }, warn: warn ?? { [console] in console.warn($0) })
    }

    /// The stored conversations for reading, after the passphrase of the app lock; a damaged file is an error,
    /// and a missing one is empty.
    func conversations() async throws -> SQLiteConversationRepository {
        guard ![paths.conversations, paths.data + "/inbox"].allSatisfy(AppPaths.isMissing) else {
            return try await SQLiteConversationRepository(logger: logger)
        }
        let data = sealedData(console)
        try await unlock(data, console: console)
        return try await data.conversations(damage: .refuse)
    }

    /// Sets a damaged history aside and saves what can be read; nil when it is sound.
    func repairConversations() async throws -> String? {
        try await SQLiteConversationRepository.repair(path: paths.conversations, seal: try await dataSeal(console))
    }

    /// A recogniser for questions about states, loaded.
    func recognizer() async throws -> GrammarRecognizer {
        do {
            return try await GrammarRecognizer.forStateQuestions(logger: logger)
        } catch { throw DomainError(translating: error) }
    }

    /// What writes down sound files.
    func transcriber() async throws -> FileTranscriber {
        let (detector, _, endpointing) = try VoiceActivityChoice.auto.make()
        return FileTranscriber(recognizer: try await recognizer(), detector: detector, endpointing: endpointing)
    }

    /// What hears and what speaks, on one route.
    func voices(_ route: AudioRoute, voice: FliteSynthesizer.Voice) async throws -> Voices {
        let devices = try devices(for: route)
        async let recognizer = recognizer()
        let (detector, _, endpointing) = try VoiceActivityChoice.auto.make()
        var speaker = try await speaker(on: devices.playback, voice: .flite(voice))
        // A file that was asked for must be written; a loudspeaker is not the only way to the answer.
        if route.output == nil { speaker = WarningSpeaker(speaker: speaker) { [console] in console.warn($0) } }
        return Voices(
            listener: MicrophoneSpeechListener(
                device: devices.capture, recognizer: try await recognizer, detector: detector,
                endpointing: endpointing, logger: logger.with(category: "listening")),
            speaker: speaker)
    }

    /// What turns texts into sound.
    func synthesizer(_ voice: Voice) async throws -> any SpeechSynthesizer {
        do {
            switch voice {
            case .flite(let voice): return try FliteSynthesizer(voice: voice)
            case .espeak(let language): return try await ESpeakSynthesizer(language: language)
            }
        } catch { throw DomainError(translating: error) }
    }

    /// What speaks, on one route.
    func speaker(_ route: AudioRoute, voice: Voice) async throws -> any SpeechSpeaker {
        try await speaker(on: try devices(for: route).playback, voice: voice)
    }

    /// Where secrets are kept.
    ///
    /// - Parameters:
    ///   - passphrase: For the file; without it a key file opens it.
    ///   - writes: False if a missing file is to be read as an empty one.
    func secretStore(
        _ kind: SecretStoreChoice.Kind, passphrase: Sensitive<[UInt8]>?, writes: Bool = true
    ) async throws -> any SecretStore {
        let keyring = SecretServiceStore(allowsPrompt: InputStream().isTerminal)
        switch kind {
        case .keyring: return keyring
        case .file:
            guard writes || !AppPaths.isMissing(paths.secrets) else { return InMemorySecretStore() }
            try paths.makeConfigurationFolder()
            let protection: FileSecretStore.Protection =
                passphrase.map { .passphrase($0, .standard) } ?? .keyFile(paths.secretsKey)
            return try await FileSecretStore.open(paths.secrets, protection: protection)
        case .auto:
            let kind = try await automaticStore()
            // Only before the file is made, and not at each call.
            if writes, kind == .file, !FileManager.default.fileExists(atPath: paths.secrets) {
                console.progress("No keyring here: secrets are in \(paths.secrets.printable).")
            }
            return try await secretStore(kind, passphrase: nil, writes: writes)
        }
    }

    /// Which kind of store there is: the keyring, or else the file.
    func automaticStore() async throws -> SecretStoreChoice.Kind {
        try await SecretStores.hasKeyring(allowsPrompt: InputStream().isTerminal) ? .keyring : .file
    }

    /// A log of requests that calls `observe` with each.
    func networkLog(observe: @escaping @Sendable (NetworkExchange) -> Void) -> NetworkLog {
        NetworkLog(logger: logger.with(category: "network"), observe: observe)
    }

    /// A client for HTTP with every stage that needs no account, logging into `log`.
    func httpClient(_ transport: CurlTransport.Configuration, log: NetworkLog) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.log = log
        return HTTPClient(transport: try CurlTransport(configuration: transport), configuration: configuration)
    }

    /// Every sound device of the system.
    func devices() throws -> [AudioDeviceInfo] {
        do { return try AudioDevices.list() } catch { throw DomainError(translating: error) }
    }

    /// What hears and what speaks.
    struct Voices: Sendable {
        let listener: MicrophoneSpeechListener
        let speaker: any SpeechSpeaker
    }

    private func speaker(on device: AudioDevice, voice: Voice) async throws -> any SpeechSpeaker {
        SynthesizerSpeechSpeaker(
            synthesizer: try await synthesizer(voice), device: device, logger: logger.with(category: "speaking"))
    }

    /// Where the sound of a route comes from and goes to.
    ///
    /// - Parameter format: what a file is converted to, or what is written to it.
    func devices(
        for route: AudioRoute, format: AudioFormat = .speech
    ) throws -> (capture: AudioDevice, playback: AudioDevice) {
        do {
            let known = route.device == "default" ? nil : try AudioDevices.find(route.device)
            let hardware = known?.device ?? .alsa(route.device)
            guard route.input != nil || route.output != nil else { return (hardware, hardware) }
            let card = AudioDevice.virtual(
                try VirtualCard.file(
                    input: try route.input.map(StandardSound.path), output: route.output, format: format))
            return (route.input == nil ? hardware : card, route.output == nil ? hardware : card)
        } catch { throw DomainError(translating: error) }
    }
}

// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataAssistant
import Speech
import TerminalKit

/// The table of all settings.
///
/// Not settings: permissions and refusals that belong to one command line (`--plain-http`, `--allow-tools`,
/// `--no-history`, `--no-tools`), the lengths of lists (`--limit`, `--top`, `--days`), what other commands keep
/// (`--server` and `--store` by `parley sign-in`, limits by `parley recordings limit`, time limits by `parley mcp add`),
/// and the options of measurements (`audio loopback --rounds`, `net get --timeout`).
extension Setting {
    static let baseURL = Setting(
        "base-url", .address, variables: ["PARLEY_BASE_URL", "OPENAI_BASE_URL"],
        staysHere: "an address may lead elsewhere from another machine",
        help: "The server of models that speaks like OpenAI's, if no assistant is in use")
    static let apiKey = Setting(
        "api-key", .text, variables: [], staysHere: "secrets stay where they are",
        help: "The secret that is the key of that server")
    static let model = Setting(
        "model", .text, standard: ModelOptions.Purpose.chat.standard, help: "The model of chat; the default is OpenAI's"
    )
    static let embeddingModel = Setting(
        "embedding-model", .text, standard: ModelOptions.Purpose.embeddings.standard,
        help: "The model of embed and search; the default is OpenAI's")
    static let voiceModel = Setting(
        "voice-model", .text, standard: ModelOptions.Purpose.voice.standard,
        help: "The model of talk --mode realtime, and of chat after /voice")

    static let modelLimit = Setting(
        "model-limit", .number(1...600), standard: "\(ModelAssistant.standardLimit.components.seconds)",
        help: "How many seconds a model may be silent before it counts as away")

    static let theme = Setting(
        "theme", .choice(Theme.Name.allCases.map(\.rawValue)), standard: Theme.Name.auto.rawValue,
        staysHere: "each terminal has its own background",
        help: "The colours; auto takes those of the terminal, plain none")

    static let language = Setting(
        "language", .choice(["auto", "ar", "de", "en", "es", "ja", "en-XA", "en-XB"]), standard: "auto",
        help: "The language of parley's texts; auto is the system's, en-XA and en-XB are for tests")

    static let all: [Setting] = [
        baseURL, apiKey, model, embeddingModel, voiceModel, modelLimit, theme, language,
        Setting("budget", .dollars, option: "budget", help: "What a conversation with a model may cost"),
        Setting(
            "talk-mode", .choice(["local", "realtime"]), standard: "local", option: "mode",
            for: { $0.command.path == ["talk"] }, help: "Who answers in talk: this machine, or a model at a server"),
        Setting(
            "voice", .choice(FliteSynthesizer.Voice.allCases.map(\.rawValue)), standard: "slt", option: "voice",
            for: { !$0.hasModelVoice }, help: "The English voice of talk, say and listen"),
        Setting(
            "model-voice", .text, option: "voice", for: \.hasModelVoice,
            help: "The server's voice of talk --mode realtime and of chat, such as marin; the server has a default"),
        StoredSpeakingRate.setting,
        Setting(
            "device", .text, standard: "default", option: "device", staysHere: "each machine has its own devices",
            help: "The ALSA device (parley devices)"),
        Setting(
            "wake-word", .text, standard: "hey jarvis", option: "wake-word", help: "What listen wakes up at"),
        Setting(
            "sensitivity", .number(0...100), standard: "50", option: "sensitivity",
            help: "How easily listen wakes up, in percent"),
        Setting(
            "follow-up", .number(0...60), standard: "6", option: "follow-up",
            help: "How many seconds listen takes a further question without the wake word"),
        Setting(
            "detector", .choice(VoiceActivityChoice.allCases.map(\.rawValue)), standard: "auto", option: "detector",
            staysHere: "a detector needs files and a processor", help: "The detector of voice activity"),
        Setting(
            "recording-format", .choice(["flac", "opus"]), standard: "flac", option: "format",
            for: { $0.command.path == ["practice"] }, help: "How practice encodes recordings"),
        Setting(
            "recording-rate", .choice(["16000", "48000"]), standard: "48000", option: "rate",
            staysHere: "it depends on the microphone", help: "How many samples a second practice and record take"),
    ]
}

extension Invocation {
    /// True if the option `--voice` names a voice of the server.
    var hasModelVoice: Bool {
        command.path == ["chat"] || (command.path == ["talk"] && text(of: "mode") == "realtime")
    }
}

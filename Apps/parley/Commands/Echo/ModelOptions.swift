// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataAssistant
import Domain
import Echo
import Security
import TerminalKit

/// The options for the server, the model and the key of a command.
///
/// The address: `--base-url`, then `PARLEY_BASE_URL`, then `OPENAI_BASE_URL`, then the assistant in use, then the setting
/// `base-url`, then OpenAI's. The model: `--model`, then `PARLEY_MODEL` (for vectors `PARLEY_EMBEDDING_MODEL`, for voice
/// `PARLEY_VOICE_MODEL`), then the assistant's if its server is asked, then the setting, then the command's own default
/// at OpenAI. The key: the secret that `--api-key` names; else the one of the assistant or the settings that named the
/// server; for OpenAI and for the server in `OPENAI_BASE_URL` else `OPENAI_API_KEY`, and for OpenAI else the secret
/// `openai`. No other server gets OpenAI's key, and none but its own server an assistant's.
struct ModelOptions: Sendable {
    /// The purpose of a model.
    enum Purpose: Sendable {
        case chat
        case embeddings
        case voice

        /// The environment variable that names the model.
        var variable: String {
            switch self {
            case .chat: "PARLEY_MODEL"
            case .embeddings: "PARLEY_EMBEDDING_MODEL"
            case .voice: "PARLEY_VOICE_MODEL"
            }
        }
        /// The setting that names the model.
        var setting: Setting {
            switch self {
            case .chat: .model
            case .embeddings: .embeddingModel
            case .voice: .voiceModel
            }
        }
        /// The model at OpenAI if none is named.
        var standard: String {
            switch self {
            case .chat: ResponsesModel.gpt5.rawValue
            case .embeddings: EmbeddingModel.textEmbedding3Small.rawValue
            case .voice: RealtimeModel.gptRealtime.rawValue
            }
        }
        /// The models that OpenAI's API is asked for.
        var models: [String] {
            switch self {
            case .chat: ResponsesModel.supported.map(\.rawValue)
            case .embeddings: EmbeddingModel.supported.map(\.rawValue)
            case .voice: RealtimeModel.supported.map(\.rawValue)
            }
        }
    }

    private static func model(_ purpose: Purpose) -> ValueOption<String> {
        ValueOption(
            "model", short: "m", placeholder: "NAME",
            help:
                "The model; by default $\(purpose.variable), the assistant's, the setting's, or OpenAI's \(purpose.standard)"
        )
    }
    private static let baseURL = ValueOption<String>(
        "base-url", placeholder: "URL",
        help:
            "A server that speaks like OpenAI's; by default $PARLEY_BASE_URL, $OPENAI_BASE_URL, the assistant's or OpenAI"
    )
    private static let apiKey = ValueOption<String>(
        "api-key", placeholder: "NAME",
        help: "The secret that is the server's key (parley secrets set NAME); else $OPENAI_API_KEY")
    private static let plainHTTP = Flag(
        "plain-http", help: "Allow http:// to another machine, where anybody can read along")
    /// The options of a command that names the model otherwise, or none.
    static let serverOptions: [any CommandOption] = [baseURL, apiKey, plainHTTP]
    /// The options, with the model's own help.
    static func options(_ purpose: Purpose) -> [any CommandOption] { [model(purpose)] + serverOptions }

    /// The amount that may be spent, in US dollars.
    static func budget(_ help: String) -> ValueOption<Double> {
        ValueOption("budget", placeholder: "DOLLARS", help: help, expected: "US dollars such as 0.50") { text in
            Double(text).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        }
    }

    /// The part of the help that the README has, too.
    static let discussion = """
        Without --base-url the server is OpenAI's, with the key in OPENAI_API_KEY or in the secret openai (parley secrets
        set openai). A server of your own gets no key but the one that --api-key names:
          llama.cpp  --base-url http://127.0.0.1:8080/v1 --model NAME
          Ollama     --base-url http://127.0.0.1:11434/v1 --model NAME
          vLLM       --base-url http://127.0.0.1:8000/v1 --model NAME
        """

    /// True if the command line names a server or a model.
    var namesServer: Bool { baseURL != nil || model != nil }

    private let baseURL: String?
    private let model: String?
    private let apiKey: String?
    private let allowsPlainHTTP: Bool
    private let command: CommandSpecification?

    init(_ invocation: Invocation, for purpose: Purpose) {
        baseURL = invocation[Self.baseURL]
        model = invocation[Self.model(purpose)]
        apiKey = invocation[Self.apiKey]
        allowsPlainHTTP = invocation.has(Self.plainHTTP)
        command = invocation.command
    }

    /// The options of a command with ``serverOptions``.
    ///
    /// - Parameter model: The model that the command names itself; may be empty if no model is asked.
    init(serverOf invocation: Invocation, model: String) {
        baseURL = invocation[Self.baseURL]
        self.model = model
        apiKey = invocation[Self.apiKey]
        allowsPlainHTTP = invocation.has(Self.plainHTTP)
        command = invocation.command
    }

    /// No options.
    ///
    /// - Parameters:
    ///   - command: The command whose help has more.
    ///   - model: The model that the command names itself.
    init(command: CommandSpecification?, model: String? = nil) {
        (baseURL, self.model, apiKey, allowsPlainHTTP) = (nil, model, nil, false)
        self.command = command
    }

    /// The settings of the command line, the environment, the assistant in use, the stored settings and the secrets
    /// together. The passphrase of the app lock is asked for where it is needed.
    func settings(for purpose: Purpose, in app: CompositionRoot) async throws -> ModelSettings {
        let (stored, assistants) =
            try await app.readSettings { (try $0.settings(), try $0.assistants()) } ?? ([:], AssistantList())
        return try await settings(
            for: purpose, environment: app.environment, keyVariable: app.environment["OPENAI_API_KEY"], stored: stored,
            assistant: assistants.current, in: app)
    }

    /// The settings of these sources.
    ///
    /// - Parameters:
    ///   - environment: The variables that name a server or a model.
    ///   - keyVariable: OpenAI's key.
    ///   - stored: The stored settings by name.
    ///   - assistant: The assistant in use.
    func settings(
        for purpose: Purpose, environment: [String: String], keyVariable: String?, stored: [String: String],
        assistant: ModelProfile?, in app: CompositionRoot
    ) async throws -> ModelSettings {
        let server = try server(environment, stored, assistant)
        guard let chosen = self.model ?? standardModel(for: purpose, of: server, environment, stored, assistant) else {
            throw UsageError(
                "Name the model that \(server.address.text.printable) is to answer with: --model NAME, or "
                    + "\(purpose.variable).", command: command)
        }
        let limit = try SettingValue(of: .modelLimit, environment: app.environment, stored: stored)
        let voiceModel =
            standardModel(for: .voice, of: server, environment, stored, assistant) ?? Purpose.voice.standard
        return ModelSettings(
            baseURL: server.address.text, isOpenAI: server.isOpenAI,
            model: purpose == .voice ? Purpose.chat.standard : chosen,
            voiceModel: purpose == .voice ? chosen : voiceModel,
            key: try await key(of: server, keyVariable, in: app), allowsPlainHTTP: server.allowsPlainHTTP,
            limit: limit.text.flatMap(Int.init).map { .seconds($0) } ?? ModelAssistant.standardLimit)
    }

    /// The model of a command that names none; nil if it has to name one.
    func standardModel(
        for purpose: Purpose, environment: [String: String], stored: [String: String], assistant: ModelProfile?
    ) throws -> String? {
        standardModel(for: purpose, of: try server(environment, stored, assistant), environment, stored, assistant)
    }

    private func standardModel(
        for purpose: Purpose, of server: Server, _ environment: [String: String], _ stored: [String: String],
        _ assistant: ModelProfile?
    ) -> String? {
        environment[purpose.variable].flatMap { $0.isEmpty ? nil : $0 }
            ?? (server.origin == .assistant ? assistant?.model(for: purpose) : nil) ?? stored[purpose.setting.name]
            ?? (server.isOpenAI || purpose == .voice ? purpose.standard : nil)
    }

    /// The server of the requests.
    private struct Server {
        enum Origin { case named, openAIVariable, assistant, setting, standard }

        let address: ServerAddress
        let origin: Origin
        /// The secret that is its key, if the server's origin names one.
        let apiKey: String?
        let allowsPlainHTTP: Bool
        var isOpenAI: Bool { address.text == EchoEndpoint.openAI.baseURL }
    }

    private func server(
        _ environment: [String: String], _ stored: [String: String], _ assistant: ModelProfile?
    ) throws(UsageError) -> Server {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let text: String
        let origin: Server.Origin
        if let named = baseURL ?? variable("PARLEY_BASE_URL") {
            (text, origin) = (named, .named)
        } else if let named = variable("OPENAI_BASE_URL") {
            (text, origin) = (named, .openAIVariable)
        } else if let assistant {
            (text, origin) = (assistant.baseURL, .assistant)
        } else if let named = stored[Setting.baseURL.name] {
            (text, origin) = (named, .setting)
        } else {
            (text, origin) = (EchoEndpoint.openAI.baseURL, .standard)
        }
        guard let address = ServerAddress(text) else {
            throw UsageError(ServerAddress.invalid(text), command: command)
        }
        let isAssistant = origin == .assistant
        let isAllowed = allowsPlainHTTP || (isAssistant && assistant?.allowsPlainHTTP == true)
        guard address.isPrivate || isAllowed else { throw UsageError(address.readableByOthers, command: command) }
        let storedKey = origin == .setting || origin == .standard ? stored[Setting.apiKey.name] : nil
        return Server(
            address: address, origin: origin, apiKey: isAssistant ? assistant?.apiKey : storedKey,
            allowsPlainHTTP: isAllowed)
    }

    private func key(
        of server: Server, _ keyVariable: String?, in app: CompositionRoot
    ) async throws -> Sensitive<[UInt8]>? {
        if let name = apiKey ?? server.apiKey {
            guard let key = try await secret(name, in: app) else {
                throw SecretNotFound(name: try SecretStoreChoice.name(name))
            }
            return key
        }
        guard server.isOpenAI || server.origin == .openAIVariable else { return nil }
        var key = keyVariable.flatMap { $0.isEmpty ? nil : Sensitive(utf8: $0) }
        if key == nil, server.isOpenAI { key = try await secret(Self.secretName, in: app) }
        if server.isOpenAI, key == nil { throw UsageError(Self.missingKey, command: command) }
        return key
    }

    /// The name of the secret that is OpenAI's key.
    static let secretName = "openai"

    private static let missingKey: Sentence =
        "There is no key for api.openai.com. Set OPENAI_API_KEY, or keep the key with: parley secrets set \(secretName). For a "
        + "server of your own give --base-url URL --model NAME (Ollama: http://127.0.0.1:11434/v1). "
        + "parley chat --offline asks the local assistant."

    /// A secret, if there is one.
    private func secret(_ name: String, in app: CompositionRoot) async throws -> Sensitive<[UInt8]>? {
        try await SecretStoreChoice(.auto).open(in: app, writes: false)
            .value(for: try SecretStoreChoice.name(name))
    }
}

// SPDX-License-Identifier: MIT

import CommandLineArguments
import Echo
import FoundationEssentials
import Networking
import Security

/// The options for the server, the model and the key of a command.
///
/// The address: `--base-url`, then `PARLEY_BASE_URL`, then `OPENAI_BASE_URL`, then OpenAI's. The model: `--model`, then
/// `PARLEY_MODEL` (for vectors `PARLEY_EMBEDDING_MODEL`, for voice `PARLEY_VOICE_MODEL`), then the command's own
/// default at OpenAI. The key: the secret that `--api-key` names; for OpenAI and for the server in `OPENAI_BASE_URL`
/// else `OPENAI_API_KEY`, and for OpenAI else the secret `openai`. No other server gets OpenAI's key.
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
        /// The model at OpenAI if none is named.
        var standard: String {
            switch self {
            case .chat: ResponsesModel.gpt5.rawValue
            case .embeddings: EmbeddingModel.textEmbedding3Small.rawValue
            case .voice: RealtimeModel.gptRealtime.rawValue
            }
        }
    }

    private static func model(_ purpose: Purpose) -> ValueOption<String> {
        ValueOption(
            "model", short: "m", placeholder: "NAME",
            help: "The model; by default $\(purpose.variable), else OpenAI's \(purpose.standard)")
    }
    private static let baseURL = ValueOption<String>(
        "base-url", placeholder: "URL",
        help: "A server that speaks like OpenAI's; by default $PARLEY_BASE_URL or $OPENAI_BASE_URL, else OpenAI")
    private static let apiKey = ValueOption<String>(
        "api-key", placeholder: "NAME",
        help: "The secret that is the server's key (parley secrets set NAME); else $OPENAI_API_KEY")
    private static let plainHTTP = Flag(
        "plain-http", help: "Allow http:// to another machine, where anybody can read along")
    /// The options, with the model's own help.
    static func options(_ purpose: Purpose) -> [any CommandOption] { [model(purpose), baseURL, apiKey, plainHTTP] }

    /// The amount that may be spent, in US dollars.
    static func budget(_ help: String) -> ValueOption<Double> {
        ValueOption("budget", placeholder: "DOLLARS", help: help, expected: "US dollars, such as 0.50,") { text in
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

    private let baseURL: String?
    private let model: String?
    private let apiKey: String?
    private let allowsPlainHTTP: Bool
    private let command: CommandSpecification

    init(_ invocation: Invocation, for purpose: Purpose) {
        baseURL = invocation[Self.baseURL]
        model = invocation[Self.model(purpose)]
        apiKey = invocation[Self.apiKey]
        allowsPlainHTTP = invocation.has(Self.plainHTTP)
        command = invocation.command
    }

    /// The settings of the command line, the environment and the secrets together.
    ///
    func settings(for purpose: Purpose, in app: CompositionRoot) async throws -> ModelSettings {
        func variable(_ name: String) -> String? { app.environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let standard = EchoEndpoint.openAI.baseURL
        let named = baseURL ?? variable("PARLEY_BASE_URL")
        let address = try address(named ?? variable("OPENAI_BASE_URL") ?? standard)
        let isOpenAI = address == standard
        let voiceModel = variable(Purpose.voice.variable) ?? Purpose.voice.standard
        let standardModel = isOpenAI || purpose == .voice ? purpose.standard : nil
        guard let model = model ?? variable(purpose.variable) ?? standardModel else {
            throw UsageError(
                "Name the model that \(address.printable) is to answer with: --model NAME, or \(purpose.variable).",
                command: command)
        }
        var key: Sensitive<[UInt8]>?
        if let apiKey {
            key = try await secret(apiKey, in: app)
            if key == nil { throw SecretNotFound(name: try SecretStoreChoice.name(apiKey)) }
        } else if isOpenAI || named == nil {
            key = variable("OPENAI_API_KEY").map { Sensitive(utf8: $0) }
            if key == nil, isOpenAI { key = try await secret(Self.secretName, in: app) }
        }
        if isOpenAI, key == nil { throw UsageError(Self.missingKey, command: command) }
        return ModelSettings(
            baseURL: address, isOpenAI: isOpenAI, model: purpose == .voice ? Purpose.chat.standard : model,
            voiceModel: purpose == .voice ? model : voiceModel, key: key, allowsPlainHTTP: allowsPlainHTTP)
    }

    /// The name of the secret that is OpenAI's key.
    static let secretName = "openai"

    private static let missingKey = """
        There is no key for api.openai.com. Set OPENAI_API_KEY, or keep the key with: parley secrets set \(secretName). For a \
        server of your own give --base-url URL --model NAME (Ollama: http://127.0.0.1:11434/v1). \
        parley chat --offline asks the local assistant.
        """

    /// A secret, if there is one.
    private func secret(_ name: String, in app: CompositionRoot) async throws -> Sensitive<[UInt8]>? {
        try await SecretStoreChoice(.auto).open(in: app, writes: false)
            .value(for: try SecretStoreChoice.name(name))
    }

    /// The address in one form, without a slash at its end.
    private func address(_ text: String) throws(UsageError) -> String {
        guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["https", "http"].contains(scheme), let host = parts.host?.lowercased(), !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else {
            throw UsageError(
                "\"\(text.printable)\" is no server's address. Write it whole, such as http://127.0.0.1:8080/v1.",
                command: command)
        }
        guard
            scheme == "https" || allowsPlainHTTP
                || CurlTransport.Configuration.loopbackHosts.contains(host)
        else {
            throw UsageError(
                "http:// to \(host.printable) can be read and changed by anyone on the way, the key too. Use https://, "
                    + "or give --plain-http.", command: command)
        }
        (parts.scheme, parts.host) = (scheme, host)
        while parts.path.hasSuffix("/") { parts.path.removeLast() }
        return parts.string ?? text
    }
}

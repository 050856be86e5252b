// SPDX-License-Identifier: MIT

import Domain
import Echo
import FoundationEssentials
import Networking
import Persistence
import TerminalKit

/// A model at a server that questions are passed on to, under a name of the person's.
struct ModelProfile: Codable, Sendable, Equatable {
    /// The name of the choice that passes no question on to a model.
    static let states = "states"

    /// The server's address, in the form of ``ServerAddress``.
    var baseURL: String
    /// The model for text.
    var model: String
    /// The model for voice; nil for the setting or the default.
    var voiceModel: String?
    /// The model for vectors; nil for the setting or the default.
    var embeddingModel: String?
    /// The name of the secret that is the server's key.
    var apiKey: String?
    /// True if plain `http` to another machine is allowed.
    var allowsPlainHTTP = false

    /// The model for a purpose; nil if it has none.
    func model(for purpose: ModelOptions.Purpose) -> String? {
        switch purpose {
        case .chat: model
        case .voice: voiceModel
        case .embeddings: embeddingModel
        }
    }
}

/// The address of a server of models in one form: scheme and host in lower case, no port that the scheme has anyway, no
/// slash at its end.
struct ServerAddress: Equatable {
    let text: String
    let host: String
    let isSecure: Bool

    /// Reads a whole address; nil for any other text, and for one with a user, a query or a fragment.
    init?(_ text: String) {
        guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["https", "http"].contains(scheme), let host = parts.host?.lowercased(), !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { return nil }
        (parts.scheme, parts.host) = (scheme, host)
        if parts.port == (scheme == "https" ? 443 : 80) { parts.port = nil }
        while parts.path.hasSuffix("/") { parts.path.removeLast() }
        self.text = parts.string ?? text
        self.host = host
        isSecure = scheme == "https"
    }

    /// True if nobody on the way can read along: `https`, or this machine itself.
    var isPrivate: Bool { isSecure || CurlTransport.Configuration.loopbackHosts.contains(host) }

    /// The message about an address that cannot be read.
    static func invalid(_ text: String) -> Sentence {
        "\"\(text.printable)\" is no server's address. Write it whole, such as http://127.0.0.1:8080/v1."
    }

    /// The message about an address that needs `--plain-http`.
    var readableByOthers: Sentence {
        "http:// to \(host.printable) can be read and changed by anyone on the way, the key too. Use https://, "
            + "or give --plain-http."
    }
}

/// The stored assistants.
struct AssistantList: Sendable, Equatable {
    /// The assistants by name.
    var assistants: [String: ModelProfile] = [:]
    /// The name of the one in use; ``Assistant/states`` for none.
    var used = ModelProfile.states

    /// The assistant in use; nil for the states alone.
    var current: ModelProfile? { assistants[used] }

    /// The names, sorted.
    var names: [String] { assistants.keys.sorted() }
}

extension KeyValueKey<ModelProfile> {
    fileprivate static let namespace = "assistants"

    /// An assistant by name.
    static func assistant(_ name: String) -> KeyValueKey<ModelProfile> { KeyValueKey(name, in: namespace) }
}

extension KeyValueKey<String> {
    /// The name of the assistant in use.
    static let usedAssistant = KeyValueKey<String>("assistant", in: "in use")
}

extension KeyValueTransaction {
    /// All assistants.
    func assistants() throws -> AssistantList {
        var list = AssistantList()
        for name in try names(in: KeyValueKey<ModelProfile>.namespace) {
            list.assistants[name] = try value(for: .assistant(name))
        }
        if let used = try value(for: .usedAssistant), list.assistants[used] != nil { list.used = used }
        return list
    }
}

extension CompositionRoot {
    /// The stored assistants, after the passphrase of the app lock.
    func assistants() async throws -> AssistantList {
        try await readSettings { try $0.assistants() } ?? AssistantList()
    }

    /// The model that `ask`, `talk` and `listen` pass questions on to that neither intents nor states answer; nil while
    /// `states` is in use, and while the app lock is closed, since nobody is asked for its passphrase here. Settings that
    /// cannot be read cost a warning, and then there is none.
    ///
    /// - Throws: `SecretNotFound` if the assistant's key is missing; `UsageError` for OpenAI without a key.
    func passOnModel() async throws -> ModelSettings? {
        let known: (assistants: AssistantList, stored: [String: String])?
        do {
            guard try await !settingsAreLocked() else { return nil }
            known = try await readSettings { (try $0.assistants(), try $0.settings()) }
        } catch let error as DomainError {
            console.warn("The settings cannot be read, so no model is asked. \(Sentence(error))")
            return nil
        }
        guard let (assistants, stored) = known, let assistant = assistants.current else { return nil }
        return try await ModelOptions(command: nil).settings(
            for: .chat, environment: [:], keyVariable: environment["OPENAI_API_KEY"], stored: stored,
            assistant: assistant, in: self)
    }
}

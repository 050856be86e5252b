// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import Persistence

/// The stored system prompts.
struct SystemPromptList: Sendable, Equatable {
    /// The word for no prompt.
    static let none = "none"

    /// The texts by name.
    var prompts: [String: String] = [:]
    /// The name of the one in use; ``none`` for none.
    var used = SystemPromptList.none

    /// The text of the prompt of this name.
    ///
    /// - Throws: `DomainError.invalidInput` with the name that was probably meant.
    func text(of name: String) throws(DomainError) -> String {
        if let text = prompts[name] { return text }
        throw .unknown("prompt", name, among: prompts.keys.sorted(), command: "parley prompts add")
    }
}

extension KeyValueKey<String> {
    fileprivate static let prompts = "prompts"

    /// The text of a system prompt.
    static func prompt(_ name: String) -> KeyValueKey<String> { KeyValueKey(name, in: prompts) }
    /// The name of the system prompt in use.
    static let usedPrompt = KeyValueKey<String>("prompt", in: "in use")
}

extension KeyValueTransaction {
    /// All system prompts.
    func prompts() throws -> SystemPromptList {
        var list = SystemPromptList()
        for name in try names(in: KeyValueKey<String>.prompts) { list.prompts[name] = try value(for: .prompt(name)) }
        if let used = try value(for: .usedPrompt), list.prompts[used] != nil { list.used = used }
        return list
    }
}

/// The options for the system prompt of a conversation with a model: `--system`, then `--prompt`, then the prompt in use.
struct SystemPromptOptions: Sendable {
    private static let system = ValueOption<String>(
        "system", placeholder: "TEXT", help: "Tell the model this before everything else")
    private static let prompt = ValueOption<String>(
        "prompt", placeholder: "NAME", help: "Tell it this stored text (parley prompts), or none; else the one in use")
    /// The declarations of the options.
    static let declared: [any CommandOption] = [system, prompt]

    private let system: String?
    private let prompt: String?

    init(_ invocation: Invocation) throws(UsageError) {
        system = invocation[Self.system]
        prompt = invocation[Self.prompt]
        guard system == nil || prompt == nil else {
            throw invocation.error("--system and --prompt do not go together.")
        }
    }

    /// The text in use, for commands without these options; nil for none.
    static func used(in app: CompositionRoot) async throws -> String? {
        let list = try await app.readSettings { try $0.prompts() } ?? SystemPromptList()
        return list.prompts[list.used]
    }

    /// The text; nil for none.
    func text(in app: CompositionRoot) async throws -> String? {
        if let system { return system }
        if prompt == SystemPromptList.none { return nil }
        let list = try await app.readSettings { try $0.prompts() } ?? SystemPromptList()
        return try prompt.map { try list.text(of: $0) } ?? list.prompts[list.used]
    }
}

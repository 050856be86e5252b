// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import Speech
import StateKnowledge

/// `parley completion`: writes a completion script.
struct CompletionCommand: Command {
    static let specification = CommandSpecification(
        path: ["completion"],
        summary: "Write a completion script for a shell",
        discussion: """
            bash: source <(parley completion bash)
            zsh:  parley completion zsh > ~/.zfunc/_parley
            fish: parley completion fish | source
            """,
        positionals: [
            PositionalSpecification(
                name: "SHELL", arity: .one, help: "bash, zsh or fish",
                completion: .choices(CompletionScript.allCases.map(\.rawValue)))
        ])

    private let script: CompletionScript

    init(_ invocation: Invocation) throws(UsageError) {
        let name = invocation.positionals.first ?? ""
        guard let script = CompletionScript(rawValue: name) else {
            throw UsageError(
                "There is no completion for \"\(name)\", only for bash, zsh and fish.", command: invocation.command)
        }
        self.script = script
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        // Without eSpeak NG there is no other language to offer.
        let words = CompletionWords(
            Commands.table,
            lists: [
                "states": app.knowledge.states.map(\.name),
                "languages": (try? await ESpeakSynthesizer.languages()) ?? [],
            ])
        let text = script.text(words)
        if console.isJSON {
            try console.emit(["shell": script.rawValue, "script": text])
        } else {
            try console.output.write(text)
        }
        return .done
    }
}

// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import Speech
import StateKnowledge

/// `parley completion`: writes a completion script.
struct CompletionCommand: Command {
    private static let shell = Positional<CompletionScript>(
        "SHELL", help: "bash, zsh or fish", choices: CompletionScript.allCases)
    static let specification = CommandSpecification(
        path: ["completion"],
        summary: "Write a completion script for a shell",
        discussion: """
            bash: source <(parley completion bash)
            zsh:  parley completion zsh > ~/.zfunc/_parley
            fish: parley completion fish | source
            """,
        positionals: [shell])

    private let script: CompletionScript

    init(_ invocation: Invocation) throws(UsageError) { script = invocation[Self.shell] }

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

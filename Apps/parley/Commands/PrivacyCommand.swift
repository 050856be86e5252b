// SPDX-License-Identifier: MIT

/// `parley privacy`: what is stored where, for how long, and who can read it.
struct PrivacyCommand: Command {
    static let specification = CommandSpecification(
        path: ["privacy"], summary: "Say what is stored where, for how long, and who can read it")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try console.show(PrivacyText.plain)
        try console.emit(["text": PrivacyText.markdown])
        return .done
    }
}

// SPDX-License-Identifier: MIT

/// The parts of the program's help.
struct HelpSection {
    let title: String
    /// The first words of the commands in it.
    let names: Set<String>

    /// In the order in which help shows them. What is in none comes last.
    static let all = [
        HelpSection(title: "Ask and talk", names: ["ask", "talk", "listen", "transcribe", "say", "history", "map"]),
        HelpSection(title: "Models and their tools", names: ["chat", "replay", "embed", "search", "mcp", "approve"]),
        HelpSection(
            title: "Practise a language", names: ["practice", "cues", "progress", "recordings", "uploads", "service"]),
        HelpSection(title: "Sound", names: ["devices", "record", "play", "audio"]),
        HelpSection(
            title: "Account and data",
            names: ["sign-in", "verify", "whoami", "sessions", "sign-out", "account", "consent", "privacy", "data"]),
        HelpSection(title: "Secrets and trust", names: ["secrets", "trust"]),
    ]

    /// Commands by section, in their own order.
    static func sections(of commands: [CommandSpecification]) -> [(title: String, commands: [CommandSpecification])] {
        let known = all.map { section in (section.title, commands.filter { section.names.contains($0.path[0]) }) }
        let rest = commands.filter { command in !all.contains { $0.names.contains(command.path[0]) } }
        return (known + [("This program", rest)]).filter { !$0.1.isEmpty }
    }
}

// SPDX-License-Identifier: MIT

/// Help as text, from the specifications.
struct HelpText {
    /// The help of the whole program.
    static func program(_ commands: [CommandSpecification]) -> String {
        let width = commands.map(\.name.count).max() ?? 0
        let sections = HelpSection.sections(of: commands).map { section in
            let list = section.commands.map { "  \(padded($0.name, to: width))  \($0.summary)" }
            return "\(section.title):\n" + list.joined(separator: "\n")
        }
        return """
            parley answers questions about US states, typed or spoken, without a network, and chats with models.

            Usage: parley COMMAND [ARGUMENTS]

            \(sections.joined(separator: "\n\n"))

            parley COMMAND --help says more about one of them. parley --version shows the version.

            Exit codes: 0 done · 2 wrong usage · 3 turned down, by the guardrail or a server · 4 device · 5 network
            · 6 data · 130 interrupted. Results go to standard output, everything else to standard error.
            PARLEY_HOME puts all state under one folder; NO_COLOR turns colours off.

            """
    }

    /// The help of a word that only begins commands.
    static func group(_ commands: [CommandSpecification]) -> String {
        let name = commands.first?.path[0] ?? ""
        let list = table(commands.map { ($0.name, $0.summary) })
        return
            "Usage: parley \(name) COMMAND\n\n\(list)\n\nparley \(name) COMMAND --help says more about one of them.\n"
    }

    /// The text with the lines of its paragraphs joined, for a terminal that is narrower than they are.
    ///
    /// A line is the end of its paragraph when it is short, or when the next one is indented or empty.
    static func reflowed(_ text: String, width: Int?) -> String {
        guard let width, width < fullWidth else { return text }
        var (lines, wasLong): ([String], Bool) = ([], false)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if let last = lines.last, wasLong, let first = line.first, first != " ", last.first != " " {
                lines[lines.count - 1] += " " + line
            } else {
                lines.append(line)
            }
            wasLong = line.count > fullWidth * 3 / 4
        }
        return lines.joined(separator: "\n")
    }

    /// How wide paragraphs are written.
    private static let fullWidth = 120

    /// The help of one command.
    static func command(_ command: CommandSpecification) -> String {
        let words = ["parley", command.name] + ["[OPTIONS]"] + command.positionals.map(\.usage)
        var sections = [command.summary + ".", "Usage: " + words.joined(separator: " ")]
        if !command.positionals.isEmpty {
            sections.append("Arguments:\n" + table(command.positionals.map { ($0.name, $0.help) }))
        }
        sections.append("Options:\n" + table(command.allOptions.map { ($0.usage, $0.help) }))
        if !command.discussion.isEmpty { sections.append(command.discussion) }
        return sections.joined(separator: "\n\n") + "\n"
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \(padded($0.0, to: width))  \($0.1)" }.joined(separator: "\n")
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}

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

// SPDX-License-Identifier: MIT

extension CommandTable {
    /// The help of the program: its commands by section, between two texts. Commands without a section are last, as
    /// "This program".
    public func help(
        introduction: String, sections: [HelpSection], conclusion: String, in language: HelpLanguage = .english
    ) -> String {
        let width = commands.map(\.name.count).max() ?? 0
        let lists = sorted(into: sections).map { title, commands in
            language.heading(title) + "\n"
                + commands.map { "  \(language.padded($0.name, to: width))  \(language.translate($0.summary))" }
                .joined(separator: "\n")
        }
        return """
            \(language.translate(introduction))

            \(language.heading("Usage")) \(program) COMMAND [ARGUMENTS]

            \(lists.joined(separator: "\n\n"))

            \(language.translate(conclusion))

            """
    }

    /// Commands by section, in their own order.
    func sorted(into sections: [HelpSection]) -> [(title: String, commands: [CommandSpecification])] {
        let known = sections.map { section in
            (section.title, commands.filter { section.names.contains($0.path[0]) })
        }
        let rest = commands.filter { command in !sections.contains { $0.names.contains(command.path[0]) } }
        return (known + [("This program", rest)]).filter { !$0.1.isEmpty }
    }

    /// The help of one command.
    public func help(of command: CommandSpecification, in language: HelpLanguage = .english) -> String {
        let words = [program, command.name] + ["[OPTIONS]"] + command.positionals.map(\.usage)
        func list(_ title: String, _ rows: [(String, String)]) -> String {
            language.heading(title) + "\n" + language.table(rows)
        }
        var sections = [
            language.sentence(command.summary), language.heading("Usage") + " " + words.joined(separator: " "),
        ]
        if !command.positionals.isEmpty {
            sections.append(list("Arguments", command.positionals.map { ($0.name, $0.help) }))
        }
        sections.append(list("Options", command.options.map { ($0.usage, $0.help) }))
        if !command.discussion.isEmpty { sections.append(language.translate(command.discussion)) }
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// The help of words that only begin commands.
    public func help(ofGroup commands: [CommandSpecification], in language: HelpLanguage = .english) -> String {
        let path = commands.first?.path ?? []
        let common = (1..<max(2, path.count)).last { end in commands.allSatisfy { $0.path.starts(with: path[..<end]) } }
        let group = "\(program) \(path.prefix(common ?? 1).joined(separator: " ")) COMMAND"
        let list = language.table(commands.map { ($0.name, $0.summary) })
        return "\(language.heading("Usage")) \(group)\n\n\(list)\n\n\(language.more(group + " --help"))\n"
    }

    /// The text with the lines of its paragraphs joined, for a terminal that is narrower than the lines.
    ///
    /// A line ends its paragraph if it is short, or if the next one is indented or empty.
    public static func reflowed(_ text: String, width: Int?) -> String {
        guard let width, width < Self.fullWidth else { return text }
        var (lines, wasLong): ([String], Bool) = ([], false)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if let last = lines.last, wasLong, let first = line.first, first != " ", last.first != " " {
                lines[lines.count - 1] += " " + line
            } else {
                lines.append(line)
            }
            wasLong = line.count > Self.fullWidth * 3 / 4
        }
        return lines.joined(separator: "\n")
    }

    /// The width of paragraphs, in characters.
    private static let fullWidth = 120
}

/// A part of the program's help.
public struct HelpSection: Sendable {
    let title: String
    let names: Set<String>

    /// Makes a section.
    ///
    /// - Parameter names: The first words of the commands in it.
    public init(title: String, names: Set<String>) {
        self.title = title
        self.names = names
    }
}

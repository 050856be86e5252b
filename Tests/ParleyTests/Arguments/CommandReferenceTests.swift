// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import CommandLineArguments
@testable import parley

/// Compares docs/commands.md with the command table.
@Suite struct CommandReferenceTests {
    private let commands = Commands.table.commands

    @Test func `the reference follows from the command table`() throws {
        let text = CommandReference.text(of: commands)
        let isCurrent = try GeneratedFile.isCurrent("docs/commands.md", text)
        #expect(
            isCurrent,
            "docs/commands.md is stale. Run: PARLEY_WRITE_DOCUMENTS=1 swift test --filter CommandReferenceTests")
    }

    @Test func `a changed command changes the reference`() throws {
        let text = CommandReference.text(of: commands)
        #expect(CommandReference.text(of: commands.dropLast()) != text)
        let added = CommandTable(
            program: "parley",
            commands: [CommandSpecification(path: ["greet"], summary: "Says hello | goodbye")],
            everywhere: [Flag.json, Flag.verbose]
        ).commands[0]
        let changed = CommandReference.text(of: commands + [added])
        #expect(changed.contains("| [`parley greet`](#parley-greet) | Says hello \\| goodbye |"))
        #expect(changed.contains("### parley greet\n\n```\nSays hello | goodbye.\n"))
    }
}

/// The commands as a page of Markdown: a table for each section of the help, then each command's own help.
private enum CommandReference {
    static func text(of commands: [CommandSpecification]) -> String {
        let table = CommandTable(program: "parley", commands: commands)
        // The commands have theirs already, and the table adds `--help` to them.
        let everywhere = commands[0].options.filter { option in
            commands.allSatisfy { $0.options.contains { $0.name == option.name } }
        }
        let sections = table.sorted(into: Commands.sections)
        let tables = sections.map { section in
            let rows = section.commands.map { command in
                let anchor = "parley-" + command.path.joined(separator: "-")
                return "| [`parley \(command.name)`](#\(anchor)) | \(cell(command.summary)) |\n"
            }
            return "## \(section.title)\n\n| command | purpose |\n|---|---|\n" + rows.joined()
        }
        let entries = sections.flatMap(\.commands).map {
            "### parley \($0.name)\n\n```\n\(help(table.help(of: $0), everywhere))\n```\n"
        }
        return ([introduction(everywhere)] + tables + ["## Each command\n"] + entries).joined(separator: "\n")
    }

    private static func introduction(_ everywhere: [OptionSpecification]) -> String {
        """
        # Commands

        <!-- Generated from the command table of Apps/parley. Run: PARLEY_WRITE_DOCUMENTS=1 swift test --filter CommandReferenceTests -->

        Every command also takes:

        \(everywhere.map { "- `\($0.usage.trimmed)`: \($0.help)\n" }.joined())
        Results are written to standard output, progress and errors to standard error. Exit codes: 0 done, 2 wrong usage,
        3 turned down by the guardrail or a server, 4 device, 5 network, 6 data, 130 interrupted. Data is stored in
        `~/.local/share/parley`; `PARLEY_HOME` puts everything into one other folder. A history that cannot be written (damaged,
        full disk, no permission) costs a warning, never the answer. [security.md](security.md) says who can read what is stored.

        """
    }

    /// A command's help without the options that every command takes.
    private static func help(_ text: String, _ everywhere: [OptionSpecification]) -> String {
        let common = everywhere.map { "  " + $0.usage }
        let blocks = text.split(separator: "\n\n").map { block -> String in
            guard block.hasPrefix("Options:\n") else { return String(block) }
            let lines = block.split(separator: "\n").filter { line in !common.contains { line.hasPrefix($0 + "  ") } }
            return lines.count == 1 ? "" : lines.joined(separator: "\n")
        }
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n").trimmed
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

extension String {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
}

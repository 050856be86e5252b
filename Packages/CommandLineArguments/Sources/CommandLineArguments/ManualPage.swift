// SPDX-License-Identifier: MIT

/// The manual page of a program, written from its command table in the macros of man(7).
public struct ManualPage: Sendable {
    private let table: CommandTable
    private let summary: String
    private let introduction: String
    private let sections: [HelpSection]
    private let endings: [(title: String, text: String)]

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - summary: The words after the program's name in `NAME`, without a full stop.
    ///   - introduction: The text of `DESCRIPTION`.
    ///   - sections: The parts of the program's help; each becomes a section. Commands without one are last.
    ///   - endings: Sections after the commands, such as `EXIT STATUS`. An empty line separates paragraphs.
    public init(
        _ table: CommandTable, summary: String, introduction: String, sections: [HelpSection],
        endings: [(title: String, text: String)]
    ) {
        self.table = table
        self.summary = summary
        self.introduction = introduction
        self.sections = sections
        self.endings = endings
    }

    /// The page's source.
    public var text: String {
        let shared = table.sharedOptions
        let commands = table.sorted(into: sections).map { section in
            Self.heading("SH", section.title.uppercased())
                + section.commands.map { entry($0, without: shared) }.joined()
        }
        return """
            .\\" Generated from the command table; do not edit.
            .TH \(Self.quoted(table.program.uppercased())) 1
            .SH NAME
            \(Self.escaped(table.program)) \\- \(Self.escaped(summary))
            .SH SYNOPSIS
            .B \(Self.escaped(table.program))
            .I COMMAND
            .RI [ ARGUMENTS ]
            .SH DESCRIPTION
            \(Self.paragraphs(introduction))
            """
                + commands.joined()
                + Self.heading("SH", "OPTIONS OF EVERY COMMAND") + shared.map { Self.item($0) }.joined()
                + endings.map { Self.heading("SH", $0.title) + Self.paragraphs($0.text) }.joined()
    }

    private func entry(_ command: CommandSpecification, without shared: [OptionSpecification]) -> String {
        let words = [table.program, command.name] + command.positionals.map(\.usage)
        let options = command.options.filter { option in !shared.contains { $0.name == option.name } }
        return Self.heading("SS", words.joined(separator: " "))
            + Self.paragraphs(command.summary + ".")
            + command.positionals.map { Self.item("\\fI\(Self.escaped($0.name))\\fR", $0.help) }.joined()
            + options.map { Self.item($0) }.joined()
            + (command.discussion.isEmpty ? "" : ".PP\n" + Self.paragraphs(command.discussion))
    }

    private static func heading(_ macro: String, _ title: String) -> String { ".\(macro) \(quoted(title))\n" }

    private static func item(_ option: OptionSpecification) -> String {
        let names = (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
        let value = option.placeholder.map { " \\fI\(escaped($0))\\fR" } ?? ""
        return item(names.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ") + value, option.help)
    }

    private static func item(_ tag: String, _ help: String) -> String { ".TP\n\(tag)\n\(line(help))\n" }

    /// The lines of the help at a terminal; lines of one paragraph are joined.
    private static func paragraphs(_ text: String) -> String {
        let joined = CommandTable.reflowed(text, width: 80).split(separator: "\n", omittingEmptySubsequences: false)
        var source = ""
        var isFirst = true
        for text in joined {
            if text.isEmpty {
                source += ".PP\n"
            } else {
                let indented = text.first == " "
                source += (isFirst ? "" : ".br\n") + (indented ? "\\&" : "") + line(String(text)) + "\n"
            }
            isFirst = text.isEmpty
        }
        return source
    }

    /// A line of text; a dot or an apostrophe at its start would make it a request.
    private static func line(_ text: String) -> String {
        let text = escaped(text)
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    }

    /// An argument of a macro.
    private static func quoted(_ text: String) -> String { "\"\(escaped(text).replacing("\"", with: "\\(dq"))\"" }
}

extension CommandTable {
    /// The options that every command takes.
    public var sharedOptions: [OptionSpecification] {
        (commands.first?.options ?? []).filter { option in
            commands.allSatisfy { $0.options.contains { $0.name == option.name } }
        }
    }
}

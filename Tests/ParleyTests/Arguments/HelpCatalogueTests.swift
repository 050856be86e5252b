// SPDX-License-Identifier: MIT

import Concurrency
import TestKit
import Testing

@testable import CommandLineArguments
@testable import parley

/// Compares the translatable texts of help and of errors of usage, l10n/help.pot, with the command table.
@Suite struct HelpCatalogueTests {
    /// Every text that help asks a translation of, in the order of the table, then those of settings and of errors of usage.
    private func texts() -> [String] {
        let asked = Guarded<[String]>([])
        let language = HelpLanguage { text in
            asked.withLock { if !$0.contains(text) { $0.append(text) } }
            return text
        }
        let table = Commands.table
        _ = Commands.help(table, in: language)
        for command in table.commands {
            _ = table.help(ofGroup: [command], in: language)
            _ = table.help(of: command, in: language)
        }
        let settings = Setting.all.flatMap { [$0.help, $0.staysHere].compactMap { $0 } }
        let all = asked.withLock { $0 } + settings + UsagePattern.allCases.map(\.rawValue) + expectations(table)
        return all.reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
    }

    /// The patterns of the values that options and arguments take: each is asked to read a text that none takes.
    private func expectations(_ table: CommandTable) -> [String] {
        table.commands.flatMap { command in
            (command.positionals.map { $0.parse(["\u{1}"]) } + command.options.map { $0.parse(["\u{1}"]) }).compactMap {
                guard case .failure(let error) = $0, case .translated(let text)? = error.text.values["expected"] else {
                    return nil
                }
                return text.pattern
            }
        }
    }

    @Test func `the texts of help follow from the command table`() throws {
        let entries = texts().map { "msgid \(Self.quoted($0))\nmsgstr \"\"\n" }
        let header = """
            # The texts of the command table. Run: PARLEY_WRITE_DOCUMENTS=1 swift test --filter HelpCatalogueTests
            msgid ""
            msgstr "Content-Type: text/plain; charset=UTF-8\\n"

            """
        let isCurrent = try GeneratedFile.isCurrent("l10n/help.pot", ([header] + entries).joined(separator: "\n"))
        #expect(
            isCurrent,
            "l10n/help.pot is stale. Run: PARLEY_WRITE_DOCUMENTS=1 swift test --filter HelpCatalogueTests, Scripts/l10n extract"
        )
    }

    /// The text as a string of gettext.
    private static func quoted(_ text: String) -> String {
        "\""
            + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
            .replacing("\n", with: "\\n") + "\""
    }
}

// SPDX-License-Identifier: MIT

import Testing

@testable import CommandLineArguments

/// The texts about a command line: English patterns with values, so that they can be shown in other languages.
@Suite struct UsageTextTests {
    private enum Mode: String, CaseIterable { case slow, fast }

    private static let table = CommandTable(
        program: "player",
        commands: [
            CommandSpecification(
                path: ["play"], summary: "", positionals: [Positional<String>("FILE", help: "")],
                options: [
                    Flag("loud", help: ""), ValueOption<Int>("rate", placeholder: "HERTZ", help: "", in: 1...8),
                    ValueOption<Mode>("mode", placeholder: "MODE", help: "", choices: Mode.allCases),
                ]),
            CommandSpecification(path: ["list", "all"], summary: ""),
        ])

    /// Command lines that provoke each pattern, with their English sentences.
    private static let faults = [
        ([], "--loud", "Name a command first: player COMMAND --loud."),
        ([], "plya", "There is no command \"plya\". Did you mean play?"),
        (["list"], "al", "There is no command \"list al\". Did you mean all? list has: all."),
        (["play", "f"], "--laud", "There is no option --laud. Did you mean --loud?"),
        (["play", "f"], "-x", "There is no option -x. Put an argument that starts with a dash after --."),
        (["play", "f"], "--loud=1", "The option --loud takes no value."),
        (["play", "f"], "--rate", "The option --rate needs a value: HERTZ."),
        (["play", "--rate=1"], "--rate=2", "The option --rate is given twice."),
        ([], "play", "FILE is missing."),
        (["play", "f"], "{word}", "\"{word}\" is one argument too many."),
        (["play", "f"], "--rate={text}", "--rate takes a whole number from 1 to 8, not \"{text}\"."),
        (["play", "f"], "--mode=fats", "--mode cannot be \"fats\". Did you mean fast? Choose one of: slow, fast."),
    ]

    private func patterns(_ text: UsageText) -> Set<String> {
        text.values.values.reduce(into: [text.pattern]) { found, value in
            if case .translated(let text) = value { found.formUnion(patterns(text)) }
        }
    }

    private func error(_ words: [String]) -> UsageError? {
        do throws(UsageError) { _ = try Self.table.parse(words) } catch { return error }
        return nil
    }

    @Test(arguments: faults)
    func `the English sentences are whole`(_ words: [String], _ last: String, _ sentence: String) {
        #expect(error(words + [last])?.message == sentence)
    }

    @Test func `every pattern is one that translators have`() {
        let found = Self.faults.compactMap { error($0.0 + [$0.1])?.advice(of: "player") }
        #expect(found.count == Self.faults.count)
        #expect(found.reduce(into: Set()) { $0.formUnion(patterns($1)) } == Set(UsagePattern.allCases.map(\.rawValue)))
    }

    @Test func `a sentence of a command stays as it is, braces too`() throws {
        let command = try #require(Self.table.commands.first)
        let error = UsageError("The arguments are {{\"message\": {message}}}.", command: command)
        #expect(
            error.advice(of: "player").english
                == "The arguments are {\"message\": {message}}. player play --help says more.")
        #expect(UsageError("No.", command: nil).advice(of: "player").english == "No. player --help says more.")
    }
}

// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import FoundationEssentials
import TerminalKit

/// `parley diagnostics export`: writes the support bundle.
struct DiagnosticsExportCommand: Command {
    private static let yes = Flag("yes", help: "Do not ask")
    private static let file = Positional<String>("FILE", help: "Where to: a new .zip", completion: .files)
    static let specification = CommandSpecification(
        path: ["diagnostics", "export"],
        summary: "Write what helps to find a fault into one archive, to look at and to hand on",
        discussion: """
            In it: the version, what parley doctor finds, settings without what you typed into them, the log, reports of crashes,
            sizes and permissions of files, and counts of questions. Not in it: anything that you said or typed, names, addresses
            and secrets. The list is shown before anything is written. Nothing is sent, except what parley doctor asks of the model
            and the speech engines in use.
            """,
        positionals: [file], options: [yes])

    private let file: String
    private let isSure: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        file = invocation[Self.file]
        try FileEnding.check(file, is: "zip", of: invocation.command)
        isSure = invocation.has(Self.yes)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        guard !FileManager.default.fileExists(atPath: file) else {
            throw DomainError.file("\(file.printable) already exists. Choose another file.")
        }
        guard isSure || InputStream().isTerminal else {
            throw DomainError.invalidInput("This asks before it writes. Add --yes to write it without a question.")
        }
        console.progress("Looking at this installation takes a few seconds.")
        let now = Date.now
        let parts = try await SupportBundle(app: app, now: now, words: console.text).parts()
        let rows = parts.map { [$0.name, "\($0.bytes.count)", "  " + console.text($0.about)] }
        let table = TextTable(rows, right: [1])
        for line in table.lines(width: console.output.columns, glyphs: console.traits.glyphs) { try console.show(line) }
        if !isSure, try await !agrees(console) {
            console.progress("Nothing was written.")
            return .refused
        }
        try NewFile.write(SupportBundle.archive(of: parts, madeAt: now), to: file)
        console.progress("\(file.printable) is written. Look into it before you hand it on.")
        try console.emit(Output(file: file, contents: parts.map { .init(name: $0.name, bytes: $0.bytes.count) }))
        return .done
    }

    private func agrees(_ console: Console) async throws -> Bool {
        let question: Sentence = "Type \"yes\" to write these into \(file.printable)."
        return try await WordQuestion(text: question, console: console).answer() == "yes"
    }

    private struct Output: Encodable {
        let file: String
        let contents: [Entry]

        struct Entry: Encodable {
            let name: String
            let bytes: Int
        }
    }
}

// SPDX-License-Identifier: MIT

import CommandLineArguments
import CrashReports
import Diagnostics
import Domain
import FoundationEssentials
import Localization
import ProductVersion
import TerminalKit

/// The program between its command line and its exit code.
struct Program: Sendable {
    let environment: [String: String]

    /// Runs a command line, and shows any error.
    func run(_ words: [String]) async -> ExitCode {
        let options = words.prefix { $0 != "--" }
        let console = console(isJSON: options.contains("--json"), isStatic: options.contains("--static"))
        do {
            return try await dispatch(words, console: console)
        } catch {
            console.translated(by: await translator(console)).report(error)
            return error is OutputStream.Closed ? .done : ExitCode(for: error)
        }
    }

    private func dispatch(_ words: [String], console: Console) async throws -> ExitCode {
        let table = Commands.table(for: words)
        switch try table.parse(words) {
        case .help(nil):
            if words.isEmpty, isNew, SetupCommand.canAsk(console), try await wantsFirstSteps(console) {
                return try await dispatch(["setup"], console: console)
            }
            try show(Commands.help(table, in: HelpLanguage(await translator(console))), console)
            return .done
        case .help(let command?):
            try show(table.help(of: command, in: HelpLanguage(await translator(console))), console)
            return .done
        case .group(let commands):
            try show(table.help(ofGroup: commands, in: HelpLanguage(await translator(console))), console)
            return .done
        case .version:
            try console.output.write("parley \(ProductVersion.current)\n")
            return .done
        case .run(let invocation):
            guard let type = Commands.type(of: invocation.command) else {
                throw UsageError("There is no command \"\(invocation.command.name)\".", command: nil)
            }
            let paths = try AppPaths(environment: environment)
            paths.closeFolders()
            let logger = logger(paths, isVerbose: invocation.has(.verbose))
            let root = { console in
                CompositionRoot(paths: paths, logger: logger, console: console, environment: environment)
            }
            let console = await root(console).personalConsole()
            let app = root(console)
            if invocation.command.path.first != "crash", let id = try? app.crashes.takeNew().first {
                console.warn("An earlier run crashed. To see where: parley crash show \(id)")
            }
            let command = try type.init(try await app.withSettings(invocation))
            defer { app.keepTrace(of: invocation) }
            return try await command.run(in: app, console: console)
        }
    }

    /// True if nothing of this person's is stored yet.
    private var isNew: Bool {
        (try? AppPaths(environment: environment)).map { AppPaths.isMissing($0.data) } ?? false
    }

    /// Asks somebody who has no data yet; any word but nothing is a wish for the help.
    private func wantsFirstSteps(_ console: Console) async throws -> Bool {
        let welcome: Sentence =
            "Welcome to parley. Enter begins the first steps (parley setup), h and Enter shows the help."
        let translated = console.translated(by: await translator(console))
        return try await WordQuestion(text: welcome, console: translated).answer() == ""
    }

    /// The translator for help and for errors of usage; a catalogue that is damaged costs a warning.
    private func translator(_ console: Console) async -> Translator {
        guard let paths = try? AppPaths(environment: environment) else { return .english }
        let app = CompositionRoot(paths: paths, logger: .disabled, console: console, environment: environment)
        let translator = await app.translator()
        for problem in translator.problems { console.warn("\(problem.message) Install parley again.") }
        return translator
    }

    /// Help is text in JSON mode, too.
    private func show(_ help: String, _ console: Console) throws {
        let width = console.output.columns
        try console.output.write(WrappedText.lines(CommandTable.reflowed(help, width: width), width: width))
    }

    private func console(isJSON: Bool, isStatic: Bool) -> Console {
        let errors = OutputStream(descriptor: 2)
        let output = OutputStream(descriptor: 1)
        let asked = environment["PARLEY_STATIC"] ?? ""
        let traits = TerminalTraits(
            environment: environment, isTerminal: output.isTerminal && errors.isTerminal,
            isStatic: isStatic || !asked.isEmpty && asked != "0")
        return Console(output: output, errors: errors, isJSON: isJSON, traits: traits)
    }

    /// Without `--verbose` lines go into the file and into the report of a crash alone.
    private func logger(_ paths: AppPaths, isVerbose: Bool) -> Logger {
        let kept: [any LogSink] = [LogFileSink(paths.log), CrashLogSink()]
        guard isVerbose else { return Logger(category: "parley", sink: MultiplexSink(kept)) }
        return Logger(category: "parley", minimumLevel: .debug, sink: MultiplexSink([StandardErrorSink()] + kept))
    }
}

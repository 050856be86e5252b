// SPDX-License-Identifier: MIT

import AudioKitLinux
import CommandLineArguments
import Domain
import TerminalKit

/// `parley setup`: the first steps at the terminal.
struct SetupCommand: Command {
    static let specification = CommandSpecification(
        path: ["setup"],
        summary: "Try microphone, loudspeaker, voice and assistant, a step each",
        discussion: """
            Each step is a real test, and each can be skipped. parley dashboard has the same steps in the browser; parley doctor
            checks without questions.
            """)

    /// The loudness in dBFS below which nobody has spoken.
    private static let loud: Float = -50
    private static let sample = "This is how I speak"

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        guard Self.canAsk(console) else {
            throw DomainError.invalidInput(
                "The first steps ask a person at a terminal. parley doctor checks without questions.")
        }
        var steps = FirstSteps()
        while let step = steps.next {
            console.progress("")
            console.progress(step.title, .strong)
            console.progress(step.text)
            let question = WordQuestion(
                text: "Enter tries it, s and Enter skips it, q and Enter ends.", console: console)
            guard let reply = FirstSteps.Reply(try await question.answer()) else { continue }
            guard reply == .attempt else {
                steps.take(reply, for: step)
                continue
            }
            do {
                steps.tried(step, works: try await attempt(step, in: app, console))
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                console.report(error)
                steps.tried(step, works: false)
            }
        }
        console.progress("")
        for step in FirstSteps.Step.allCases {
            guard let outcome = steps.outcomes[step] else { continue }
            console.progress("\(console.text(step.title))  \(console.text(outcome.words))", outcome.role)
        }
        console.progress("Ask: parley ask, parley talk, parley listen. All commands: parley --help")
        return .done
    }

    /// True if a person sees the questions and can answer.
    static func canAsk(_ console: Console) -> Bool {
        InputStream().isTerminal && console.errors.isTerminal && !console.isJSON
    }

    /// Tries a step; true if it works.
    private func attempt(_ step: FirstSteps.Step, in app: CompositionRoot, _ console: Console) async throws -> Bool {
        switch step {
        case .microphone:
            let meter = try AudioMeterCommand(try await app.invocation("audio", "meter", "--seconds", "5"))
            guard try await meter.measure(in: app, console: console).rms >= Self.loud else {
                throw DomainError.device("Nothing was heard. Is the microphone muted, or is another one chosen?")
            }
            return true
        case .loudspeaker:
            guard try await app.run("say", Self.sample, console: console) == .done else { return false }
            return try await Self.says("Did you hear it?", console)
        case .voice:
            console.progress("Ask now.")
            return try await app.run("talk", "--once", "--no-history", "--no-map", console: console) == .done
        case .assistant:
            let hasModel = try await app.assistants().current != nil
            let question = hasModel ? "Say hello in three words" : DomainError.exampleQuestions[0]
            console.progress(verbatim: "> " + question)
            guard try await app.run("ask", "--no-history", question, console: console) == .done else { return false }
            return try await Self.says("Is this an answer?", console)
        case .consent:
            let options = AccountOptions(for: Self.specification)
            do {
                try await app.withPractice(options, isOffline: true) { _ = try $0.session.decideUploads() }
            } catch DomainError.signInNeeded {
                console.progress("Nothing is sent: nobody is signed in. parley sign-in EMAIL signs you in, and asks.")
                return true
            }
            try await SignInQuestion(options: options).ask(in: app, console: console)
            return try await app.run("consent", "show", console: console) == .done
        }
    }

    /// Asks until the answer is yes or no.
    private static func says(_ question: Sentence, _ console: Console) async throws -> Bool {
        while true {
            switch try await WordQuestion(text: "\(question) Type y or n.", console: console).answer()?.lowercased() {
            case "y", "yes": return true
            case "n", "no", nil: return false
            default: continue
            }
        }
    }
}

extension FirstSteps.Outcome {
    fileprivate var words: Sentence {
        switch self {
        case .works: "✓ works"
        case .failed: "✗ does not work"
        case .skipped: "skipped"
        }
    }

    fileprivate var role: ColorRole {
        switch self {
        case .works: .success
        case .failed: .failure
        case .skipped: .muted
        }
    }
}

extension CompositionRoot {
    /// The invocation of a command line, with the settings.
    fileprivate func invocation(_ words: String...) async throws -> Invocation { try await invocation(words) }

    private func invocation(_ words: [String]) async throws -> Invocation {
        guard case .run(let invocation) = try Commands.table.parse(words) else {
            preconditionFailure("no command line: \(words)")
        }
        return try await withSettings(invocation)
    }

    /// Runs a command as if it had been typed.
    fileprivate func run(_ words: String..., console: Console) async throws -> ExitCode {
        let invocation = try await invocation(words)
        guard let type = Commands.type(of: invocation.command) else { preconditionFailure("no type: \(words)") }
        return try await type.init(invocation).run(in: self, console: console)
    }
}

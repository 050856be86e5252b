// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import DesktopNotifications
import Domain
import FoundationEssentials
import TerminalKit

/// `parley later list`: shows the questions that wait for the model.
struct LaterListCommand: Command {
    static let specification = CommandSpecification(
        path: ["later", "list"], summary: "List the questions that wait for the model",
        discussion: """
            parley ask --later keeps a question while the model is away; so do chat, talk and listen. parley chat and parley
            listen answer it when the model is back, while they run; parley later run does so now.
            """)

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let all = try await app.withWaitingQuestions(of: try await app.conversations()) { try await $0.all() }
        if all.isEmpty { console.progress("No question waits.") }
        for (question, stage) in all {
            let words: Sentence =
                switch stage {
                case .waiting: "waits"
                case .inProgress: "is being answered"
                case .stuck(let reason): "stuck: \(reason.printable)"
                }
            try console.show(
                "\(console.styled(question.name, .strong))  \(question.text.printable)  (\(console.text(words)))")
        }
        if all.contains(where: { if case .stuck = $0.stage { true } else { false } }) {
            console.progress("Try again: parley later run. Give up: parley later cancel NAME.")
        }
        try console.emit(["questions": all.map(Entry.init)])
        return .done
    }

    private struct Entry: Encodable {
        let name, conversation, question, stage: String
        let askedAt: String
        let reason: String?

        init(_ question: WaitingQuestion, _ stage: WaitingStage) {
            (name, self.question) = (question.name, question.text)
            conversation = question.conversation.id.description
            askedAt = question.askedAt.formatted(.iso8601)
            (self.stage, reason) =
                switch stage {
                case .waiting: ("waiting", nil)
                case .inProgress: ("inProgress", nil)
                case .stuck(let reason): ("stuck", reason)
                }
        }
    }
}

/// `parley later run`: asks the waiting questions now.
struct LaterRunCommand: Command {
    static let specification = CommandSpecification(
        path: ["later", "run"], summary: "Ask the waiting questions now, and show the answers",
        discussion: """
            Stuck ones are asked again, too. The exit code is 0 if nothing waits any more, 5 while the model cannot be reached,
            and 3 if a question is stuck. A program that is killed while it asks gives the question back after 15 s.
            """)

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let store = try await app.conversations()
        return try await app.withWaitingQuestions(of: store) { questions in
            let asking = ConsentPrompter(console: console)
            guard let answer = try await app.answerWaiting(questions, storingIn: store, asking: asking) else {
                throw DomainError.invalidInput(
                    "No model is in use, so nothing is asked. parley assistant use NAME chooses one.")
            }
            try await questions.retryStuck()
            let notifier = console.output.isTerminal ? nil : DesktopNotifier(application: "parley")
            let screen = LaterScreen(console: console)
            _ = try await answer.now { event in
                await screen.show(event)
                guard let notifier, case .answered(let question, let answer) = event else { return }
                await LaterNotification(question, answer).show(by: notifier, app.logger)
            }
            try await screen.rethrow()
            let rest = try await questions.all()
            if rest.isEmpty {
                console.progress("No question waits.")
                return .done
            }
            console.progress(
                Sentence(
                    one: "\(rest.count) question still waits: parley later list",
                    other: "\(rest.count) questions still wait: parley later list", count: rest.count))
            return rest.contains { if case .stuck = $0.stage { true } else { false } } ? .refused : .network
        }
    }
}

/// `parley later cancel`: gives questions up.
struct LaterCancelCommand: Command {
    private static let names = NamePrefix.several(from: "parley later list")
    static let specification = CommandSpecification(
        path: ["later", "cancel"], summary: "Give waiting questions up; they stay in their conversations",
        positionals: [names])

    private let names: [NamePrefix]

    init(_ invocation: Invocation) throws(UsageError) { names = invocation[Self.names] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await app.withWaitingQuestions(of: try await app.conversations()) { questions in
            for name in names {
                let turns = try await questions.all().map(\.question.turn)
                let turn = try name.one(of: turns, called: "waiting question")
                try await questions.cancel(turn)
                console.progress("\(turn.short) is given up.")
                try console.emit(["cancelled": turn.description])
            }
        }
        return .done
    }
}

/// Shows questions with the answers that they waited for. An output without a reader ends the run.
private actor LaterScreen {
    private let console: Console
    private let screen: AnswerScreen
    private var failure: (any Error)?

    init(console: Console) {
        self.console = console
        screen = AnswerScreen(console: console, emitsEvents: false)
    }

    func show(_ event: AnswerWaiting.Event) async {
        do { try await write(event) } catch {
            failure = failure ?? error
            withUnsafeCurrentTask { $0?.cancel() }
        }
    }

    func rethrow() throws {
        if let failure { throw failure }
    }

    private func write(_ event: AnswerWaiting.Event) async throws {
        switch event {
        case .asked(let question): try console.show(console.styled("> \(question.text.printable)", .muted))
        case .answering(let event): try await screen.show(event)
        case .answered(let question, let answer):
            try screen.end(answer)
            try console.emit(LaterAnswer(question, answer))
        case .failed(_, let error):
            try screen.end()
            console.report(error)
        }
    }
}

/// An answer in JSON, with its question.
private struct LaterAnswer: Encodable {
    let name, conversation, question: String
    let answer: AnswerOutput

    init(_ question: WaitingQuestion, _ answer: AssistantAnswer) {
        (name, self.question) = (question.name, question.text)
        conversation = question.conversation.id.description
        self.answer = AnswerOutput(answer)
    }

    func encode(to encoder: any Encoder) throws {
        try answer.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(conversation, forKey: .conversation)
        try container.encode(question, forKey: .question)
    }

    private enum CodingKeys: String, CodingKey { case name, conversation, question }
}

extension WaitingQuestion {
    /// The beginning of the turn's id, as the list shows it.
    fileprivate var name: String { turn.short }
}

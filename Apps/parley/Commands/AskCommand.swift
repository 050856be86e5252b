// SPDX-License-Identifier: MIT

import CommandLineArguments
import Concurrency
import Diagnostics
import Domain
import FoundationEssentials
import StateKnowledge
import TerminalKit

/// `parley ask`: answers a typed question.
struct AskCommand: Command {
    private static let explain = Flag("explain", help: "Show the reasons for the answer or the refusal")
    private static let question = Positional<[String]>(any: "QUESTION", help: "The question; quotes are optional")
    static let specification = CommandSpecification(
        path: ["ask"],
        summary: "Answer a typed question",
        discussion: """
            Without a question it is read from standard input; on a terminal, parley asks for one after another. A word -
            stands for what comes from the pipe.
            What is not about US states goes to the model of parley assistant, if one is in use; else it is turned down (exit
            code 3), never guessed. While the model is away, --later keeps the question: parley later.
            """,
        positionals: [question],
        options: [
            explain,
            Flag.noMap,
            Flag.later,
            Flag.noHistory,
        ])

    private let words: [String]
    private let explains: Bool
    private let drawsMap: Bool
    private let keepsHistory: Bool
    private let keepsForLater: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        words = invocation[Self.question]
        explains = invocation.has(Self.explain)
        drawsMap = !invocation.has(.noMap)
        keepsHistory = !invocation.has(.noHistory)
        keepsForLater = try invocation.keepsForLater()
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let question = try await PipedText(limit: AnswerQuestion.questionLimit * 4).read(words)
        let terminal = question == nil ? ChatTerminal(console: console) : nil
        let asking =
            terminal.map { ConsentPrompter($0, translator: console.translator) } ?? ConsentPrompter(console: console)
        let model = app.passOnModel(isSpoken: false, asking: asking, keepsAnswers: keepsHistory)
        return try await withCleanup {
            if let question { return try await answer(question, in: app, console: console, model) }
            let ask = app.answerQuestion(
                storingIn: app.conversations(kept: keepsHistory), model: model, keepsForLater: keepsForLater)
            return try await QuerySession(ask: ask, console: console, terminal: terminal, map: map(console)).run()
        } cleanup: {
            await model.close()
        }
    }

    private func answer(
        _ question: String, in app: CompositionRoot, console: Console, _ model: PassOnModel
    ) async throws -> ExitCode {
        let explanation = explains ? app.knowledge.explain(question) : nil
        // Warnings are shown after the answer.
        let warnings = Guarded<[Sentence]>([])
        let conversations = app.conversations(kept: keepsHistory) { warning in warnings.withLock { $0.append(warning) }
        }
        defer { for warning in warnings.withLock({ $0 }) { console.warn(warning) } }
        do {
            let ask = app.answerQuestion(storingIn: conversations, model: model, keepsForLater: keepsForLater)
            let conversation = OngoingConversation(Conversation(startedAt: .now))
            let screen = AnswerScreen(console: console, emitsEvents: false, map: map(console))
            let answer = try await ask(question, of: TurnID(), in: conversation, report: screen.show)
            try screen.end(answer)
            try show(explanation, console)
            try console.emit(AnswerOutput(answer, explanation: explanation))
            return .done
        } catch let error as DomainError {
            try show(explanation, console)
            let shown: any Error = QuestionNotKept(error) ?? error
            guard console.isJSON, let report = ErrorReport(shown) else { throw shown }
            try console.emit(RefusalOutput(error: report, explanation: explanation))
            return ExitCode(for: error)
        }
    }

    private func map(_ console: Console) -> AnswerMap? { drawsMap ? AnswerMap(console: console) : nil }

    private func show(_ explanation: [String]?, _ console: Console) throws {
        for line in explanation ?? [] { try console.show(console.styled(line.printable, .muted)) }
    }

    /// A refusal with its reasons.
    private struct RefusalOutput: Encodable {
        let error: ErrorReport
        let explanation: [String]?
    }
}

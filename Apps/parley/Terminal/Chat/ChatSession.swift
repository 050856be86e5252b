// SPDX-License-Identifier: MIT

import Concurrency
import DataAssistant
import Domain
import DurableFiles
import Echo
import FoundationEssentials
import Glibc
import TerminalKit

/// The questions and answers of a chat at a terminal or in a script.
final class ChatSession: Sendable {
    /// Keeps a question until the model is back.
    typealias Keep = @Sendable (WaitingQuestion) async throws -> Void

    /// The conversation, and what stores its speech.
    private struct Parts: Sendable {
        let conversation: OngoingConversation
        let record: RecordSpeech
        /// The last question, if the model could not answer it.
        var unanswered: WaitingQuestion?
    }

    private let model: ModelAssistant?
    private let tools: MCPToolBox?
    private let ask: AnswerQuestion
    private let keep: Keep?
    private let record: @Sendable (OngoingConversation) -> RecordSpeech
    private let tracing: VoiceTracing
    private let console: Console
    private let screen: AnswerScreen
    private let parts: Guarded<Parts>

    /// - Parameters:
    ///   - model: The model; nil for the local assistant.
    ///   - tools: The tools that it may call.
    ///   - conversation: The conversation that it begins with.
    ///   - ask: Answers and stores.
    ///   - keep: Keeps a question until the model is back; nil if that is impossible.
    ///   - tracing: Keeps the times of a conversation by voice.
    ///   - map: Draws states beside answers; nil draws none.
    ///   - record: Makes what stores the speech of a conversation.
    init(
        model: ModelAssistant?, tools: MCPToolBox?, conversation: OngoingConversation, ask: AnswerQuestion, keep: Keep?,
        tracing: VoiceTracing, console: Console, map: AnswerMap?,
        record: @escaping @Sendable (OngoingConversation) -> RecordSpeech
    ) {
        self.model = model
        self.tools = tools
        (self.ask, self.keep, self.record) = (ask, keep, record)
        (self.tracing, self.console) = (tracing, console)
        screen = AnswerScreen(console: console, map: map)
        parts = Guarded(Parts(conversation: conversation, record: record(conversation)))
    }

    /// True if questions can wait for the model.
    var canKeep: Bool { keep != nil }

    private func note(unanswered question: WaitingQuestion?) { parts.withLock { $0.unanswered = question } }

    /// Keeps the last question, which the model could not answer.
    private func keepLast() async throws {
        guard let keep else {
            throw DomainError.invalidInput(
                "Questions wait only for the model of parley assistant use, and only in a chat that is stored.")
        }
        guard let question = now.unanswered else {
            throw DomainError.invalidInput("The model has answered. /later keeps a question that it could not answer.")
        }
        try await keep(question)
        note(unanswered: nil)
        console.progress("The question is kept, and is answered when the model is back (parley later).", .muted)
    }

    private var now: Parts { parts.withLock { $0 } }

    private var name: String {
        get async { await model?.name ?? "offline" }
    }

    private func withModel() throws -> ModelAssistant {
        guard let model else { throw Self.isLocal }
        return model
    }

    private static let isLocal = DomainError.invalidInput(
        "The local assistant has no models and no voice in a chat. Leave --offline out to talk to a model; parley talk "
            + "speaks with the local assistant.")

    /// Answers one question; throws any error.
    func answer(_ question: String) async throws {
        if let model, await model.mode == .audio {
            // The reader of the voice events shows and stores the answer.
            try await now.record.asked(question)
            return try await model.say(question)
        }
        let name = await name
        let before = await model?.cost()
        let (parts, screen) = (now, screen)
        let answer: AssistantAnswer
        let turn = TurnID()
        do {
            answer = try await ask(question, of: turn, in: parts.conversation, report: screen.show)
        } catch {
            // The received part stays, and the error is shown below it.
            try screen.end()
            if (error as? DomainError)?.isTransient == true {
                note(
                    unanswered: WaitingQuestion(
                        turn: turn, conversation: parts.conversation.conversation, text: question, askedAt: .now))
            }
            throw error
        }
        note(unanswered: nil)
        try screen.end(answer)
        try console.emit(
            WholeAnswer(
                answer, model: answer.source.isLocal && model != nil ? answer.source.text : name,
                before: before, after: await model?.cost()))
    }

    /// Answers one question after another, until the person ends it.
    func run(at terminal: ChatTerminal, history: PromptHistory?) async throws -> ExitCode {
        let voice = ChatVoice(model: model, console: console, terminal: terminal, tracing: tracing) { [self] in
            now.record
        }
        return try await withCleanup {
            try await run(at: terminal, history, voice)
        } cleanup: {
            terminal.close()
            // It ends an answer that is being spoken, which is stored as far as it was heard.
            await model?.close()
            await voice.end()
        }
    }

    private func run(
        at terminal: ChatTerminal, _ history: PromptHistory?, _ voice: ChatVoice
    ) async throws -> ExitCode {
        var known = load(history)
        terminal.remember(known)
        console.progress("\(await name.printable). /help says what there is; Ctrl-D ends.", .muted)
        var wasInterrupted = false
        while let happening = await terminal.line(voice.prompt) {
            switch happening {
            case .end: return .done
            case .clearScreen: break
            case .interrupt(let wasEmpty):
                if wasEmpty, wasInterrupted { return .done }
                wasInterrupted = true
                try? await model?.interrupt()
                console.progress("Ctrl-C again, or Ctrl-D, ends.", .muted)
            case .line(let line):
                wasInterrupted = false
                let request = ChatRequest(line)
                if request == .nothing { continue }
                if known.last != line { known.append(line) }
                terminal.remember(known)
                keep(line, in: history)
                if try await !carryOut(request, at: terminal, voice) { return .done }
            }
        }
        try Task.checkCancellation()
        return .done
    }

    /// - Returns: False at the end.
    private func carryOut(_ request: ChatRequest, at terminal: ChatTerminal, _ voice: ChatVoice) async throws -> Bool {
        do {
            switch request {
            case .nothing: break
            case .quit: return false
            case .question(let question): try await answer(question, at: terminal)
            case .help: console.progress(ChatRequest.overview)
            case .mistake(let sentence): console.progress(sentence)
            case .clear:
                if await model?.mode == .audio { try await goOnInText(voice, at: terminal) }
                await model?.forget()
                let next = OngoingConversation(Domain.Conversation(startedAt: .now))
                parts.withLock { [record] in $0 = Parts(conversation: next, record: record(next)) }
                console.progress("The conversation is cleared. The next question starts a new one.", .muted)
            case .model(nil): try console.show(await name)
            case .model(let name?):
                try await withModel().use(model: name)
                console.progress("\(await self.name.printable) answers from now on.", .muted)
            case .tools:
                try await terminal.interruptibly { [self] in
                    let status = StatusLine(console: console)
                    status.announce(console.text("Asking the tool servers …" as Sentence))
                    defer { status.clear() }
                    let tools = try await tools?.list() ?? []
                    status.clear()
                    try ChatText.tools(tools, console)
                }
            case .cost: try ChatText.cost(await model?.cost(), console)
            case .save(let path): try await save(to: path)
            case .attach(let path):
                let file = try AttachedFile(path: path)
                guard let model else { throw AttachmentError.noModel }
                try await model.attach([file])
                console.progress("\(file.words.printable) goes with the next question.", .muted)
            case .voice: try await terminal.interruptibly { try await voice.begin() }
            case .text: try await goOnInText(voice, at: terminal)
            case .mute: try await voice.mute()
            case .later: try await keepLast()
            }
        } catch is CancellationError where !Task.isCancelled {
            console.progress("Stopped.", .muted)
        } catch let error as OutputStream.Closed {
            throw error
        } catch {
            try Task.checkCancellation()
            let mayWait = keep != nil && now.unanswered != nil
            console.report(mayWait ? QuestionNotKept(error, remedy: "/later keeps the question.") ?? error : error)
        }
        return true
    }

    private func answer(_ question: String, at terminal: ChatTerminal) async throws {
        try await terminal.interruptibly { [self] in try await answer(question) }
    }

    private func goOnInText(_ voice: ChatVoice, at terminal: ChatTerminal) async throws {
        try await terminal.interruptibly { try await voice.goOnInText() }
    }

    private func save(to path: String) async throws {
        let ongoing = now.conversation
        let messages = await ongoing.messages
        guard let summary = ConversationSummary(ongoing.conversation, messages) else {
            throw DomainError.invalidInput("Nothing has been said yet, so there is nothing to save.")
        }
        let document = ConversationOutput(summary, messages)
        let text = path.lowercased().hasSuffix(".json") ? try document.json : document.markdown
        try NewFile.write(Array(text.utf8), to: path)
        console.progress("The chat is in \(path.printable).", .muted)
    }

    private func load(_ history: PromptHistory?) -> [String] {
        do { return try history?.load() ?? [] } catch {
            console.report(error)
            return []
        }
    }

    private func keep(_ line: String, in history: PromptHistory?) {
        do { try history?.add(line) } catch { console.report(error) }
    }

    /// `{"event":"answer",…}`: the whole answer and its cost.
    private struct WholeAnswer: Encodable {
        let event = "answer"
        let text: String
        let model: String
        let state: StateOutput?
        let states: [StateOutput]?
        let usage: UsageOutput?
        let cost: Double?

        init(_ answer: AssistantAnswer, model: String, before: ModelCost?, after: ModelCost?) {
            text = answer.text
            self.model = model
            (state, states) = answer.states.forOutput
            guard let before, let after else {
                (usage, cost) = (nil, nil)
                return
            }
            usage = UsageOutput(after.total, since: before.total)
            cost = after.cost - before.cost
        }

        private enum CodingKeys: String, CodingKey { case event, text, model, state, states, usage, cost }
    }
}

extension AnswerSource {
    /// True if the answer comes from this machine.
    fileprivate var isLocal: Bool { if case .model = self { false } else { true } }
}

/// A file that must not exist yet.
enum NewFile {
    /// Writes a file whole, or not at all.
    ///
    /// - Throws: `DomainError.file`, also if there is a file of that name, which stays unchanged.
    static func write(_ bytes: [UInt8], to path: String) throws {
        do {
            if try DurableFile.create(path, with: bytes, temporary: "\(path).part-\(UInt64.random(in: 0 ... .max))") {
                return
            }
        } catch {
            throw DomainError.file(
                "\(path.printable) cannot be written: \(error.reason). Choose a folder that exists, with free space.")
        }
        throw DomainError.file("There is a file \(path.printable) already; it stays. Choose another name.")
    }
}

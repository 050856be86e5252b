// SPDX-License-Identifier: MIT

import CommandLineArguments
import Concurrency
import DataAssistant
import DataLayer
import Domain
import Echo
import FoundationEssentials
import TerminalKit

/// `parley chat`: asks a model one question or several.
struct ChatCommand: Command {
    private static let budget = ModelOptions.budget("Ask nothing more once so much was spent, such as 0.50")
    private static let allowTools = Flag("allow-tools", help: "Let the model call every tool without asking")
    private static let noTools = Flag("no-tools", help: "Leave the servers of parley mcp out")
    private static let offline = Flag("offline", help: "Ask the local assistant instead of a model")
    private static let device = ValueOption<String>(
        "device", short: "d", placeholder: "NAME", help: "Speak by this ALSA device after /voice")
    private static let voice = ValueOption<String>(
        "voice", placeholder: "NAME",
        help: "The server's voice that speaks after /voice, at OpenAI such as marin or cedar")
    private static let attach = ValueOption<[String]>(
        repeated: "attach", placeholder: "FILE",
        help: "Give the question this text, picture or PDF; may be given several times", completion: .files)
    private static let question = Positional<[String]>(any: "QUESTION", help: "The question; quotes are optional")
    static let specification = CommandSpecification(
        path: ["chat"],
        summary: "Ask a model, in one question or a conversation, with tools",
        discussion: """
            With a question: one answer, streamed. Without, a conversation at the terminal; from a pipe, all that comes is the
            question. A word - in the question stands for what comes from the pipe.
            \(ModelOptions.discussion)
            Tools are those of the servers of parley mcp; each call is asked about, once or for good. --offline asks the local
            assistant, which knows US states. --attach takes text in UTF-8 (1 MB), pictures in PNG, JPEG, GIF and WebP (20 MB)
            and PDF (32 MB). Events in JSON: delta, toolCall, toolResult, notice, answer. In a conversation /attach FILE gives
            the next question a file, /voice goes on by voice, with all that was said, and /text in text. --continue and
            --conversation go on with a stored conversation: the model reads all that was said, with the calls of tools.
            With --later, or after /later, a question that the model cannot answer now waits for it (parley later).
            """,
        positionals: [question],
        options: options + ConversationStart.options)

    /// The options of a chat, whatever conversation it begins with.
    fileprivate static let options: [any CommandOption] =
        ModelOptions.options(.chat) + SystemPromptOptions.declared + [
            budget,
            allowTools,
            noTools,
            offline,
            attach,
            device,
            voice,
            ProfileOption.declared,
            RealtimeTalk.trace,
            Flag.noMap,
            Flag.later,
            Flag.noHistory,
        ]

    private static let questionLimit = 4_000_000

    private let question: [String]
    private let attached: [String]
    private let model: ModelOptions
    private let system: SystemPromptOptions
    private let budget: Double?
    private let allowsTools: Bool
    private let hasTools: Bool
    private let isOffline: Bool
    private let keepsHistory: Bool
    private let keepsForLater: Bool
    private let drawsMap: Bool
    private let trace: String?
    private let route: AudioRoute
    private let voice: RealtimeVoice?
    private let profile: String?
    private let namesVoice: Bool
    private let start: ConversationStart

    init(_ invocation: Invocation) throws(UsageError) {
        try self.init(invocation, question: invocation[Self.question], start: ConversationStart(invocation))
    }

    fileprivate init(_ invocation: Invocation, question: [String], start: ConversationStart) throws(UsageError) {
        self.question = question
        self.start = start
        attached = invocation[Self.attach] ?? []
        model = ModelOptions(invocation, for: .chat)
        system = try SystemPromptOptions(invocation)
        allowsTools = invocation.has(Self.allowTools)
        hasTools = !invocation.has(Self.noTools)
        isOffline = invocation.has(Self.offline)
        keepsHistory = !invocation.has(.noHistory)
        keepsForLater = try invocation.keepsForLater()
        drawsMap = !invocation.has(.noMap)
        guard hasTools || !allowsTools else {
            throw UsageError("--allow-tools and --no-tools do not go together.", command: invocation.command)
        }
        budget = invocation[Self.budget]
        trace = invocation[RealtimeTalk.trace]
        voice = invocation[Self.voice].map(RealtimeTalk.voice(named:))
        profile = invocation[ProfileOption.declared]
        namesVoice = try SpokenOptions(invocation, voices: [Self.voice]).namesVoice
        route = try AudioRoute(invocation, device: Self.device)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let input = InputStream()
        let isConversation = question.isEmpty && input.isTerminal
        guard isConversation || trace == nil else {
            throw DomainError.invalidInput(
                "--trace records what is said after /voice in a conversation. Leave it out, or the question.")
        }
        let trace = try trace.map { path throws(EchoError) in try VoiceTraceFile(path: path) }
        // A missing setting is reported before anything is read or asked.
        let files = try attached.map { try AttachedFile(path: $0) }
        let settings = isOffline ? nil : try await model.settings(for: .chat, in: app)
        guard isConversation, let terminal = ChatTerminal(console: console) else {
            let question = try await question(from: input)
            let (session, model) = try await session(
                settings, asking: ConsentPrompter(console: console), trace: trace, in: app, console)
            return try await Self.closing(model, trace, console) {
                try await Self.attach(files, to: model)
                do { try await session.answer(question) } catch {
                    throw session.canKeep ? QuestionNotKept(error) ?? error : error
                }
                return .done
            }
        }
        defer { terminal.close() }
        trace?.whenFailed { terminal.say("\(console.styled("parley:", .failure)) \(console.text($0.sentence))") }
        let (session, model) = try await session(
            settings, asking: ConsentPrompter(terminal, translator: console.translator), trace: trace, in: app, console)
        // Without the folder, the typed lines cannot be kept, and keeping them reports the error.
        if keepsHistory { try? app.paths.makeDataFolder() }
        async let _: Void =
            session.canKeep
            ? app.answerWaitingMeanwhile { question, answer in
                terminal.say("\(console.styled("> \(question.text.printable)", .muted))\n\(ForeignText.shown(answer))")
                try? console.emit(LaterEvent(question, answer))
            } : ()
        return try await Self.closing(model, trace, console) {
            try await Self.attach(files, to: model)
            return try await session.run(at: terminal, history: keepsHistory ? await app.chatHistory() : nil)
        }
    }

    private func question(from input: InputStream) async throws -> String {
        guard question.isEmpty || question.contains("-") else { return question.joined(separator: " ") }
        guard !input.isTerminal else { throw DomainError.emptyQuery }
        guard let bytes = try await input.readToEnd(limit: Self.questionLimit) else {
            throw DomainError.invalidInput("Standard input is larger than 4 MB. Send less of it.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DomainError.file("Standard input is not text in UTF-8. Type the question, or pipe in a text file.")
        }
        let whole =
            question.isEmpty ? text : question.map { $0 == "-" ? "\n\(text)\n" : $0 }.joined(separator: " ")
        guard whole.contains(where: { !$0.isWhitespace }) else { throw DomainError.emptyQuery }
        return whole
    }

    private static func attach(_ files: [AttachedFile], to model: ModelAssistant?) async throws {
        guard !files.isEmpty else { return }
        guard let model else { throw AttachmentError.noModel }
        try await model.attach(files)
    }

    private func session(
        _ settings: ModelSettings?, asking: ConsentPrompter?, trace: VoiceTraceFile?, in app: CompositionRoot,
        _ console: Console
    ) async throws -> (session: ChatSession, model: ModelAssistant?) {
        let tools = settings != nil && hasTools ? try app.toolBox(allowsAll: allowsTools, asking: asking) : nil
        let instructions = settings == nil ? nil : try await system.text(in: app)
        let profileVoice = settings == nil || namesVoice ? nil : try await app.realtimeVoice(profile: profile)
        let device = settings == nil ? nil : try await app.voiceDevice(route).device
        let model = try settings.map { settings in
            var voice = VoiceConfiguration()
            if let device { voice.device = device }
            voice.trace = trace
            voice.voice = profileVoice.map(RealtimeTalk.voice(named:)) ?? self.voice
            return try app.model(settings, instructions: instructions, budget: budget, voice: voice, tools: tools)
        }
        let conversations = app.conversations(kept: keepsHistory)
        let conversation = try await start.open(in: app, console)
        await model?.resume(conversation.messages)
        let keep: ChatSession.Keep = { try await app.keepForLater($0) }
        let canKeep = try await canKeep(for: settings, in: app)
        // The consent is for the model in use, and a turn that is not stored could not say what was sent.
        let contextual: (any Assistant)? =
            canKeep ? model.map { ContextualAssistant($0) { await app.contextSituation() } } : model
        let ask = app.answerQuestion(
            storingIn: conversations, model: contextual,
            router: model == nil ? .localFirst(withModel: false) : .modelFirst,
            questionLimit: model == nil ? AnswerQuestion.questionLimit : Self.questionLimit,
            keepsForLater: keepsForLater)
        let session = ChatSession(
            model: model, tools: tools, conversation: conversation, ask: ask,
            keep: canKeep ? keep : nil, tracing: app.voiceTracing(kept: keepsHistory), console: console,
            map: drawsMap ? AnswerMap(console: console) : nil
        ) { app.recordSpeech($0, storingIn: conversations) }
        return (session, model)
    }

    /// True if questions may wait for the model: it is the one of `parley assistant use`, which answers them.
    private func canKeep(for settings: ModelSettings?, in app: CompositionRoot) async throws -> Bool {
        guard keepsHistory, let settings else { return false }
        let isInUse = try await app.assistants().current?.baseURL == settings.baseURL
        guard isInUse || !keepsForLater else {
            throw DomainError.invalidInput(
                "Questions wait only for the model of parley assistant use, which is not the one of this chat. Use it, or "
                    + "leave --later out.")
        }
        return isInUse
    }

    private static func closing(
        _ model: ModelAssistant?, _ trace: VoiceTraceFile?, _ console: Console, _ body: () async throws -> ExitCode
    ) async throws -> ExitCode {
        let code = try await withCleanup(body) { await model?.close() }
        if let trace, try await !trace.finish(telling: console), code == .done { return .data }
        return code
    }
}

/// `parley conversations resume`: goes on with a stored conversation.
struct ConversationsResumeCommand: Command {
    private static let name = NamePrefix.one(from: "parley conversations list")
    static let specification = CommandSpecification(
        path: ["conversations", "resume"],
        summary: "Go on with a conversation, as parley chat --conversation does",
        positionals: [name], options: ChatCommand.options)

    private let chat: ChatCommand

    init(_ invocation: Invocation) throws(UsageError) {
        chat = try ChatCommand(invocation, question: [], start: .named(invocation[Self.name]))
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        try await chat.run(in: app, console: console)
    }
}

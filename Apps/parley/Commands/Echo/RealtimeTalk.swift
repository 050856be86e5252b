// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataAssistant
import Domain
import Echo
import FoundationEssentials
import TerminalKit

/// `parley talk --mode realtime`: a conversation by voice with a model at a server.
struct RealtimeTalk: Sendable {
    private static let pushToTalk = Flag("push-to-talk", help: "Enter starts and ends your turn")
    static let budget = ModelOptions.budget(
        "End once so much was spent, such as 0.50; with --preload-model, ask nothing ahead any more")
    private static let allowTools = Flag("allow-tools", help: "Let the model call every tool without asking")
    private static let noTools = Flag("no-tools", help: "Leave the servers of parley mcp out")
    /// The options of `talk` for this mode.
    static let options: [any CommandOption] =
        ModelOptions.options(.voice) + [pushToTalk] + SystemPromptOptions.declared + [
            budget, allowTools, noTools, trace,
        ]

    static let trace = ValueOption<String>(
        "trace", placeholder: "FILE", help: "Record what was decided, without words and sound, for parley replay",
        completion: .files)

    /// The voice of this name: a custom voice by its id, or one of the server's own. The server reports an unknown
    /// name.
    static func voice(named name: String) -> RealtimeVoice {
        name.hasPrefix("voice_") ? .custom(id: name) : .named(name)
    }

    private let route: AudioRoute
    private let model: ModelOptions
    private let isPushToTalk: Bool
    private let system: SystemPromptOptions
    private let budget: Double?
    private let allowsTools: Bool
    private let hasTools: Bool
    private let trace: String?
    private let voice: RealtimeVoice?
    private let profile: String?
    private let namesVoice: Bool
    private let keepsHistory: Bool
    private let start: ConversationStart

    init(
        _ invocation: Invocation, route: AudioRoute, voice: String?, profile: String?, start: ConversationStart
    ) throws(UsageError) {
        (self.route, self.start) = (route, start)
        self.profile = profile
        namesVoice = try SpokenOptions(invocation, voices: [TalkCommand.voice]).namesVoice
        model = ModelOptions(invocation, for: .voice)
        isPushToTalk = invocation.has(Self.pushToTalk)
        keepsHistory = !invocation.has(.noHistory)
        system = try SystemPromptOptions(invocation)
        budget = invocation[Self.budget]
        allowsTools = invocation.has(Self.allowTools)
        hasTools = !invocation.has(Self.noTools)
        trace = invocation[Self.trace]
        self.voice = voice.map(Self.voice(named:))
        guard hasTools || !allowsTools else {
            throw UsageError("--allow-tools and --no-tools do not go together.", command: invocation.command)
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        // A missing setting is reported before a file is made or a device opened.
        let settings = try await self.model.settings(for: .voice, in: app)
        let conversation = try await start.open(in: app, console)
        // A conversation that is not stored could not say what was sent.
        let situation = keepsHistory ? try await app.spokenSituation(for: settings) : nil
        let instructions = [try await system.text(in: app), situation?.text].compactMap(\.self)
        let trace = try trace.map { path throws(EchoError) in try VoiceTraceFile(path: path) }
        let profileVoice = namesVoice ? nil : try await app.realtimeVoice(profile: profile)
        let (device, files) = try await app.voiceDevice(route)
        var voice = VoiceConfiguration()
        voice.device = device
        voice.trace = trace
        voice.voice = profileVoice.map(Self.voice(named:)) ?? self.voice
        let question = VoiceQuestion()
        let model = try app.model(
            settings, instructions: instructions.isEmpty ? nil : instructions.joined(separator: "\n\n"), budget: budget,
            mode: .audio,
            turns: isPushToTalk ? .manual : .automatic(VADConfiguration()), voice: voice,
            tools: hasTools
                ? try app.toolBox(allowsAll: allowsTools, asking: ConsentPrompter(question, console)) : nil)
        let conversations = app.conversations(kept: keepsHistory)
        await model.resume(conversation.messages)
        let record = app.recordSpeech(conversation, storingIn: conversations)
        if let situation, let text = situation.text {
            let use = ToolUse(recording: situation, as: "context-\(conversation.conversation.id)")
            try await record.took(.toolReturned(use, output: text, isError: false, took: .zero))
        }
        let talk = VoiceTalk(
            model: model, record: record, tracing: app.voiceTracing(kept: keepsHistory), console: console,
            isFile: route.input != nil, isPushToTalk: isPushToTalk,
            question: question)
        trace?.whenFailed { talk.tell($0) }
        let result: Result<ExitCode, any Error>
        do { result = .success(try await talk.run()) } catch { result = .failure(error) }
        // Devices and files are closed in order, also after Ctrl-C.
        await model.close()
        do {
            try files?.finish()
            if let trace, try await !trace.finish(telling: console), case .success(.done) = result { return .data }
        } catch {
            // The person is shown the first error.
            if case .success = result { throw error }
        }
        return try result.get()
    }
}

extension ConsentPrompter {
    /// Asks during a conversation by voice; nil if a person would not see the question.
    fileprivate init?(_ question: VoiceQuestion, _ console: Console) {
        let screen = console.errors.isTerminal ? console.errors : console.output
        guard InputStream().isTerminal, screen.isTerminal else { return nil }
        let line = StatusLine(console: console)
        self.init(
            size: { (screen.columns ?? 80, screen.rows ?? 24) },
            show: { text in
                line.clear()
                try? screen.write(text.drawable(withColors: false) + "\n")
            },
            answer: { prompt in
                try await question.ask(prompt) {
                    // If the status line is not shown, the question is written on a line of its own.
                    if line.isShown { line.show(prompt) } else { try? screen.write(prompt + "\n") }
                }
            })
    }
}

extension VoiceTraceFile {
    /// Completes the trace, and says so if it is full.
    ///
    /// - Returns: True if it was written; false if a failure was reported when it happened.
    func finish(telling console: Console) async throws -> Bool {
        do throws(VoiceTraceError) { try await finish() } catch { return false }
        guard isFull else { return true }
        let text =
            "The trace reached its size limit, so its end is missing. The stored part can be replayed." as Sentence
        if console.isJSON {
            try console.emit(["event": "notice", "text": text.english])
        } else {
            console.progress(text)
        }
        return true
    }
}

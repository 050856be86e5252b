// SPDX-License-Identifier: MIT

import CommandLineArguments
import Concurrency
import DataVoice
import Domain
import FoundationEssentials
import Speech
import TerminalKit

/// `parley talk`: answers a spoken question aloud.
struct TalkCommand: Command {
    private static let mode = ValueOption<String>(
        "mode", placeholder: "MODE", help: "Who answers: local (default), or realtime, a model at a server",
        choices: ["local", "realtime"])
    private static let input = AudioRoute.input("Hear the question from a sound file")
    private static let output = AudioRoute.output("Speak the answer into a WAV file")
    private static let once = Flag("once", help: "Hear one question at once, answer it and end")
    static let voice = ValueOption<String>(
        "voice", placeholder: "NAME",
        help: "The voice that speaks: slt (default), rms, awb or kal16; with --mode realtime one of the "
            + "server's, at OpenAI such as marin or cedar",
        completion: .suggestions(FliteSynthesizer.Voice.allCases.map(\.rawValue)))
    static let specification = CommandSpecification(
        path: ["talk"],
        summary: "Answer spoken questions aloud, from a sound file or the microphone",
        discussion: """
            With --input one question is heard from the file, in real time; without it, from the microphone: press Enter,
            speak, and press Enter again or just stop speaking. The engines in use hear and speak (parley speech use); --voice
            speaks on this machine. --once hears one question without Enter. --continue and --conversation go on with a stored
            conversation. Between questions it prepares the answers to your likeliest next ones, as listen does.
            Events in JSON: transcript, answer, error, latency.

            --mode realtime speaks with a model at a server instead, for as long as you like: just speak, also while it does.
            Enter interrupts, m mutes, q ends; with --push-to-talk Enter starts and ends your turn. A file may have several
            questions; it ends when all were answered. Tools are those of the servers of parley mcp; each call is asked about,
            and yes, no or always answers; where nobody is at a terminal, only what was allowed for good is called. Without a
            key: parley-server simulate-openai --dialect ollama --listen --speak, and --base-url with the address that it
            prints. More events in JSON: cost, connection, interrupted, mode, toolCall, toolResult, notice.
            """,
        options: [
            mode,
            input,
            output,
            AudioRoute.device,
            voice,
            Dictation.option,
            SpeechOutput.speedOption,
            ProfileOption.declared,
            PreloadChoice.asksModel,
            once,
            Flag.noMap,
            Flag.later,
            Flag.noHistory,
        ] + ConversationStart.options + RealtimeTalk.options)

    /// The option for the voice of commands that speak English on this machine only.
    static let englishVoice = ValueOption<FliteSynthesizer.Voice>(
        "voice", placeholder: "NAME", help: "The voice that speaks: slt (default), rms, awb or kal16",
        choices: FliteSynthesizer.Voice.allCases)

    /// The voice of the option, from those on this machine.
    private static func knownVoice(of invocation: Invocation) throws(UsageError) -> FliteSynthesizer.Voice {
        guard let name = invocation[Self.voice] else { return .slt }
        guard let voice = FliteSynthesizer.Voice(rawValue: name) else {
            let names = FliteSynthesizer.Voice.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(
                "There is no voice \"\(name.printable)\" on this machine. Choose one of: \(names). A server's own need "
                    + "--mode realtime.", command: invocation.command)
        }
        return voice
    }

    private let input: String?
    private let route: AudioRoute
    private let voice: FliteSynthesizer.Voice
    private let rate: Int
    private let profile: String?
    private let dictation: Dictation?
    private let spoken: SpokenOptions
    private let preload: PreloadChoice
    private let drawsMap: Bool
    private let keepsHistory: Bool
    private let keepsForLater: Bool
    private let isOnce: Bool
    private let start: ConversationStart
    private let realtime: RealtimeTalk?

    init(_ invocation: Invocation) throws(UsageError) {
        input = invocation[Self.input]
        route = try AudioRoute(invocation, input: Self.input, output: Self.output)
        let isRealtime = invocation[Self.mode] == "realtime"
        voice = try isRealtime ? .slt : Self.knownVoice(of: invocation)
        rate = invocation[SpeechOutput.speedOption] ?? 100
        profile = invocation[ProfileOption.declared]
        dictation = invocation[Dictation.option]
        spoken = try SpokenOptions(invocation, voices: [Self.voice])
        preload = try PreloadChoice(invocation, budget: RealtimeTalk.budget)
        drawsMap = !invocation.has(.noMap)
        keepsHistory = !invocation.has(.noHistory)
        keepsForLater = try invocation.keepsForLater()
        isOnce = invocation.has(Self.once)
        start = try ConversationStart(invocation)
        guard !isRealtime || !isOnce else { throw invocation.error("--once is not for --mode realtime.") }
        guard !isRealtime || !keepsForLater else { throw invocation.error("--later is not for --mode realtime.") }
        guard isRealtime else {
            realtime = nil
            let foreign = RealtimeTalk.options.first { option in
                let isBudget = option.specification.name == RealtimeTalk.budget.specification.name
                return invocation.isGiven(option) && !(isBudget && preload.budget != nil)
            }
            if let option = foreign {
                throw UsageError("--\(option.specification.name) is for --mode realtime.", command: invocation.command)
            }
            return
        }
        guard !invocation.isGiven(SpeechOutput.speedOption) else {
            throw UsageError("--speed is for voices of this machine.", command: invocation.command)
        }
        guard preload.budget == nil else {
            throw invocation.error("--preload-model is not for --mode realtime.")
        }
        guard dictation == nil else { throw invocation.error("--dictation is not for --mode realtime.") }
        realtime = try RealtimeTalk(
            invocation, route: route, voice: invocation[Self.voice], profile: profile, start: start)
    }

    private var isOneTurn: Bool { isOnce || input != nil }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        if let realtime { return try await realtime.run(in: app, console: console) }
        let conversation = try await start.open(in: app, console)
        let choice = try await app.speechChoice(
            profile: profile, voice: .flite(voice), percent: rate, in: spoken, keepsSound: keepsHistory)
        let voices = try await app.voices(route, choice, dictation: dictation)
        let model = app.passOnModel(isSpoken: true, asking: nil, keepsAnswers: keepsHistory)
        let answerQuestion = app.answerQuestion(
            storingIn: app.conversations(kept: keepsHistory), model: model, speech: voices.output,
            keepsForLater: keepsForLater)
        let preloadModel = app.preloadModel(preload)
        let live = LiveRoom("talk", in: app)
        let session = TalkSession(
            hold: HoldSpokenTurn(
                listener: voices.listener, speaker: voices.speaker, answerQuestion: answerQuestion),
            preload: keepsHistory && !isOneTurn
                ? app.preloadAnswers(to: answerQuestion, spokenBy: voices.speaker, model: preloadModel) : nil,
            finishListening: { await voices.listener.finish() }, map: drawsMap ? AnswerMap(console: console) : nil,
            live: live, console: console, logger: app.logger)
        return try await withCleanup {
            async let _: Void? = try? await live?.publisher.run()
            return isOneTurn
                ? try await session.oneTurn(in: conversation)
                : try await session.pushToTalk(InputStream().lines(), in: conversation)
        } cleanup: {
            await model.close()
            await preloadModel?.close()
        }
    }
}

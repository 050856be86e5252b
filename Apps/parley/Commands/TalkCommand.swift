// SPDX-License-Identifier: MIT

import DataVoice
import Domain
import FoundationEssentials
import Speech

/// `parley talk`: answers a spoken question aloud.
struct TalkCommand: Command {
    static let specification = CommandSpecification(
        path: ["talk"],
        summary: "Answer spoken questions aloud, from a sound file or the microphone",
        discussion: """
            With --input one question is heard from the file, in real time; without it, from the microphone: press Enter,
            speak, and press Enter again or just stop speaking. Events in JSON: transcript, answer, error, latency.

            --mode realtime speaks with a model at a server instead, for as long as you like: just speak, also while it does.
            Enter interrupts, m mutes, q ends; with --push-to-talk Enter begins and ends what you say. A file may have several
            questions; it ends when all were answered. Tools are those of the servers of parley mcp; each call is asked about,
            and y, n or a (always) answers; where nobody is at a terminal, only what was allowed for good is called. Without a
            key: parley-server simulate-openai --listen --speak, and --base-url with the address that it prints. More events in
            JSON: cost, connection, interrupted, mode, toolCall, toolResult, notice.
            """,
        options: [
            OptionSpecification(
                name: "mode", value: "MODE", help: "Who answers: local (default), or realtime, a model at a server",
                completion: .choices(["local", "realtime"])),
            OptionSpecification(
                name: "input", short: "i", value: "FILE", help: "Hear the question from a sound file",
                completion: .files),
            OptionSpecification(
                name: "output", short: "o", value: "FILE", help: "Speak the answer into a WAV file", completion: .files),
            OptionSpecification(
                name: "device", short: "d", value: "NAME", help: "Use this ALSA device (parley devices lists them)"),
            OptionSpecification(
                name: "voice", value: "NAME",
                help: "The voice that speaks: slt (default), rms, awb or kal16; with --mode realtime one of the "
                    + "server's, at OpenAI such as marin or cedar",
                completion: .suggestions(FliteSynthesizer.Voice.allCases.map(\.rawValue))),
            OptionSpecification(name: "no-history", help: "Keep nothing of it"),
        ] + RealtimeTalk.options)

    static let voiceOption = OptionSpecification(
        name: "voice", value: "NAME", help: "The voice that speaks: slt (default), rms, awb or kal16",
        completion: .choices(FliteSynthesizer.Voice.allCases.map(\.rawValue)))

    /// The voice that was asked for, or the default one.
    static func voice(of invocation: Invocation) -> FliteSynthesizer.Voice {
        invocation["voice"].flatMap(FliteSynthesizer.Voice.init(rawValue:)) ?? .slt
    }

    /// The voice that was asked for, of those on this machine.
    private static func knownVoice(of invocation: Invocation) throws(UsageError) -> FliteSynthesizer.Voice {
        guard let name = invocation["voice"] else { return .slt }
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
    private let keepsHistory: Bool
    private let realtime: RealtimeTalk?

    init(_ invocation: Invocation) throws(UsageError) {
        input = invocation["input"]
        route = try AudioRoute(invocation)
        let isRealtime = invocation["mode"] == "realtime"
        voice = try isRealtime ? .slt : Self.knownVoice(of: invocation)
        keepsHistory = !invocation.has("no-history")
        guard isRealtime else {
            realtime = nil
            if let option = RealtimeTalk.options.first(where: { invocation.has($0.name) || invocation[$0.name] != nil })
            {
                throw UsageError("--\(option.name) is for --mode realtime.", command: invocation.command)
            }
            return
        }
        realtime = try RealtimeTalk(invocation, route: route)
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        if let realtime { return try await realtime.run(in: app, console: console) }
        let voices = try await app.voices(route, voice: voice)
        let answerQuestion = app.answerQuestion(storingIn: app.conversations(kept: keepsHistory))
        let session = TalkSession(
            hold: HoldSpokenTurn(
                listener: voices.listener, speaker: voices.speaker, answerQuestion: answerQuestion),
            finishListening: { await voices.listener.finish() }, console: console, logger: app.logger)
        if input == nil { return try await session.pushToTalk(InputStream().lines()) }
        return try await session.oneTurn(in: Conversation(startedAt: .now))
    }
}

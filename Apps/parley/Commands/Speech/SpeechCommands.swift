// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import TerminalKit

/// `parley speech add`: stores an engine elsewhere under a name.
struct SpeechAddCommand: Command {
    private static let kind = ValueOption<SpeechEngine.Kind>(
        "kind", short: "k", placeholder: "PROTOCOL", help: "openai, whispercpp, wyoming or elevenlabs",
        choices: SpeechEngine.Kind.allCases)
    private static let url = ValueOption<String>(
        "url", placeholder: "ADDRESS", help: "The address; by default OpenAI's, ElevenLabs', or http://127.0.0.1:8080")
    private static let apiKey = ValueOption<String>(
        "api-key", placeholder: "SECRET", help: "The secret that is the engine's key (parley secrets set SECRET)")
    private static let stream = Flag(
        "stream", help: "Ask for the words as they are found (OpenAI's gpt-4o models, speaches)")
    private static let plain = Flag(
        "plain-http", help: "Allow http:// or tcp:// to another machine, where anybody can listen")
    static let specification = CommandSpecification(
        path: ["speech", "add"],
        summary: "Store a speech engine elsewhere, for parley speech use",
        discussion: """
            Whoever runs the engine hears what you say to it, and reads what it speaks. The key itself is not stored here, only
            the secret's name.
              OpenAI       --kind openai --api-key openai
              speaches     --kind openai --url http://127.0.0.1:8000/v1 --speech-model NAME --voice ID
              whisper.cpp  --kind whispercpp --url http://127.0.0.1:8080
              piper        --kind wyoming --url tcp://127.0.0.1:10200
              ElevenLabs   --kind elevenlabs --api-key elevenlabs --voice ID
            """,
        positionals: [SpeechOptions.name],
        options: [kind, url] + SpeechOptions.manner + [stream, apiKey, plain])

    private let engine: SpeechEngine

    init(_ invocation: Invocation) throws(UsageError) {
        let name = invocation[SpeechOptions.name]
        guard SpeechEngine.accepts(name: name) else {
            throw invocation.error(
                "An engine's name has letters, digits, _ and -, and is not local; not \"\(name.printable)\".")
        }
        guard let kind = invocation[Self.kind] else {
            throw invocation.error("Name its protocol: --kind openai, whispercpp, wyoming or elevenlabs.")
        }
        guard let text = invocation[Self.url] ?? SpeechEngineAddress.standard(for: kind) else {
            throw invocation.error("Name its address: --url tcp://127.0.0.1:10300.")
        }
        let address: String
        switch SpeechEngineAddress.checked(text, for: kind) {
        case .success(let checked): address = checked
        case .failure(let invalid): throw invocation.error(invalid.sentence)
        }
        var engine = SpeechEngine(name: name, kind: kind, address: address)
        guard engine.unprotected == nil || invocation.has(Self.plain) else {
            throw invocation.error(
                "Anybody on the way to \(address.printable) can listen, and read the key. Use https://, a tunnel (ssh -L), "
                    + "or give --plain-http.")
        }
        engine.allowsPlainText = invocation.has(Self.plain)
        guard !invocation.has(Self.stream) || kind == .openai else {
            throw invocation.error("The protocol \(kind.rawValue) has no --stream.")
        }
        engine.streams = invocation.has(Self.stream)
        engine.secret = invocation[Self.apiKey]
        guard engine.secret == nil || kind != .wyoming else {
            throw invocation.error("The protocol wyoming has no keys.")
        }
        try SpeechOptions.apply(invocation, to: &engine)
        self.engine = engine
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        if let secret = engine.secret { _ = try SecretStoreChoice.name(secret) }
        try app.paths.makeDataFolder()
        let engines = try await app.speechEngines()
        try await engines.add(engine)
        if let warning = engine.unprotected { console.warn(warning) }
        console.progress(
            "The speech engine \(engine.name) is stored. parley speech test \(engine.name) tries it, and parley speech use "
                + "\(engine.name) uses it.")
        try console.emit(SpeechEngineOutput(engine, in: try await engines.list()))
        return .done
    }
}

/// `parley speech list`: shows the engines.
struct SpeechListCommand: Command {
    static let specification = CommandSpecification(
        path: ["speech", "list"], summary: "List the speech engines elsewhere; nothing is asked of them")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let list = try await app.speechEngineList()
        if list.engines.isEmpty {
            console.progress(
                "This machine hears and speaks by itself. parley speech add --help says how to add an engine.")
        }
        for engine in list.engines {
            let purposes = list.purposes(of: engine).map(\.word)
            try console.show(
                "\(console.styled(engine.name, .strong))  \(console.text(engine.words))"
                    + (purposes.isEmpty ? "" : "  " + console.text("(in use for \(purposes.listed))")))
            try console.emit(SpeechEngineOutput(engine, in: list))
        }
        return .done
    }
}

/// `parley speech remove`: removes an engine.
struct SpeechRemoveCommand: Command {
    static let specification = CommandSpecification(
        path: ["speech", "remove"], summary: "Remove a speech engine; its secret stays",
        positionals: [SpeechOptions.name])

    private let name: String

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[SpeechOptions.name] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        _ = try await app.speechEngineList().named(name)
        let purposes = try await app.speechEngines().remove(name)
        let removed: Sentence = "The speech engine \(name) is removed."
        console.progress(purposes.isEmpty ? removed : "\(removed) This machine works in its place.")
        try console.emit(["removed": name])
        return .done
    }
}

/// `parley speech use`: chooses who hears and who speaks.
struct SpeechUseCommand: Command {
    private static let name = Positional<String>("NAME", help: "An engine's name, or local for this machine alone")
    private static let noCheck = Flag("no-check", help: "Do not ask the engine if it works")
    static let specification = CommandSpecification(
        path: ["speech", "use"],
        summary: "Choose who hears and who speaks: this machine, or an engine elsewhere",
        discussion: """
            The engine is tried first, with a sentence: it is used for what it can, and what was measured decides how long it
            is waited for. While it fails, this machine works in its place, within a second, and says so once.
            """,
        positionals: [name],
        options: [SpeechOptions.purpose] + SpeechOptions.manner + [noCheck])

    private let name: String
    private let purpose: SpeechEngine.Purpose?
    private let isChecked: Bool
    private let invocation: Invocation

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[Self.name]
        purpose = invocation[SpeechOptions.purpose]
        isChecked = !invocation.has(Self.noCheck)
        self.invocation = invocation
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        guard name != SpeechEngine.local else {
            let purposes = purpose.map { [$0] } ?? SpeechEngine.Purpose.allCases
            if !(try await app.speechEngineList()).used.isEmpty {
                try await app.speechEngines().use(name, for: Set(purposes))
            }
            return try await show(in: app, console)
        }
        var engine = try await app.speechEngineList().named(name)
        try SpeechOptions.apply(invocation, to: &engine)
        var purposes = purpose.map { [$0] } ?? engine.kind.purposes
        try KeyValueSpeechEngines.check(engine, for: purposes)
        if isChecked {
            let trial = try await SpeechTrial(app: app, of: engine, for: purpose)
            engine = trial.engine
            SpeechOptions.applyPatience(invocation, to: &engine)
            purposes = trial.working
            if purposes.isEmpty, let error = trial.failures.first { throw error.error }
        } else if purpose == nil, engine.kind == .wyoming {
            throw invocation.error("Say what it does: --for recognition or --for synthesis.")
        }
        let engines = try await app.speechEngines()
        try await engines.update(engine)
        try await engines.use(name, for: purposes)
        if let warning = engine.unprotected { console.warn(warning) }
        return try await show(in: app, console)
    }

    private func show(in app: CompositionRoot, _ console: Console) async throws -> ExitCode {
        let list = try await app.speechEngineList()
        let labels = ["hears:" as Sentence, "speaks:" as Sentence].map(console.text)
        let width = labels.map(\.columns).max() ?? 0
        let local = console.text("this machine" as Sentence)
        for (label, purpose) in zip(labels, [SpeechEngine.Purpose.recognition, .synthesis]) {
            let engine = list.engine(for: purpose).map { "\($0.name), \(console.text($0.words))" }
            try console.show("\(label.padded(to: width)) \(engine ?? local)")
        }
        try console.emit(
            Output(
                recognition: list.used[.recognition] ?? SpeechEngine.local,
                synthesis: list.used[.synthesis] ?? SpeechEngine.local))
        return .done
    }

    private struct Output: Encodable {
        let recognition: String
        let synthesis: String
    }
}

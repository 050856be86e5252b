// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import Speech
import TerminalKit

/// The options of `voices add` and `voices edit`.
struct VoiceProfileOptions: Sendable {
    private static let engine = ValueOption<String>(
        "engine", placeholder: "NAME", help: "Who speaks: flite (default), espeak-ng, or realtime, a model",
        completion: .suggestions(ProfileEngine.names))
    private static let voice = ValueOption<String>(
        "voice", placeholder: "NAME",
        help: "The engine's voice: slt, rms, awb or kal16 of flite, a language of espeak-ng such as de, a model's "
            + "such as marin",
        completion: .suggestions(FliteSynthesizer.Voice.allCases.map(\.rawValue)))
    private static let rate = factor("rate", "How fast it speaks, 0.5 to 2; 1 is the voice's own speed")
    private static let pitch = factor("pitch", "How high it speaks, 0.5 to 2; 2 is an octave above the voice's own")
    private static let stability = share("stability", "How even it speaks, 0 to 1, for engines that have it (0.75)")
    private static let similarity = share(
        "similarity", "How close to the original voice, 0 to 1, for engines that have it (0.75)")
    static let declared: [any CommandOption] = [engine, voice, rate, pitch, stability, similarity]

    private static func factor(_ name: String, _ help: String) -> ValueOption<Double> {
        number(name, "FACTOR", help, VoiceProfile.factors)
    }

    private static func share(_ name: String, _ help: String) -> ValueOption<Double> {
        number(name, "SHARE", help, VoiceProfile.shares)
    }

    private static func number(
        _ name: String, _ placeholder: String, _ help: String, _ range: ClosedRange<Double>
    ) -> ValueOption<Double> {
        ValueOption(
            name, placeholder: placeholder, help: help,
            expected: UsageText(
                "a number from {first} to {last}", ["first": "\(range.lowerBound)", "last": "\(range.upperBound)"])
        ) { text in Double(text).flatMap { range.contains($0) ? $0 : nil } }
    }

    private let engine: String?
    private let voice: String?
    private let numbers: (rate: Double?, pitch: Double?, stability: Double?, similarity: Double?)
    /// True if no option is given.
    let isEmpty: Bool

    init(_ invocation: Invocation) {
        (engine, voice) = (invocation[Self.engine], invocation[Self.voice])
        numbers = (
            invocation[Self.rate], invocation[Self.pitch], invocation[Self.stability], invocation[Self.similarity]
        )
        isEmpty = !Self.declared.contains(where: invocation.isGiven)
    }

    /// The profile with the options in place of its values, or of the defaults of a new one.
    ///
    /// - Throws: `DomainError.invalidInput` for an engine or a voice that is not here.
    func profile(_ old: VoiceProfile?, name: String, in app: CompositionRoot) async throws -> VoiceProfile {
        let engine = engine ?? old?.engine ?? ProfileEngine.flite.rawValue
        let own = ProfileEngine(rawValue: engine)
        // An engine elsewhere knows its voices itself.
        let elsewhere = own == nil ? try await app.speechEngineList().engine(named: engine) : nil
        if own == nil, elsewhere == nil { _ = try ProfileEngine(named: engine) }
        let oldVoice = old?.engine == engine ? old?.voice : nil
        guard let voice = voice ?? oldVoice ?? own?.standardVoice ?? elsewhere?.voice else {
            throw DomainError.invalidInput(
                "Which voice of \(engine.printable)? Give --voice ID; parley speech test lists them.")
        }
        switch own {
        case .flite: _ = try ProfileEngine.fliteVoice(voice)
        case .espeak: _ = try await ESpeakSynthesizer(language: voice)
        case .realtime, nil: break
        }
        return try VoiceProfile(
            id: old?.id ?? .init(), name: name, engine: engine, voice: voice,
            rate: numbers.rate ?? old?.rate ?? 1, pitch: numbers.pitch ?? old?.pitch ?? 1,
            stability: numbers.stability ?? old?.stability ?? 0.75,
            similarity: numbers.similarity ?? old?.similarity ?? 0.75)
    }
}

/// `parley voices add`: stores a voice profile.
struct VoicesAddCommand: Command {
    static let specification = CommandSpecification(
        path: ["voices", "add"],
        summary: "Store a voice profile: a voice with its speed and pitch, under a name",
        discussion: """
            parley voices add grandpa --voice rms --rate 0.85 --pitch 0.9
            It is not used before parley voices use NAME, or --profile NAME of say, talk, listen and chat. Speed and pitch are
            the engine's where it has them; else the sound is stretched and shifted. With parley sync, your other devices have
            the profile, too.
            """,
        positionals: [name], options: VoiceProfileOptions.declared)

    /// The profile that a command is about.
    static let name = Positional<String>("NAME", help: "What you call it: letters, digits, _ and -")

    private let name: String
    private let options: VoiceProfileOptions

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[Self.name]
        options = VoiceProfileOptions(invocation)
        guard VoiceProfile.isName(name) else { throw Self.refusal(of: name, invocation) }
    }

    fileprivate static func refusal(of name: String, _ invocation: Invocation) -> UsageError {
        invocation.error(
            "A voice profile's name has up to 64 letters, digits, _ and -, and is not \(VoiceProfile.none); not "
                + "\"\(name.printable)\".")
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        guard try await !app.voiceProfiles.profiles().contains(where: { $0.name == name }) else {
            throw DomainError.invalidInput(
                "There is a voice profile \(name) already. parley voices edit \(name) changes it.")
        }
        let profile = try await translating { try await options.profile(nil, name: name, in: app) }
        try await app.voiceProfiles.store(profile)
        console.progress("The voice profile \(name) is stored. parley voices use \(name) speaks with it.")
        try console.emit(VoiceProfileOutput(profile, isUsed: false))
        return .done
    }
}

/// `parley voices edit`: changes a voice profile.
struct VoicesEditCommand: Command {
    private static let newName = ValueOption<String>("name", placeholder: "NAME", help: "Another name")
    static let specification = CommandSpecification(
        path: ["voices", "edit"], summary: "Change a voice profile; what is not given stays",
        positionals: [VoicesAddCommand.name], options: VoiceProfileOptions.declared + [newName])

    private let name: String
    private let newName: String?
    private let options: VoiceProfileOptions

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[VoicesAddCommand.name]
        newName = invocation[Self.newName]
        options = VoiceProfileOptions(invocation)
        if let newName, !VoiceProfile.isName(newName) { throw VoicesAddCommand.refusal(of: newName, invocation) }
        guard newName != nil || !options.isEmpty else {
            throw invocation.error("Nothing is to be changed. Give an option, such as --rate 1.2.")
        }
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let old = try await app.voiceProfiles.profiles().named(name)
        let profile = try await translating { try await options.profile(old, name: newName ?? old.name, in: app) }
        try await app.voiceProfiles.store(profile)
        let isUsed = try await app.voiceProfiles.active()?.id == profile.id
        console.progress("\(profile.name): \(profile.words).")
        try console.emit(VoiceProfileOutput(profile, isUsed: isUsed))
        return .done
    }
}

/// `parley voices list`: shows the voice profiles.
struct VoicesListCommand: Command {
    static let specification = CommandSpecification(
        path: ["voices", "list"], summary: "List the stored voice profiles")

    init(_ invocation: Invocation) throws(UsageError) {}

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let (profiles, active) = (try await app.voiceProfiles.profiles(), try await app.voiceProfiles.active())
        if profiles.isEmpty { console.progress("No voice profile is stored. parley voices add NAME adds one.") }
        for profile in profiles {
            let isUsed = profile.id == active?.id
            let end = isUsed ? "  " + console.text("(in use)") : ""
            try console.show("\(console.styled(profile.name, .strong))  \(console.text(profile.words))\(end)")
            try console.emit(VoiceProfileOutput(profile, isUsed: isUsed))
        }
        return .done
    }
}

/// `parley voices show`: shows one voice profile with all its values.
struct VoicesShowCommand: Command {
    static let specification = CommandSpecification(
        path: ["voices", "show"], summary: "Show all values of a voice profile", positionals: [VoicesAddCommand.name])

    private let name: String

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[VoicesAddCommand.name] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let profile = try await app.voiceProfiles.profiles().named(name)
        let isUsed = try await app.voiceProfiles.active()?.id == profile.id
        try console.show(console.styled(profile.name, .strong) + (isUsed ? "  " + console.text("(in use)") : ""))
        for (word, value) in [
            ("id", profile.id.description), ("engine", profile.engine.printable), ("voice", profile.voice.printable),
            ("rate", "\(profile.rate)"), ("pitch", "\(profile.pitch)"), ("stability", "\(profile.stability)"),
            ("similarity", "\(profile.similarity)"),
        ] {
            try console.show("  \(word): \(value)")
        }
        try console.emit(VoiceProfileOutput(profile, isUsed: isUsed))
        return .done
    }
}

/// `parley voices use`: chooses the voice profile of commands that speak.
struct VoicesUseCommand: Command {
    private static let name = Positional<String>("NAME", help: "A voice profile's name, or none")
    static let specification = CommandSpecification(
        path: ["voices", "use"],
        summary: "Choose the voice profile of say, talk and listen, or of a model, or none",
        discussion: "--profile, --voice and --language have precedence over it, and --speed over its rate.",
        positionals: [name])

    private let name: String

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[Self.name] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        if name == VoiceProfile.none {
            try await app.voiceProfiles.activate(nil)
            console.progress("The usual voice speaks from now on.")
        } else {
            let profile = try await app.voiceProfiles.profiles().named(name)
            try await app.voiceProfiles.activate(profile.id)
            console.progress("\(profile.name) speaks from now on: \(profile.words).")
        }
        try console.emit(["used": name])
        return .done
    }
}

/// `parley voices delete`: removes a voice profile.
struct VoicesDeleteCommand: Command {
    static let specification = CommandSpecification(
        path: ["voices", "delete"], summary: "Remove a voice profile", positionals: [VoicesAddCommand.name])

    private let name: String

    init(_ invocation: Invocation) throws(UsageError) { name = invocation[VoicesAddCommand.name] }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let profile = try await app.voiceProfiles.profiles().named(name)
        _ = try await app.voiceProfiles.delete(profile.id)
        console.progress("The voice profile \(profile.name) is removed.")
        try console.emit(["removed": profile.name])
        return .done
    }
}

/// Runs `body`, whose errors of engines become `DomainError`.
private func translating<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let error as SpeechError { throw DomainError(translating: error) }
}

extension VoiceProfile {
    /// "flite rms, rate 0.85, pitch 0.9".
    fileprivate var words: Sentence {
        let (speed, height): (Sentence, Sentence) = ("rate \(rate)", "pitch \(pitch)")
        let name = Sentence(verbatim: "\(engine) \(voice)")
        return ([name] + (rate == 1 ? [] : [speed]) + (pitch == 1 ? [] : [height])).listed
    }
}

/// A voice profile in JSON.
private struct VoiceProfileOutput: Encodable {
    let id: String
    let name: String
    let engine: String
    let voice: String
    let rate: Double
    let pitch: Double
    let stability: Double
    let similarity: Double
    let isUsed: Bool

    init(_ profile: VoiceProfile, isUsed: Bool) {
        (id, name, engine, voice) = (profile.id.description, profile.name, profile.engine, profile.voice)
        (rate, pitch, stability, similarity) = (profile.rate, profile.pitch, profile.stability, profile.similarity)
        self.isUsed = isUsed
    }
}

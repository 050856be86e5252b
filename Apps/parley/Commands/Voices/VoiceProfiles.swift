// SPDX-License-Identifier: MIT

import CommandLineArguments
import DataLayer
import Domain
import Speech
import SpeechEngines
import TerminalKit

/// The engines of voice profiles.
enum ProfileEngine: String, CaseIterable {
    /// English voices in this process.
    case flite
    /// Voices of more than a hundred languages.
    case espeak = "espeak-ng"
    /// The voice of a model, of `chat` and `talk --mode realtime`.
    case realtime

    static let names = allCases.map(\.rawValue)

    /// The voice of a new profile.
    var standardVoice: String {
        switch self {
        case .flite: FliteSynthesizer.Voice.slt.rawValue
        case .espeak: "en"
        case .realtime: "marin"
        }
    }

    /// The engine of a profile.
    ///
    /// - Throws: `DomainError.invalidInput` with the engines that there are.
    init(named name: String) throws(DomainError) {
        guard let engine = Self(rawValue: name) else {
            let start: Sentence = "There is no engine \(name.printable) here."
            throw .invalidInput(
                "\(start.suggesting(name, among: Self.names)) There is: \(Self.names.joined(separator: ", ")).")
        }
        self = engine
    }

    /// The voice of one of flite's names.
    ///
    /// - Throws: `DomainError.invalidInput` with the voices that there are.
    static func fliteVoice(_ name: String) throws(DomainError) -> FliteSynthesizer.Voice {
        if let voice = FliteSynthesizer.Voice(rawValue: name) { return voice }
        let names = FliteSynthesizer.Voice.allCases.map(\.rawValue)
        let start: Sentence = "flite has no voice \(name.printable)."
        throw .invalidInput("\(start.suggesting(name, among: names)) There is: \(names.joined(separator: ", ")).")
    }
}

/// The option for a voice profile of commands that speak.
enum ProfileOption {
    static let declared = ValueOption<String>(
        "profile", placeholder: "NAME",
        help: "Speak with this voice profile (parley voices), or with none; else with the one in use")
}

extension CompositionRoot {
    /// The stored voice profiles, after the passphrase of the app lock.
    var voiceProfiles: KeyValueVoiceProfiles {
        KeyValueVoiceProfiles { [self] writes in
            if writes { try paths.makeDataFolder() } else if AppPaths.isMissing(paths.settings) { return nil }
            return try await settingsFile()
        }
    }

    /// The profile that a command speaks with; nil for none.
    ///
    /// - Parameters:
    ///   - name: The text of `--profile`; nil for the profile in use. That one is left out, with a warning, while the
    ///     settings cannot be read, since nobody is asked for a passphrase then.
    ///   - isIncluded: True for a profile in use that the command can speak with.
    /// - Throws: `DomainError.invalidInput` for an unknown name.
    func voiceProfile(
        named name: String?, where isIncluded: (VoiceProfile) -> Bool = { _ in true }
    ) async throws -> VoiceProfile? {
        if name == VoiceProfile.none { return nil }
        if let name { return try await voiceProfiles.profiles().named(name) }
        do {
            guard try await !settingsAreLocked() else { return nil }
            return try await voiceProfiles.active().flatMap { isIncluded($0) ? $0 : nil }
        } catch let error as DomainError {
            console.warn("The voice profile in use cannot be read, so the usual voice speaks. \(Sentence(error))")
            return nil
        }
    }

    /// The voice and the speed of a command that speaks on this machine.
    ///
    /// - Parameters:
    ///   - profile: The text of `--profile`.
    ///   - voice: The voice without a profile.
    ///   - percent: The speed without a profile.
    func spokenVoice(
        profile name: String?, voice: Voice, percent: Int, in invocation: SpokenOptions
    ) async throws -> (voice: Voice, rate: SpeechRate) {
        guard name != nil || !invocation.namesVoice,
            let profile = try await voiceProfile(
                named: name, where: { $0.engine != ProfileEngine.realtime.rawValue })
        else { return (voice, SpeechRate(percent: percent)) }
        let percent = invocation.namesSpeed ? percent : Int((profile.rate * 100).rounded())
        return (.profile(profile), SpeechRate(percent: percent))
    }

    /// The voice of a command that may have a profile, with an engine elsewhere if the profile names one.
    func speechChoice(
        profile name: String?, engine: String? = nil, voice: Voice, percent: Int, in options: SpokenOptions,
        keepsSound: Bool = true
    ) async throws -> SpeechChoice {
        guard engine == nil else {
            return try await speechChoice(
                named: engine, voice: voice, isVoiceChosen: options.namesVoice, rate: SpeechRate(percent: percent),
                keepsSound: keepsSound)
        }
        let spoken = try await spokenVoice(profile: name, voice: voice, percent: percent, in: options)
        guard case .profile(let profile) = spoken.voice else {
            return try await speechChoice(
                voice: voice, isVoiceChosen: options.namesVoice, rate: spoken.rate, keepsSound: keepsSound)
        }
        guard ProfileEngine(rawValue: profile.engine) == nil else {
            return SpeechChoice(engine: nil, voice: spoken.voice, rate: spoken.rate, keepsSound: keepsSound)
        }
        var choice = SpeechChoice(
            engine: try await speechEngine(profile.engine, for: .synthesis), voice: .flite(.slt), rate: spoken.rate,
            pitch: profile.pitch, keepsSound: keepsSound)
        choice.engine?.voice = profile.voice
        choice.engine?.stability = profile.stability
        choice.engine?.similarity = profile.similarity
        return choice
    }

    /// The synthesiser of a profile of this machine. The engine has the profile's rate and pitch if it can; the rest is made of its sound.
    ///
    /// - Throws: `DomainError.invalidInput` for an engine or a voice that is not on this machine.
    func synthesizer(of profile: VoiceProfile, rate: SpeechRate) async throws -> any SpeechSynthesizer {
        switch try ProfileEngine(named: profile.engine) {
        case .flite:
            let voice = try ProfileEngine.fliteVoice(profile.voice)
            return ShapedSynthesizer(try FliteSynthesizer(voice: voice, rate: rate), pitch: profile.pitch)
        case .espeak:
            let isOwn = ESpeakSynthesizer.pitches.contains(profile.pitch)
            let base = try await ESpeakSynthesizer(
                language: profile.voice, rate: rate, pitch: isOwn ? profile.pitch : 1)
            return ShapedSynthesizer(base, pitch: isOwn ? 1 : profile.pitch)
        case .realtime:
            throw DomainError.invalidInput(
                "The voice profile \(profile.name) is for chat and talk --mode realtime: its voice is a model's.")
        }
    }

    /// The model's voice of a profile; nil without a profile.
    ///
    /// - Parameter name: The text of `--profile`.
    /// - Throws: `DomainError.invalidInput` for a profile of another engine.
    func realtimeVoice(profile name: String?) async throws -> String? {
        let profile = try await voiceProfile(named: name) { $0.engine == ProfileEngine.realtime.rawValue }
        guard let profile else { return nil }
        guard profile.engine == ProfileEngine.realtime.rawValue else {
            throw DomainError.invalidInput(
                "The voice profile \(profile.name) is of the engine \(profile.engine.printable), and a model speaks with its "
                    + "own voices. parley voices add NAME --engine realtime --voice marin makes one for it.")
        }
        if profile.rate != 1 || profile.pitch != 1 {
            console.warn("A model's voice has its own speed and pitch; those of \(profile.name) do not change it.")
        }
        return profile.voice
    }
}

/// The options of a command line that have precedence over the profile in use.
struct SpokenOptions: Sendable {
    /// True if the command line names a voice.
    let namesVoice: Bool
    /// True if it names a speed.
    let namesSpeed: Bool

    /// - Throws: `UsageError` for a voice beside a profile.
    init(_ invocation: Invocation, voices: [any CommandOption]) throws(UsageError) {
        let named = voices.first(where: invocation.isGiven)
        namesVoice = named != nil
        namesSpeed =
            invocation.declares(SpeechOutput.speedOption) && invocation.isGiven(SpeechOutput.speedOption)
        if let named, invocation.isGiven(ProfileOption.declared) {
            throw invocation.error("--profile and --\(named.specification.name) both name a voice. Give one of them.")
        }
    }
}

extension [VoiceProfile] {
    /// The profile of this name or id.
    ///
    /// - Throws: `DomainError.invalidInput` with the profiles that there are.
    func named(_ name: String) throws(DomainError) -> VoiceProfile {
        let found = filter { $0.name == name }
        if found.count > 1 {
            throw .invalidInput(
                "There are \(found.count) voice profiles \(name.printable), from several devices. Give an id: "
                    + "\(found.map(\.id.description).joined(separator: ", ")).")
        }
        if let profile = found.first ?? first(where: { $0.id.description == name }) { return profile }
        throw .unknown("voice profile", name, among: map(\.name), command: "parley voices add")
    }
}

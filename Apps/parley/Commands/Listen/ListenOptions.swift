// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import Speech
import VoiceActivity

/// The options of listening all day.
struct ListenOptions: Sendable {
    private static let wakeWord = ValueOption<String>(
        "wake-word", short: "w", placeholder: "WORDS",
        help: "What to wake up at, one phrase; \"hey jarvis\" by default. \"jarvis\" alone also wakes up at much else")
    private static let phones = ValueOption<String>(
        "phones", placeholder: "WORD=PHONES",
        help:
            "The pronunciation of a word that the dictionary does not have, in ARPABET: parley=\"P AA R L IY\"; several with commas"
    )
    private static let sensitivity = ValueOption<Int>(
        "sensitivity", placeholder: "PERCENT", help: "How easily it wakes up, 0 to 100; 50 by default", in: 0...100)
    private static let followUp = ValueOption<Int>(
        "follow-up", placeholder: "SECONDS",
        help: "How long a further question needs no wake word, 0 to 60; 6 by default", in: 0...60)
    private static let input = AudioRoute.input("Hear a sound file, in real time, to its end")
    private static let output = AudioRoute.output("Speak into a WAV file")
    private static let noTones = Flag("no-tones", help: "Play no tones")
    /// The declarations of the options.
    static let declared: [any CommandOption] = [
        wakeWord, phones, sensitivity, followUp, input, output, AudioRoute.device, Dictation.option,
        TalkCommand.englishVoice,
        SpeechOutput.speedOption, ProfileOption.declared, VoiceActivityChoice.option, LowPowerChoice.option,
        noTones,
    ]

    let phrase: WakeWordDetector.Phrase
    let wakeWord: WakeWordDetector.Configuration
    let loop: VoiceLoop.Configuration
    let route: AudioRoute
    let voice: FliteSynthesizer.Voice
    let rate: Int
    /// The name of a voice profile; see ``ProfileOption``.
    let profile: String?
    /// The recogniser in the place of the engine in use; nil for the engine.
    let dictation: Dictation?
    let spoken: SpokenOptions
    let detector: VoiceActivityChoice
    let lowPower: LowPowerChoice
    let hasTones: Bool

    init(_ invocation: Invocation) throws(UsageError) {
        phrase = try Self.phrase(invocation)
        var wakeWord = WakeWordDetector.Configuration.standard
        if let percent = invocation[Self.sensitivity] {
            wakeWord.sensitivity = Double(percent) / 100
        }
        self.wakeWord = wakeWord
        var loop = VoiceLoop.Configuration()
        if let seconds = invocation[Self.followUp] { loop.followUp = .seconds(seconds) }
        self.loop = loop
        route = try AudioRoute(invocation, input: Self.input, output: Self.output)
        voice = invocation[TalkCommand.englishVoice] ?? .slt
        rate = invocation[SpeechOutput.speedOption] ?? 100
        profile = invocation[ProfileOption.declared]
        dictation = invocation[Dictation.option]
        spoken = try SpokenOptions(invocation, voices: [TalkCommand.englishVoice])
        detector = invocation[VoiceActivityChoice.option] ?? .auto
        lowPower = invocation[LowPowerChoice.option] ?? .auto
        hasTones = !invocation.has(Self.noTones)
    }

    private static func phrase(_ invocation: Invocation) throws(UsageError) -> WakeWordDetector.Phrase {
        let text = invocation[Self.wakeWord] ?? "hey jarvis"
        guard let phones = invocation[Self.phones] else { return WakeWordDetector.Phrase(text) }
        var words: [String: [String]] = [:]
        for word in phones.split(separator: ",") {
            let parts = word.drop { $0 == " " }.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw UsageError(
                    "--phones takes a word and its phones, such as parley=\"P AA R L IY\".", command: invocation.command
                )
            }
            words[parts[0]] = [parts[1]]
        }
        return WakeWordDetector.Phrase(text, phones: words)
    }
}

/// The detector of voice activity.
enum VoiceActivityChoice: String, Sendable, CaseIterable {
    /// The network if its weights are installed, else the spectral detector.
    case auto
    case silero
    case spectral

    static let option = ValueOption<VoiceActivityChoice>(
        "detector", placeholder: "NAME", help: "auto (default), silero (a network) or spectral", choices: allCases)

    /// The detector, its name, and the endpointing that fits it.
    func make() throws -> (any VoiceActivityDetector & Sendable, String, Endpointer.Configuration) {
        if self != .spectral {
            do throws(VoiceActivityError) {
                return (SileroDetector(weights: try SileroWeights()), "silero", .silero)
            } catch  where self == .silero || error.code != .weightsMissing {
                throw DomainError.speechEngine(Sentence(verbatim: error.message))
            } catch {}
        }
        return (SpectralDetector(), "spectral", .spectral)
    }
}

// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import TerminalKit

/// The options that several commands of `parley speech` have.
enum SpeechOptions {
    static let name = Positional<String>("NAME", help: "What you call the engine: letters, digits, _ and -")
    static let purpose = ValueOption<SpeechEngine.Purpose>(
        "for", placeholder: "PURPOSE", help: "recognition or synthesis; by default what it can do",
        choices: SpeechEngine.Purpose.allCases)
    static let transcriptionModel = ValueOption<String>(
        "transcription-model", placeholder: "NAME", help: "The model that hears; by default whisper-1, or the server's")
    static let speechModel = ValueOption<String>(
        "speech-model", placeholder: "NAME", help: "The model that speaks; by default tts-1, or the server's")
    static let voice = ValueOption<String>(
        "voice", placeholder: "ID", help: "The voice; ElevenLabs needs one (parley speech test NAME lists them)")
    static let language = ValueOption<String>(
        "language", short: "l", placeholder: "TAG", help: "The language of the speech, such as en; else it is guessed")
    static let stability = share("stability", "How even the voice is, 0 to 1, at ElevenLabs")
    static let similarity = share("similarity", "How close to the original voice, 0 to 1, at ElevenLabs")

    static let patience = ValueOption<Int>(
        "patience", placeholder: "SECONDS",
        help: "How long it may take to begin, 1 to 60; by default twice the measured time, at least 0.9", in: 1...60)

    /// The options that describe how an engine hears and speaks.
    static let manner: [any CommandOption] = [
        transcriptionModel, speechModel, voice, language, stability, similarity, patience,
    ]

    private static func share(_ name: String, _ help: String) -> ValueOption<Double> {
        ValueOption(
            name, placeholder: "SHARE", help: help,
            expected: UsageText("a number from {first} to {last}", ["first": "0", "last": "1"])
        ) { text in
            Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
        }
    }

    /// The engine with the options of a command line in place of its own.
    static func apply(_ invocation: Invocation, to engine: inout SpeechEngine) throws(UsageError) {
        let kind = engine.kind
        func refuse(_ option: any CommandOption, unless kinds: Set<SpeechEngine.Kind>) throws(UsageError) {
            guard invocation.isGiven(option), !kinds.contains(kind) else { return }
            throw invocation.error("The protocol \(kind.rawValue) has no --\(option.specification.name).")
        }
        try refuse(transcriptionModel, unless: [.openai, .wyoming])
        try refuse(speechModel, unless: [.openai, .elevenlabs])
        try refuse(voice, unless: [.openai, .wyoming, .elevenlabs])
        for option in [stability, similarity] { try refuse(option, unless: [.elevenlabs]) }
        engine.recognitionModel = invocation[transcriptionModel] ?? engine.recognitionModel
        engine.synthesisModel = invocation[speechModel] ?? engine.synthesisModel
        engine.voice = invocation[voice] ?? engine.voice
        engine.language = invocation[language] ?? engine.language
        engine.stability = invocation[stability] ?? engine.stability
        engine.similarity = invocation[similarity] ?? engine.similarity
        applyPatience(invocation, to: &engine)
        // The measured rate is that of the voice before.
        if invocation.isGiven(voice) || invocation.isGiven(speechModel) { engine.sampleRate = nil }
    }
}

extension SpeechOptions {
    /// Sets the patience of a command line, in the place of what was measured.
    static func applyPatience(_ invocation: Invocation, to engine: inout SpeechEngine) {
        guard let seconds = invocation[patience] else { return }
        for purpose in engine.kind.purposes { engine.patience[purpose] = .seconds(seconds) }
    }
}

extension SpeechEngine.Purpose {
    /// The purpose in a word.
    var word: Sentence {
        switch self {
        case .recognition: "recognition"
        case .synthesis: "synthesis"
        }
    }
}

extension SpeechEngine {
    /// "wyoming at tcp://127.0.0.1:10200, voice amy".
    var words: Sentence {
        let parts: [Sentence?] = [
            "\(kind.rawValue) at \(address.printable)",
            recognitionModel.map { "hears by \(ForeignText.short($0, limit: 80))" },
            synthesisModel.map { "speaks by \(ForeignText.short($0, limit: 80))" },
            voice.map { "voice \(ForeignText.short($0, limit: 80))" },
            language.map { "language \(ForeignText.short($0, limit: 20))" },
        ]
        return parts.compactMap(\.self).listed
    }

    /// A warning about an address at which anybody on the way can listen; nil for another one.
    var unprotected: Sentence? {
        guard !SpeechEngineAddress.isPrivate(address) else { return nil }
        return "Anybody on the way to \(address.printable) can listen, and change what is said. Use it in a network "
            + "that you trust alone, or through a tunnel (ssh -L)."
    }
}

/// An engine in JSON.
struct SpeechEngineOutput: Encodable {
    let name: String
    let kind: String
    let address: String
    let transcriptionModel: String?
    let speechModel: String?
    let voice: String?
    let language: String?
    let apiKey: String?
    let sampleRate: Int?
    let patience: [String: Double]
    let isProtected: Bool
    let usedFor: [String]

    init(_ engine: SpeechEngine, in list: SpeechEngineList) {
        (name, kind, address) = (engine.name, engine.kind.rawValue, engine.address)
        (transcriptionModel, speechModel) = (engine.recognitionModel, engine.synthesisModel)
        (voice, language, apiKey, sampleRate) = (engine.voice, engine.language, engine.secret, engine.sampleRate)
        let seconds = engine.patience.map { ($0.key.rawValue, $0.value / .seconds(1)) }
        patience = Dictionary(seconds) { first, _ in first }
        isProtected = engine.unprotected == nil
        usedFor = list.purposes(of: engine).map(\.rawValue)
    }
}

extension SpeechEngineList {
    /// The purposes that an engine is in use for, recognition first.
    func purposes(of engine: SpeechEngine) -> [SpeechEngine.Purpose] {
        SpeechEngine.Purpose.allCases.filter { used[$0] == engine.name }
    }
}

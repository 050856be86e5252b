// SPDX-License-Identifier: MIT

import AudioKitLinux
import CommandLineArguments
import DataLayer
import DataVoice
import Domain
import SpeechServices
import TerminalKit

/// The trial of an engine: what it offers, and how it hears and speaks.
struct SpeechTrial: Sendable {
    /// The engine with what was measured.
    private(set) var engine: SpeechEngine
    /// The time of the answer to the question for the offer, and the offer.
    let elapsed: Duration
    let offer: SpeechServiceOffer
    private(set) var spoken: EngineTrial.Spoken?
    private(set) var heard: EngineTrial.Heard?
    private(set) var failures: [(purpose: SpeechEngine.Purpose, error: any Error)] = []

    /// The purposes that the engine did its work for.
    var working: Set<SpeechEngine.Purpose> {
        Set((spoken == nil ? [] : [SpeechEngine.Purpose.synthesis]) + (heard == nil ? [] : [.recognition]))
    }

    /// Tries an engine.
    ///
    /// - Parameters:
    ///   - purpose: The purpose that is tried; nil for all that the engine offers.
    ///   - input: A sound file for recognition; nil for a sentence by this machine's voice.
    /// - Throws: `DomainError` if the engine cannot be asked for its offer; the failures of a purpose are in `failures`.
    init(
        app: CompositionRoot, of engine: SpeechEngine, for purpose: SpeechEngine.Purpose?, input: String? = nil
    ) async throws {
        self.engine = engine
        let configured = try await app.configured(engine)
        let report = try await configured.probe()
        elapsed = report.elapsed
        do { offer = try report.result.get() } catch { throw DomainError(translating: error) }
        var purposes = engine.kind.purposes
        if let purpose {
            purposes = [purpose]
        } else if engine.kind == .wyoming {
            // A server says what it is; one that says nothing is tried.
            if offer.recognitionModels.isEmpty, !offer.voices.isEmpty { purposes.remove(.recognition) }
            if offer.voices.isEmpty, !offer.recognitionModels.isEmpty { purposes.remove(.synthesis) }
        }
        if purposes.contains(.synthesis) { try await speak(in: app) }
        if purposes.contains(.recognition) {
            let sound = try await EngineTrial.sound(of: input)
            do {
                let heard = try await EngineTrial().hear(sound, by: try configured.recognizer())
                self.heard = heard
                self.engine.patience[.recognition] = SpeechEngine.patience(afterLatency: heard.latency)
            } catch let error as DomainError { failures.append((.recognition, error)) }
        }
    }

    private mutating func speak(in app: CompositionRoot) async throws {
        // Made before, since the key is asked for outside of the measured time.
        let configured = try await app.configured(engine)
        do {
            let spoken = try await EngineTrial().speak { rate in
                guard let rate else { return try configured.synthesizer() }
                return try configured.declaring(sampleRate: rate).synthesizer()
            }
            self.spoken = spoken
            engine.sampleRate = spoken.format.sampleRate
            engine.patience[.synthesis] = SpeechEngine.patience(afterLatency: spoken.latency)
        } catch let error as DomainError { failures.append((.synthesis, error)) }
    }
}

/// `parley speech test`: tries an engine and shows what it offers.
struct SpeechTestCommand: Command {
    private static let input = ValueOption<String>(
        "input", short: "i", placeholder: "FILE",
        help: "Let it hear this sound file instead of a sentence of this machine's", completion: .files)
    static let specification = CommandSpecification(
        path: ["speech", "test"],
        summary: "Try a speech engine: what it offers, how it hears and speaks, how long it takes",
        discussion: """
            It speaks a sentence, which is not played, and hears another one. The time to the first sound and to the words is
            kept: twice as long, and at least 0.9 s, is how long this machine waits before it does the work itself.
            """,
        positionals: [SpeechOptions.name],
        options: [SpeechOptions.purpose, input])

    private let name: String
    private let purpose: SpeechEngine.Purpose?
    private let input: String?

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[SpeechOptions.name]
        purpose = invocation[SpeechOptions.purpose]
        input = invocation[Self.input]
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let engine = try await app.speechEngineList().named(name)
        if let purpose { try KeyValueSpeechEngines.check(engine, for: [purpose]) }
        let trial = try await SpeechTrial(
            app: app, of: engine, for: purpose, input: try await StandardSound.path(input))
        try await app.speechEngines().update(trial.engine)
        if let warning = engine.unprotected { console.warn(warning) }
        try console.tell("\(name) answers after \(trial.elapsed.milliseconds) ms.")
        try show(
            "Models that hear, \(trial.offer.recognitionModels.count):" as Sentence, trial.offer.recognitionModels,
            console)
        try show(
            "Models that speak, \(trial.offer.synthesisModels.count):" as Sentence, trial.offer.synthesisModels, console
        )
        try show("Voices, \(trial.offer.voices.count):" as Sentence, trial.offer.voices, console)
        if let spoken = trial.spoken {
            try console.tell(
                "Speaks: the first sound after \(spoken.latency.milliseconds) ms, \(spoken.format.sampleRate) Hz, "
                    + "\(spoken.duration.clock) of speech.")
        }
        if let heard = trial.heard {
            let (words, milliseconds) = (ForeignText.short(heard.words, limit: 400), heard.latency.milliseconds)
            try console.tell(
                heard.streams
                    ? "Hears: \"\(words)\", \(milliseconds) ms after the sound, word by word."
                    : "Hears: \"\(words)\", \(milliseconds) ms after the sound.")
        }
        for (purpose, error) in trial.failures {
            let reason = Sentence(error)
            console.progress(purpose == .synthesis ? "It does not speak: \(reason)" : "It does not hear: \(reason)")
        }
        try console.emit(Output(trial))
        guard trial.working.isEmpty, let failure = trial.failures.first else { return .done }
        return ExitCode(for: failure.error)
    }

    private func show(_ title: Sentence, _ items: [SpeechServiceOffer.Item], _ console: Console) throws {
        guard !items.isEmpty else { return }
        try console.tell(title)
        for item in items.prefix(Self.mostItems) {
            let name = item.name == item.id ? "" : "  \(ForeignText.short(item.name, limit: 60))"
            let languages =
                item.languages.isEmpty
                ? "" : "  (\(ForeignText.short(item.languages.prefix(8).joined(separator: ", "), limit: 60)))"
            try console.show("  \(ForeignText.short(item.id, limit: 100))\(name)\(languages)")
        }
        if items.count > Self.mostItems { try console.tell("  … parley speech test \(self.name) --json has all.") }
    }

    private static let mostItems = 20

    private struct Output: Encodable {
        struct Item: Encodable {
            let id: String
            let name: String
            let languages: [String]
        }

        struct Spoken: Encodable {
            let firstSoundMs: Double
            let sampleRate: Int
            let seconds: Double
        }

        struct Heard: Encodable {
            let words: String
            let wordsMs: Double
            let streams: Bool
        }

        struct Failure: Encodable {
            let purpose: String
            let error: ErrorReport?
        }

        let name: String
        let answerMs: Double
        let transcriptionModels: [Item]
        let speechModels: [Item]
        let voices: [Item]
        let synthesis: Spoken?
        let recognition: Heard?
        let failures: [Failure]
        let patience: [String: Double]

        init(_ trial: SpeechTrial) {
            func items(_ items: [SpeechServiceOffer.Item]) -> [Item] {
                items.map { Item(id: $0.id, name: $0.name, languages: $0.languages) }
            }
            name = trial.engine.name
            answerMs = trial.elapsed.milliseconds
            transcriptionModels = items(trial.offer.recognitionModels)
            speechModels = items(trial.offer.synthesisModels)
            voices = items(trial.offer.voices)
            synthesis = trial.spoken.map {
                Spoken(
                    firstSoundMs: $0.latency.milliseconds, sampleRate: $0.format.sampleRate,
                    seconds: $0.duration / .seconds(1))
            }
            recognition = trial.heard.map {
                Heard(words: $0.words, wordsMs: $0.latency.milliseconds, streams: $0.streams)
            }
            failures = trial.failures.map { Failure(purpose: $0.purpose.rawValue, error: ErrorReport($0.error)) }
            let seconds = trial.engine.patience.map { ($0.key.rawValue, $0.value / .seconds(1)) }
            patience = Dictionary(seconds) { first, _ in first }
        }
    }
}

// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataVoice
import Domain
import ProductVersion
import Speech
import SpeechEngines
import WyomingServer

extension CompositionRoot {
    /// The engines of this machine behind the Wyoming protocol, with the recogniser's model loaded.
    func wyomingServer() async throws -> WyomingServer {
        async let languages = ESpeakSynthesizer.languages()
        let recognizer = try await recognizer()
        var engines = WyomingEngines(
            recognizers: [
                .init(
                    id: "parley", description: "Questions about US states, the time, timers and sums",
                    languages: ["en"], engine: recognizer)
            ],
            voices: FliteSynthesizer.Voice.allCases.map { voice in
                .init(id: "flite-\(voice.rawValue)", description: "flite, \(voice.rawValue)", languages: ["en-US"]) {
                    try FliteSynthesizer(voice: voice)
                }
            },
            wakeWords: [
                .init(id: "hey_jarvis", phrase: "hey jarvis", languages: ["en"]) { [logger] in
                    try await WakeWordDetector(phrase: WakeWordDetector.Phrase("hey jarvis"), logger: logger)
                }
            ])
        // Without eSpeak NG, which is a program of its own, there is English alone.
        for language in (try? await languages) ?? [] {
            engines.voices.append(
                .init(id: "espeak-\(language)", description: "eSpeak NG, \(language)", languages: [language]) {
                    try await ESpeakSynthesizer(language: language)
                })
        }
        var configuration = WyomingServerConfiguration(
            .init(
                name: "parley", version: ProductVersion.current, description: "Parley's ears and voices",
                url: ""))
        configuration.makeRateConverter = { from, to in
            let resampler = try Resampler(from: from, to: to)
            return .init(process: { resampler.process($0) }, finish: { resampler.finish() })
        }
        return WyomingServer(engines, configuration: configuration, logger: logger)
    }
}

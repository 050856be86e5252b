// SPDX-License-Identifier: MIT

import AudioBuffers
import NetworkingTestSupport
import Speech
import SpeechEngines
import SpeechServices
import SpeechServicesTestSupport
import TestKit
import Testing
import WyomingServer

/// The contract suites over every engine: services over HTTP by a scripted server, Wyoming by the reference library
/// behind a proxy that breaks connections, and the engines of this machine.
@Suite(.timeLimit(.minutes(5))) struct EngineContractTests {
    @Test(arguments: SpeechSynthesizerContract.checks, SpeechSynthesizerContract.httpSubjects + synthesizers)
    func `a synthesiser keeps its promises`(
        check: SpeechContractCheck<SpeechSynthesizerContract.Subject>, subject: SpeechSynthesizerContract.Subject
    ) async throws {
        try await check.run(subject)
    }

    @Test(arguments: 0..<6, SpeechRecognizerContract.httpSubjects + recognizers)
    func `a recogniser keeps its promises`(check: Int, subject: SpeechRecognizerContract.Subject) async throws {
        let checks = SpeechRecognizerContract.checks(try await Self.utterance())
        try #require(checks.count == 6)
        try await checks[check].run(subject)
    }

    /// The promises again, with words that the dictation's model of language expects.
    @Test(arguments: 0..<6) func `the offline dictation keeps the promises`(check: Int) async throws {
        let checks = SpeechRecognizerContract.checks(
            try await Self.utterance("please close the window before the rain begins"))
        try #require(checks.count == 6)
        try await checks[check].run(
            .init("PocketSphinx, dictation", faults: []) { _, _, body in try await body(try await DictationRecognizer())
            })
    }

    private static func utterance(
        _ words: String = SpeechRecognizerContract.Utterance.lightOn
    ) async throws -> SpeechRecognizerContract.Utterance {
        var sound = AudioBuffer(silentFrames: 4_800, format: .speech)
        for try await buffer in try FliteSynthesizer().synthesize(words) { sound.samples += buffer.samples }
        sound.samples += [Float](repeating: 0, count: 4_800)
        return SpeechRecognizerContract.Utterance(sound, words: words)
    }

    private static let synthesizers: [SpeechSynthesizerContract.Subject] = [
        wyoming("Wyoming", []) { WyomingSynthesizer($0) },
        wyoming("Wyoming, streaming", ["streaming"]) {
            var configuration = WyomingSynthesizer.Configuration()
            configuration.streams = true
            return WyomingSynthesizer($0, configuration: configuration)
        },
        own("Wyoming, Parley's own server") { service in WyomingSynthesizer(service, configuration: flite(false)) },
        own("Wyoming, Parley's own server, streaming") { service in
            WyomingSynthesizer(service, configuration: flite(true))
        },
        .init("flite", faults: []) { _, _, body in try await body(try FliteSynthesizer()) },
        .init("eSpeak NG", faults: []) { _, _, body in try await body(try await ESpeakSynthesizer(language: "en-gb")) },
    ]

    private static let recognizers: [SpeechRecognizerContract.Subject] = [
        wyoming("Wyoming", [], without: [.wrongRate, .halfFrame, .gone]) { WyomingRecognizer($0) },
        wyoming("Wyoming, streaming", ["streaming"], without: [.wrongRate, .halfFrame, .gone]) {
            WyomingRecognizer($0, model: "base", language: "en")
        },
        own("Wyoming, Parley's own server") { service in WyomingRecognizer(service, language: "en") },
        .init("PocketSphinx with a grammar", faults: []) { _, _, body in try await body(try await lights()) },
    ]

    private static func lights() async throws -> GrammarRecognizer {
        let grammar = JSGFGrammar(
            name: "lights", start: .sequence(["turn", .choice(["on", "off"]), "the", .choice(["light", "lamp"])]))
        return try await GrammarRecognizer(grammar: grammar, otherWords: ["hello", "what", "is"])
    }

    private static func flite(_ streams: Bool) -> WyomingSynthesizer.Configuration {
        var configuration = WyomingSynthesizer.Configuration()
        (configuration.format, configuration.streams) = (.speech, streams)
        return configuration
    }

    /// A subject over Parley's own server with the engines of this machine.
    private static func own<Engine>(
        _ name: String, _ make: @escaping @Sendable (WyomingService) -> Engine
    ) -> EngineSubject<Engine> {
        EngineSubject(name, faults: [.stall, .cut, .otherProtocol]) { fault, clock, body in
            let engines = WyomingEngines(
                recognizers: [
                    .init(id: "lights", description: "Lights", languages: ["en"], engine: try await lights())
                ],
                voices: [.init(id: "slt", description: "A woman", languages: ["en-US"]) { try FliteSynthesizer() }])
            try await OwnWyomingServer.run(engines) { port in
                let proxy = try FaultProxy(upstream: .port(UInt16(port)), fault: fault.flatMap(Self.broken))
                defer { proxy.close() }
                var limits = SpeechServiceLimits()
                limits.answer = limits.stall
                let service = try WyomingService(
                    name: name, address: "tcp://127.0.0.1:\(proxy.port)", connector: try loopbackTransport(),
                    limits: limits, clock: clock)
                try await body(make(service))
            }
        }
    }

    /// A subject over the reference library; neither TLS nor keys are in the protocol.
    private static func wyoming<Engine>(
        _ name: String, _ options: [String], without: Set<SpeechServiceFault> = [],
        _ make: @escaping @Sendable (WyomingService) -> Engine
    ) -> EngineSubject<Engine> {
        let faults: Set<SpeechServiceFault> = [
            .stall, .cut, .wrongRate, .halfFrame, .serverError, .gone, .otherProtocol,
        ]
        return EngineSubject(name, faults: faults.subtracting(without)) { fault, clock, body in
            var options = options
            switch fault {
            case .wrongRate: options.append("rate=8000")
            case .serverError: options.append("error=out of memory")
            case .gone: options.append("no-voice")
            default: break
            }
            let peer = try await WyomingPeer(options)
            let proxy = try FaultProxy(upstream: .port(UInt16(peer.port)), fault: fault.flatMap(Self.broken))
            defer { proxy.close() }
            var limits = SpeechServiceLimits()
            limits.answer = limits.stall
            let service = try WyomingService(
                name: name, address: "tcp://127.0.0.1:\(proxy.port)", connector: try loopbackTransport(),
                limits: limits, clock: clock)
            try await body(make(service))
        }
    }

    /// The fault of the connection: within the first frame, or within a sample.
    private static func broken(_ fault: SpeechServiceFault) -> Fault? {
        switch fault {
        case .stall: Fault(.stall, .afterBytes(40))
        case .cut: Fault(.close, .afterBytes(40))
        case .halfFrame: Fault(.close, .afterBytes(1_501))
        case .otherProtocol: Fault(.garbage(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)), .beforeResponse)
        default: nil
        }
    }
}

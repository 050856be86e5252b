// SPDX-License-Identifier: MIT

public import Networking
import SpeechEngines
public import SpeechServices
public import TestKit

extension EngineSubject {
    /// The faults of services over HTTP.
    static var httpFaults: Set<SpeechServiceFault> { Set(SpeechServiceFault.allCases) }

    /// A subject over a ``ScriptedSpeechServer``.
    static func http(
        _ name: String, path: String = "", faults: Set<SpeechServiceFault>,
        _ make: @escaping @Sendable (HTTPSpeechService) -> Engine
    ) -> EngineSubject {
        EngineSubject(name, faults: faults) { fault, clock, body in
            try await ScriptedSpeechServer.run(.init(fault: fault)) { server in
                let service = try scriptedService(name, at: server, path: path, clock: clock)
                try await body(make(service))
            }
        }
    }
}

/// A service at a scripted server, with the small limits of tests.
public func scriptedService(
    _ name: String = "Scripted", at server: ScriptedSpeechServer, path: String = "",
    clock: any Clock<Duration> = ManualClock()
) throws -> HTTPSpeechService {
    var limits = SpeechServiceLimits()
    limits.maximumSoundBytes = 1 << 20
    limits.maximumTextBytes = 256 << 10
    return HTTPSpeechService(
        name: name, baseURL: server.baseURL(path), key: SpeechServiceKey(scriptedKey),
        transport: try loopbackTransport(), limits: limits, clock: clock)
}

/// A transport to this machine, past every proxy.
public func loopbackTransport() throws -> CurlTransport {
    var configuration = CurlTransport.Configuration()
    configuration.proxy = .none
    return try CurlTransport(configuration: configuration)
}

extension SpeechSynthesizerContract {
    /// The synthesisers that speak HTTP.
    public static let httpSubjects: [Subject] = [
        .http("OpenAI", path: "/v1", faults: Subject.httpFaults) { OpenAISynthesizer($0) },
        .http("ElevenLabs", faults: Subject.httpFaults) {
            ElevenLabsSynthesizer($0, configuration: .init(voice: "21m00Tcm4TlvDq8ikWAM"))
        },
    ]
}

extension SpeechRecognizerContract {
    private static let faults = Subject.httpFaults.subtracting([.wrongRate, .halfFrame])

    /// The recognisers that speak HTTP.
    public static let httpSubjects: [Subject] = [
        .http("OpenAI", path: "/v1", faults: faults) { OpenAIRecognizer($0) },
        .http("OpenAI, streaming", path: "/v1", faults: faults) {
            var configuration = OpenAIRecognizer.Configuration()
            configuration.streams = true
            return OpenAIRecognizer($0, configuration: configuration)
        },
        // The server has one model, so it cannot miss another.
        .http("whisper.cpp", faults: faults.subtracting([.gone])) { WhisperCppRecognizer($0) },
    ]
}

// SPDX-License-Identifier: MIT

public import AudioBuffers
import Concurrency
public import FoundationEssentials
import HTTPServer
import Networking
import TestKit

/// A server that speaks the protocols of OpenAI, whisper.cpp and ElevenLabs by a script, and keeps the requests.
public final class ScriptedSpeechServer: Sendable {
    /// A request as it arrived.
    public struct Request: Sendable {
        /// The method.
        public let method: String
        /// The decoded path, beginning with a slash.
        public let path: String
        /// The query's items by name.
        public let query: [String: String]
        /// The fields by their names in lower case.
        public let headers: [String: String]
        /// The whole body.
        public let body: [UInt8]
    }

    /// What the server says and hears.
    public struct Script: Sendable {
        /// The fault of every answer; nil for none.
        public var fault: SpeechServiceFault?
        /// The sound of every text.
        public var sound = ScriptedSpeechServer.tone(frames: 12_000)
        /// The words of every utterance, as an answer in `verbose_json`.
        public var words =
            #"{"text": " Turn on the light.", "language": "english", "segments": [{"id": 0, "start": 0.0, "#
            + #""end": 1.5, "text": " Turn on the light.", "avg_logprob": -0.2, "no_speech_prob": 0.01}]}"#

        /// The text of the server's own errors and the name of its voices, which a program shows; nil for usual ones.
        public var text: String?

        /// A server without a fault.
        public init(fault: SpeechServiceFault? = nil) { self.fault = fault }
    }

    /// The port on 127.0.0.1.
    public let port: Int
    private let isSecure: Bool
    private let log: Log

    /// Every request so far, in order.
    public var requests: [Request] { log.requests.withLock { $0 } }

    /// The base of paths: `/v1` for OpenAI's protocol, empty for the others.
    public func baseURL(_ path: String = "") -> URL {
        guard let url = URL(string: "\(isSecure ? "https" : "http")://127.0.0.1:\(port)\(path)") else {
            preconditionFailure("The path \(path) makes no URL.")
        }
        return url
    }

    /// A sawtooth of 436 Hz at 24 kHz, of whole 16-bit values.
    public static func tone(frames: Int) -> AudioBuffer {
        let samples = (0..<frames).map { Int16(($0 % 55) * 400 - 11_000) }
        return AudioBuffer(int16: samples, format: AudioFormat(sampleRate: 24_000))
    }

    /// Runs a server for the time of `body`.
    public static func run<Value: Sendable>(
        _ script: Script = Script(), _ body: @Sendable (ScriptedSpeechServer) async throws -> Value
    ) async throws -> Value {
        let log = Log()
        var configuration = HTTPServerConfiguration()
        configuration.maximumBodyBytes = 64 << 20
        let isSecure = script.fault == .wrongCertificate
        if isSecure {
            let certificate = try await BlockingCall.run { Result { try SelfSignedCertificate() } }.get()
            configuration.tls = .init(certificateChain: certificate.chain, privateKey: certificate.key)
        }
        let server = HTTPServer(configuration: configuration) { request in
            let kept = Request(
                method: request.method.rawValue, path: "/" + request.path.joined(separator: "/"),
                query: Dictionary(request.query.items.map { ($0.name, $0.value) }) { $1 },
                headers: Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { $1 },
                body: try await request.body.collect())
            log.requests.withLock { $0.append(kept) }
            return ScriptedAnswer(script: script, request: kept).response
        }
        let address = try await server.start()
        let scripted = ScriptedSpeechServer(port: address.port, isSecure: isSecure, log)
        return try await withCleanup {
            try await body(scripted)
        } cleanup: {
            await server.stop(grace: .zero)
        }
    }

    private final class Log: Sendable { let requests = Guarded<[Request]>([]) }

    private init(port: Int, isSecure: Bool, _ log: Log) {
        self.port = port
        self.isSecure = isSecure
        self.log = log
    }
}

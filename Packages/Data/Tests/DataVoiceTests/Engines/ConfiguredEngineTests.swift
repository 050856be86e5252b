// SPDX-License-Identifier: MIT

import AudioKitLinux
import DataVoice
import Domain
import Foundation
import Speech
import SpeechEngines
import SpeechServices
import SpeechServicesTestSupport
import StructuredJSON
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConfiguredEngineTests {
    private static func engine(
        _ kind: SpeechEngine.Kind, at server: ScriptedSpeechServer, _ change: (inout SpeechEngine) -> Void = { _ in }
    ) throws -> ConfiguredEngine {
        var engine = SpeechEngine(
            name: "it", kind: kind, address: server.baseURL(kind == .openai ? "/v1" : "").absoluteString)
        change(&engine)
        return try ConfiguredEngine(engine, key: SpeechServiceKey("secret"), transport: try loopbackTransport())
    }

    private static func body(_ request: ScriptedSpeechServer.Request?) throws -> JSONValue {
        try JSONValue(parsing: request?.body ?? [], maximumDepth: 8)
    }

    private static func frames(_ synthesizer: any SpeechSynthesizer, _ text: String) async throws -> Int {
        var frames = 0
        for try await buffer in synthesizer.synthesize(text) { frames += buffer.frameCount }
        return frames
    }

    @Test func `a text is asked once at each speed`() async throws {
        try await ScriptedSpeechServer.run { server in
            let engine = try Self.engine(.openai, at: server) {
                $0.synthesisModel = "kokoro"
                $0.voice = "af_heart"
            }
            let rate = SpeechRate()
            let voice = try engine.synthesizer(rate: rate, cache: InMemorySpeechCache())
            for percent in [100, 100, 150, 100, 150] {
                rate.percent = percent
                #expect(try await Self.frames(voice, "It is nine.") == 12_000)
            }
            #expect(server.requests.count == 2)
            let bodies = try server.requests.map(Self.body)
            #expect(bodies.map { $0["speed"]?.double } == [nil, 1.5])
            #expect(bodies.allSatisfy { $0["model"]?.string == "kokoro" && $0["voice"]?.string == "af_heart" })
        }
    }

    @Test func `ElevenLabs gets its settings and a speed within its range`() async throws {
        try await ScriptedSpeechServer.run { server in
            let engine = try Self.engine(.elevenlabs, at: server) {
                $0.voice = "21m00Tcm4TlvDq8ikWAM"
                ($0.stability, $0.similarity, $0.language) = (0.75, 0.5, "en")
            }
            _ = try await Self.frames(try engine.synthesizer(percent: 200), "It is nine.")
            let body = try Self.body(server.requests.first)
            let settings = body["voice_settings"]
            #expect(settings?["stability"]?.double == 0.75 && settings?["similarity_boost"]?.double == 0.5)
            #expect(settings?["speed"]?.double == 1.2 && body["language_code"]?.string == "en")
            #expect(server.requests.first?.headers["xi-api-key"] == "secret")
        }
    }

    @Test func `what a protocol lacks is explained`() async throws {
        try await ScriptedSpeechServer.run { server in
            let eleven = try Self.engine(.elevenlabs, at: server)
            let silent = #expect(throws: DomainError.self) { _ = try eleven.synthesizer() }
            #expect(silent?.detail?.contains("--voice") == true)
            #expect(throws: DomainError.self) { _ = try eleven.recognizer() }
            let whisper = try Self.engine(.whispercpp, at: server)
            #expect(throws: DomainError.self) { _ = try whisper.synthesizer() }
            #expect(throws: DomainError.self) {
                _ = try ConfiguredEngine(
                    SpeechEngine(name: "w", kind: .wyoming, address: "http://127.0.0.1"), key: nil,
                    transport: try loopbackTransport())
            }
        }
    }

    @Test(arguments: ["whisper-1", "gpt-4o-transcribe"])
    func `details are asked only of models that have them`(model: String) async throws {
        try await ScriptedSpeechServer.run { server in
            let engine = try Self.engine(.openai, at: server) { $0.recognitionModel = model }
            let heard = try await EngineTrial().hear(
                AudioBuffer(silentFrames: 16_000, format: .speech), by: try engine.recognizer())
            #expect(heard.words == "Turn on the light." && !heard.streams)
            let form = String(decoding: try #require(server.requests.first).body, as: UTF8.self)
            #expect(form.contains("verbose_json") == (model == "whisper-1") && form.contains(model))
        }
    }

    @Test func `a trial finds the voice's rate`() async throws {
        try await ScriptedSpeechServer.run(.init(fault: .wrongRate)) { server in
            let spoken = try await EngineTrial().speak { rate in
                try Self.engine(.openai, at: server) { $0.sampleRate = rate }.synthesizer()
            }
            #expect(spoken.format == AudioFormat(sampleRate: 8_000) && spoken.duration == .milliseconds(1_500))
            #expect(server.requests.count == 2)
        }
    }

    @Test(arguments: SpeechEngine.Kind.allCases.filter { $0 != .wyoming })
    func `each protocol is asked for its offer`(kind: SpeechEngine.Kind) async throws {
        try await ScriptedSpeechServer.run { server in
            let report = try await Self.engine(kind, at: server).probe()
            let offer = try report.result.get()
            #expect(offer.voices.isEmpty == (kind == .whispercpp) && !report.isUnprotected)
        }
    }
}

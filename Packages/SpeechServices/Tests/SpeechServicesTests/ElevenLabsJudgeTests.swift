// SPDX-License-Identifier: MIT

import AudioBuffers
import FoundationEssentials
import SpeechEngines
import SpeechServices
import SpeechServicesTestSupport
import StructuredJSON
import TestKit
import Testing

/// ElevenLabs' official SDK as the judge of requests and of the scripted server.
@Suite(.timeLimit(.minutes(5))) struct ElevenLabsJudgeTests {
    @Test func `our request is the SDK's, field by field`() async throws {
        try await ScriptedSpeechServer.run { server in
            let judge = try PeerProgram.start("elevenlabs_judge.py", [server.baseURL().absoluteString, scriptedKey])
            let lines = await judge.detached { $0.lines() }
            #expect(
                lines == [
                    "bytes 24000", "model eleven_flash_v2_5", "model sts", "voice 21m00Tcm4TlvDq8ikWAM Rachel",
                ])

            var configuration = ElevenLabsSynthesizer.Configuration(voice: "21m00Tcm4TlvDq8ikWAM")
            configuration.model = "eleven_flash_v2_5"
            configuration.language = "en"
            configuration.seed = 7
            configuration.settings = .init(
                stability: 0.75, similarityBoost: 0.75, style: 0.5, speed: 1.5, usesSpeakerBoost: true)
            let engine = ElevenLabsSynthesizer(try scriptedService(at: server), configuration: configuration)
            var frames = 0
            for try await buffer in engine.synthesize("Grüß Gott, it is “nine”.") { frames += buffer.frameCount }
            #expect(frames == 12_000)

            let theirs = try #require(server.requests.first { $0.path.hasSuffix("/stream") })
            let ours = try #require(server.requests.last)
            #expect(ours.method == theirs.method)
            #expect(ours.path == theirs.path)
            #expect(ours.query == theirs.query)
            for field in ["xi-api-key", "content-type", "accept", "authorization"] {
                #expect(ours.headers[field] == theirs.headers[field], "\(field)")
            }
            #expect(try JSONValue(parsing: ours.body) == JSONValue(parsing: theirs.body))
        }
    }

    @Test func `what is not set is left out`() async throws {
        try await ScriptedSpeechServer.run { server in
            let engine = ElevenLabsSynthesizer(try scriptedService(at: server), configuration: .init(voice: "x"))
            for try await _ in engine.synthesize("Yes.") {}
            #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"text":"Yes."}"#])
        }
    }
}

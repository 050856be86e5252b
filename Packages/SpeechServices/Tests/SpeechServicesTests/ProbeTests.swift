// SPDX-License-Identifier: MIT

import AudioBuffers
import SpeechEngines
import SpeechServices
import SpeechServicesTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProbeTests {
    @Test func `OpenAI's models are listed by their task`() async throws {
        try await ScriptedSpeechServer.run { server in
            let offer = try await SpeechServiceProbe.openAI(try scriptedService(at: server, path: "/v1")).result.get()
            #expect(offer.recognitionModels.map(\.id) == ["whisper-1"])
            #expect(offer.synthesisModels.map(\.id) == ["whisper-1", "kokoro"])
            #expect(offer.voices == [.init(id: "af_heart", languages: ["en"])])
            #expect(server.requests.first?.headers["authorization"] == "Bearer \(scriptedKey)")
        }
    }

    @Test func `ElevenLabs' models and voices are listed`() async throws {
        try await ScriptedSpeechServer.run { server in
            let offer = try await SpeechServiceProbe.elevenLabs(try scriptedService(at: server)).result.get()
            #expect(offer.synthesisModels == [.init(id: "eleven_flash_v2_5", name: "Flash", languages: ["en"])])
            #expect(offer.voices == [.init(id: "21m00Tcm4TlvDq8ikWAM", name: "Rachel", languages: ["en"])])
            #expect(server.requests.allSatisfy { $0.headers["xi-api-key"] == scriptedKey })
        }
    }

    @Test func `whisper.cpp only says that it is there`() async throws {
        try await ScriptedSpeechServer.run { server in
            let report = try await SpeechServiceProbe.whisperCpp(try scriptedService(at: server))
            #expect(try report.result.get() == SpeechServiceOffer())
        }
    }

    @Test(arguments: [SpeechServiceFault.serverError, .wrongKey, .tooManyRequests, .wrongCertificate, .otherProtocol])
    func `a fault is in the report`(fault: SpeechServiceFault) async throws {
        try await ScriptedSpeechServer.run(.init(fault: fault)) { server in
            let (speech, base) = (try scriptedService(at: server), try scriptedService(at: server, path: "/v1"))
            for report in [
                try await SpeechServiceProbe.openAI(base), try await SpeechServiceProbe.elevenLabs(speech),
            ] {
                guard case .failure(let error) = report.result else { throw BrokenPromise() }
                #expect(error.code == fault.recognitionCode)
            }
        }
    }

    @Test func `the format of a WAV voice is asked`() async throws {
        var script = ScriptedSpeechServer.Script()
        script.sound = AudioBuffer(silentFrames: 100, format: AudioFormat(sampleRate: 22_050))
        try await ScriptedSpeechServer.run(script) { server in
            let engine = OpenAISynthesizer(try scriptedService(at: server, path: "/v1"))
            #expect(try await SpeechServiceProbe.format(of: engine) == AudioFormat(sampleRate: 22_050))
        }
    }
}

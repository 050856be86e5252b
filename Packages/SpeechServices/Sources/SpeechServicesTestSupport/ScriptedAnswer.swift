// SPDX-License-Identifier: MIT

import AudioBuffers
import HTTPServer
import Networking
import StructuredJSON
import TestKit

/// The answer of a ``ScriptedSpeechServer`` to one request.
struct ScriptedAnswer {
    let script: ScriptedSpeechServer.Script
    let request: ScriptedSpeechServer.Request

    var response: ServerResponse {
        switch script.fault {
        case .serverError: return json(500, #"{"error": {"message": \#(text(or: "CUDA out of memory"))}}"#)
        case .tooManyRequests:
            var answer = json(429, #"{"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}}"#)
            answer.headers["Retry-After"] = "7"
            return answer
        case .wrongKey:
            let key = request.headers["xi-api-key"] ?? request.headers["authorization"] ?? ""
            return json(401, #"{"error": {"message": "Incorrect API key provided: \#(key)"}}"#)
        case .otherProtocol: return .text("<html>It works!</html>", contentType: "text/html")
        default: break
        }
        switch request.path {
        case "/v1/audio/speech": return speech(wav: true)
        case let path where path.hasPrefix("/v1/text-to-speech/"): return speech(wav: false)
        case "/v1/audio/transcriptions", "/inference": return transcription
        case "/v1/models": return request.headers["xi-api-key"] == nil ? openAIModels : elevenLabsModels
        case "/v1/voices": return elevenLabsVoices
        case "/health": return json(200, #"{"status": "ok"}"#)
        default: return json(404, #"{"error": {"message": "Not found"}}"#)
        }
    }

    private func speech(wav: Bool) -> ServerResponse {
        if script.fault == .gone {
            return wav
                ? json(400, #"{"error": {"message": "no such voice", "param": "voice", "code": null}}"#)
                : json(404, #"{"detail": {"status": "voice_not_found", "message": "A voice was not found."}}"#)
        }
        let rate = script.fault == .wrongRate ? 8_000 : script.sound.format.sampleRate
        var bytes = wav ? Self.header(rate: rate) : []
        for sample in script.sound.int16Samples() {
            bytes += [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        }
        if script.fault == .halfFrame { bytes.removeLast() }
        return answer(bytes, type: wav ? "audio/wav" : "audio/pcm;rate=\(rate)")
    }

    /// The script's text in JSON.
    private func text(or usual: String) -> String {
        String(decoding: JSONValue.string(script.text ?? usual).bytes, as: UTF8.self)
    }

    private var transcription: ServerResponse {
        if script.fault == .gone {
            return json(404, #"{"error": {"message": "no such model", "code": "model_not_found"}}"#)
        }
        guard request.path == "/v1/audio/transcriptions", form.contains("name=\"stream\"\r\n\r\ntrue") else {
            return answer(Array(script.words.utf8), type: "application/json")
        }
        let events = [
            #"{"type": "transcript.text.delta", "delta": "Turn on"}"#,
            #"{"type": "transcript.text.delta", "delta": " the light."}"#,
            #"{"type": "transcript.text.done", "text": "Turn on the light."}"#,
        ]
        return answer(Array(events.map { "data: \($0)\n\n" }.joined().utf8), type: "text/event-stream")
    }

    /// The body as text; a sound in it does not matter.
    private var form: String { String(decoding: request.body, as: UTF8.self) }

    /// Bytes in two halves, with the script's fault between them.
    private func answer(_ bytes: [UInt8], type: String) -> ServerResponse {
        .stream(headers: ["Content-Type": type]) { [fault = script.fault] writer in
            try await writer.write(Array(bytes[..<(bytes.count / 2)]))
            switch fault {
            case .stall: await untilCancelled()
            case .cut: throw BrokenContract(description: "cut by the script")
            case .endless:
                let isWords = type == "text/event-stream"
                let piece = isWords ? Self.delta : [UInt8](repeating: 0x20, count: 64 << 10)
                while true { try await writer.write(piece) }
            default: break
            }
            try await writer.write(Array(bytes[(bytes.count / 2)...]))
        }
    }

    private static let delta = Array(#"\#n\#ndata: {"type": "transcript.text.delta", "delta": " and"}"#.utf8)

    private func json(_ status: Int, _ text: String) -> ServerResponse {
        .text(text, status: status, contentType: "application/json")
    }

    /// The header of a stream whose length is not known yet, as OpenAI writes it.
    private static func header(rate: Int) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let unknown = little(0xFFFF_FFFF, 4)
        return Array("RIFF".utf8) + unknown + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2) + little(1, 2)
            + little(rate, 4) + little(2 * rate, 4) + little(2, 2) + little(16, 2)
            + Array("LIST".utf8) + little(4, 4) + Array("INFO".utf8) + Array("data".utf8) + unknown
    }

    // MARK: Lists

    private var openAIModels: ServerResponse {
        json(
            200,
            #"{"object": "list", "data": [{"id": "whisper-1", "object": "model", "created": 1, "owned_by": "x"}, "#
                + #"{"id": "kokoro", "task": "text-to-speech", "voices": [{"name": "af_heart", "language": "en"}]}]}"#)
    }

    private var elevenLabsModels: ServerResponse {
        json(
            200,
            #"[{"model_id": "eleven_flash_v2_5", "name": "Flash", "can_do_text_to_speech": true, "languages": "#
                + #"[{"language_id": "en", "name": "English"}]}, {"model_id": "sts", "name": "Changer", "#
                + #""can_do_text_to_speech": false}]"#)
    }

    private var elevenLabsVoices: ServerResponse {
        json(
            200,
            #"{"voices": [{"voice_id": "21m00Tcm4TlvDq8ikWAM", "name": \#(text(or: "Rachel")), "category": "premade", "#
                + #""labels": {"language": "en"}}]}"#)
    }
}

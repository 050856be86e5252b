// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

/// `parley-server simulate-openai --listen --speak`: a spoken question, a spoken answer.
@Suite(.timeLimit(.minutes(5))) struct SimulatedSpeechTests {
    @Test func aQuestionInASoundFileIsAnsweredAloud() async throws {
        let simulator = try SimulatorProcess(["--listen", "--speak"])
        let connection = try await Self.open(simulator.address)
        let session =
            #"{"type":"session.update","session":{"type":"realtime","audio":{"input":{"transcription":{"model":"whisper-1"}}}}}"#
        try await connection.send(session)
        for piece in try Self.question() {
            let audio = piece.base64EncodedString()
            try await connection.send(#"{"type":"input_audio_buffer.append","audio":"\#(audio)"}"#)
        }
        var (question, answer, sound) = ("", "", Data())
        while case .text(let text)? = try await connection.receive() {
            let event = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            switch event["type"] as? String {
            case "conversation.item.input_audio_transcription.completed":
                question = event["transcript"] as? String ?? ""
            case "response.output_audio.delta":
                sound += Data(base64Encoded: event["delta"] as? String ?? "") ?? Data()
            case "response.output_audio_transcript.done": answer = event["transcript"] as? String ?? ""
            case "error": Issue.record("\(text)")
            default: break
            }
            if event["type"] as? String == "response.done" { break }
        }
        #expect(question == "what is the capital of texas")
        #expect(answer == "The capital of Texas is Austin.")
        // Spoken at a person's pace, and not silence.
        #expect((1.0...4.0).contains(Double(sound.count) / 48_000))
        let energy = sound.withUnsafeBytes { bytes in
            bytes.bindMemory(to: Int16.self).reduce(0.0) { $0 + Double($1) * Double($1) } / Double(bytes.count / 2)
        }
        #expect(energy > 100 * 100)
        await connection.close()
        #expect(simulator.stop(SIGTERM) == 0)
    }

    private static func open(_ address: String) async throws -> WebSocketConnection {
        let realtime = address.replacing("http:", with: "ws:") + "/realtime?model=gpt-realtime"
        guard let url = URL(string: realtime) else { throw URLError(.badURL) }
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        let headers: HTTPHeaders = ["Authorization": "Bearer test"]
        return try await WebSocketConnection.open(
            WebSocketRequest(url, headers: headers), over: CurlTransport(configuration: configuration))
    }

    /// The app's sample and a second of silence at 24 kHz, in pieces of 100 ms.
    private static func question() throws -> [Data] {
        let file = URL(filePath: #filePath).appending(path: "../../../Apps/parley/Samples/capital-of-texas.wav")
        let bytes = try Data(contentsOf: file.standardized).dropFirst(44)
        let samples = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { place in
            Double(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
        }
        // From 16 kHz, on straight lines: what they add lies above what a recogniser looks at.
        var sound = Data()
        for place in 0..<(samples.count * 3 / 2) {
            let (whole, third) = (place * 2 / 3, Double(place * 2 % 3) / 3)
            let next = whole + 1 < samples.count ? samples[whole + 1] : 0
            let word = UInt16(bitPattern: Int16(samples[whole] * (1 - third) + next * third))
            sound.append(UInt8(truncatingIfNeeded: word))
            sound.append(UInt8(truncatingIfNeeded: word >> 8))
        }
        sound += Data(count: 48_000)
        return stride(from: 0, to: sound.count, by: 4_800).map { sound[$0..<min($0 + 4_800, sound.count)] }
    }
}

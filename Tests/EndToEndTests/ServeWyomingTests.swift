// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// `parley serve wyoming`, with the reference library as its client.
@Suite(.timeLimit(.minutes(5))) struct ServeWyomingTests {
    private let parley: ParleyProcess
    private let sounds: SoundFixtures

    init() throws {
        parley = try ParleyProcess()
        sounds = SoundFixtures(folder: parley.folder)
    }

    /// Runs the server while a body uses it, then interrupts it; it must end as it should.
    private func serving(
        at uri: String = "tcp://127.0.0.1:0", ending signal: Int32 = SIGINT,
        _ body: (_ uri: String) async throws -> Void
    ) async throws {
        let server = try parley.start(["serve", "wyoming", "--uri", uri, "--json"])
        let line = await server.detached { $0.line() }
        let event = line.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        guard event?["event"] as? String == "listening", let uri = event?["uri"] as? String else {
            let result = await server.finished()
            Issue.record("it does not listen: \(line ?? "") \(result.output) \(result.errors)")
            return
        }
        try await body(uri)
        server.kill(signal)
        let result = await server.finished()
        #expect(result.code == 0 && result.errors.contains("Listening on"), "\(result.errors)")
    }

    /// What the client prints, one JSON value a line.
    private func client(_ uri: String, _ arguments: String...) async throws -> [String] {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized.path
        let words =
            [root + "/.venv-peers/bin/python", root + "/Tests/EndToEndTests/Fixtures/wyoming_client.py", uri]
            + arguments
        let result = try await ParleyProcess.start(words, environment: parley.environment).finished()
        #expect(result.code == 0, "\(arguments): \(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test func `the reference client is told what there is`() async throws {
        try await serving { uri async throws in
            let lines = try await client(uri, "info")
            let info = try JSONSerialization.jsonObject(with: Data(try #require(lines.first).utf8)) as? [String: Any]
            #expect(info?["asr"] as? [String] == ["parley"])
            #expect(info?["wake"] as? [String] == ["hey jarvis"])
            let voices = info?["tts"] as? [String] ?? []
            #expect(voices.first == "flite-slt" && voices.contains("espeak-de"))
            #expect((info?["languages"] as? [String])?.contains("en-US") == true)
            #expect(info?["version"] as? String == "0.1.0")
        }
    }

    @Test func `the reference client is heard, in any format, ten at once`() async throws {
        let plain = try sounds.speech("What is the capital of Texas?")
        let other = try sounds.converted(plain, ["-r", "44100", "-b", "16", "-c", "2"], to: "other.wav")
        try await serving { uri async throws in
            let heard = "\"what is the capital of texas\""
            #expect(try await client(uri, "transcribe", plain, other) == [heard, heard])
            #expect(try await client(uri, "together", "10", plain) == [String](repeating: heard, count: 10))
        }
    }

    @Test func `the wake word is found, and other speech is not`() async throws {
        let call = try sounds.converted(sounds.speech("hey jarvis"), [], to: "call.wav", effects: ["pad", "1", "0.2"])
        let other = try sounds.speech("The weather in Texas is fine today, and nobody calls for anything.")
        try await serving { uri async throws in
            #expect(try await client(uri, "wake", call, other) == ["\"hey_jarvis\"", "null"])
        }
    }

    @Test func `the reference client gets speech that is understood`() async throws {
        try await serving(ending: SIGTERM) { uri async throws in
            for mode in ["whole", "streaming"] {
                let file = parley.path("\(mode).wav")
                let text = "What is the capital of Texas? What is the bird of Ohio?"
                let starts = try await client(uri, "speak", mode, "flite-rms", file, text)
                #expect(starts == [mode == "whole" ? "1" : "2"])
                // The questions come without a pause between them.
                let written = try await parley.run("audio", "vad", file, "--json")
                #expect(written.code == 0 && written.output.contains("start"), "\(written.errors)")
                let seconds = Double(try Data(contentsOf: URL(filePath: file)).count - 44) / 32_000
                #expect((2.5...6).contains(seconds), "\(seconds)")
            }
            let file = parley.path("one.wav")
            _ = try await client(uri, "speak", "whole", "flite-slt", file, "What is the capital of Texas?")
            #expect(try await parley.run("transcribe", file).output == "what is the capital of texas\n")
            _ = try await client(uri, "speak", "whole", "espeak-de", file, "Guten Tag.")
            #expect(try Data(contentsOf: URL(filePath: file)).count > 20_000)
        }
    }

    @Test func `broken and deaf clients hold nobody up`() async throws {
        try await serving { uri async throws in
            let invalid = "\"invalid-frame\""
            #expect(
                try await client(uri, "broken") == [
                    invalid, invalid, invalid, invalid, "\"unknown-type\"", "\"still there\"",
                ])
            #expect(try await client(uri, "info").count == 1)
        }
    }

    @Test func `a path is served too, and removed at the end`() async throws {
        let path = parley.path("wyoming.sock")
        try await serving(at: "unix://" + path.replacing(" ", with: "%20")) { _ async throws in
            // The reference's client takes the path as it is written.
            #expect(try await client("unix://" + path, "info").count == 1)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `another address is warned of, and one in use is an error`() async throws {
        try await serving { uri async throws in
            let second = try await parley.start(["serve", "wyoming", "--uri", uri]).finished()
            #expect(second.code == 5 && second.errors.contains("Another program listens on"), "\(second.errors)")
        }
        let open = try parley.start(["serve", "wyoming", "--uri", "tcp://0.0.0.0:0", "--json"])
        let result = await open.interrupted(at: "listening")
        #expect(result.code == 0 && result.errors.contains("nothing is encrypted"), "\(result.errors)")
        for uri in ["http://127.0.0.1:1", "tcp://127.0.0.1", "tcp://example.org:80", "unix://x", "127.0.0.1:10700"] {
            let result = try await parley.start(["serve", "wyoming", "--uri", uri]).finished()
            #expect(result.code == 2, "\(uri): \(result.errors)")
        }
    }
}

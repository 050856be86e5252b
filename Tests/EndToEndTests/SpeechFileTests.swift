// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// `parley say` and `parley transcribe` with files and pipes.
@Suite(.timeLimit(.minutes(5))) struct SpeechFileTests {
    private let parley: ParleyProcess
    private let sounds: SoundFixtures

    init() throws {
        parley = try ParleyProcess()
        sounds = SoundFixtures(folder: parley.folder)
    }

    @Test func `speech is written faster than it is spoken`() async throws {
        let text = String(repeating: "The capital of Texas is Austin. ", count: 400)
        let file = parley.path("long.wav")
        // In real time this would take a quarter of an hour, longer than the time limit.
        let result = try await parley.run("say", "--output", file, "--json", input: text)
        #expect(result.code == 0, "\(result.errors)")
        #expect(try #require(result.events.first?["seconds"] as? Double) > 600)
        let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        #expect((size ?? 0) > 600 * 32_000)
        #expect(try leftovers() == ["long.wav"])
    }

    @Test func `an interrupted speech leaves no file`() async throws {
        let file = parley.path("speech.wav")
        let text = String(repeating: "The capital of Texas is Austin. ", count: 3_500)
        let words = [ParleyProcess.executable, "say", "--output", file, text]
        let run = try TerminalRun(words, environment: parley.environment)
        try await run.shows("so far")
        try run.type("\u{3}")
        #expect(await run.code() == 130, "\(run.text)")
        #expect(try leftovers().isEmpty)
    }

    @Test func `a speech that fails leaves the old file`() async throws {
        let file = try sounds.file("old.wav", Data("old".utf8))
        for text in ["你好，世界", "🎉"] {
            let result = try await parley.run("say", text, "--output", file)
            #expect(result.code == 6 && result.output.isEmpty, "\(result.errors)")
            #expect(result.errors.contains(text == "🎉" ? "Write it in words" : "try --language cmn"))
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
        #expect(try leftovers() == ["old.wav"])
    }

    @Test(arguments: ["german.wav", "german.flac", "german.ogg", "german.opus"])
    func `every encoding takes every voice`(_ name: String) async throws {
        let file = parley.path(name)
        let spoken = try await parley.run("say", "Guten Tag", "--language", "de-DE", "--output", file)
        #expect(spoken.code == 0, "\(spoken.errors)")
        let played = try await parley.run("audio", "vad", file, "--json")
        #expect(played.code == 0 && !played.output.isEmpty, "\(played.errors)")
    }

    @Test func `a dash is the pipe for text`() async throws {
        for arguments in [["ask", "-"], ["ask"], ["ask", "capital", "-"], ["ask", "-", "Ohio"]] {
            let run = try parley.start(arguments)
            let input = arguments.count == 3 ? (arguments[1] == "-" ? "capital of" : "of Ohio") : "capital of Ohio"
            run.write(input)
            let result = await run.finished()
            #expect(result.output == "The capital of Ohio is Columbus.\n", "\(arguments): \(result.errors)")
        }
        for arguments in [["say", "-"], ["say"]] {
            let file = parley.path("spoken.wav")
            let run = try parley.start(arguments + ["--output", file])
            run.write("What is the capital of Texas?\n")
            #expect(await run.finished().code == 0)
            #expect(try await parley.run("transcribe", file).output == "what is the capital of texas\n")
        }
    }

    @Test func `a dash is the pipe for sound`() async throws {
        let run = try ParleyProcess.start(
            [
                "/bin/sh", "-c",
                "\"$0\" say 'What is the capital of Texas?' -o - | tee \"$1\" | \"$0\" transcribe - --json",
                ParleyProcess.executable, parley.path("copy.wav"),
            ], environment: parley.environment)
        let result = await run.finished()
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.events.first?["transcript"] as? String == "what is the capital of texas")
        #expect(result.events.first?["file"] as? String == "-")
        #expect(try await parley.run("transcribe", parley.path("copy.wav")).code == 0)
        let turn = try ParleyProcess.start(
            [
                "/bin/sh", "-c", "\"$0\" talk --input - --output /dev/null <\"$1\"", ParleyProcess.executable,
                parley.path("copy.wav"),
            ], environment: parley.environment)
        #expect(await turn.finished().output.contains("Austin"))
    }

    @Test func `a pipe without sound is explained`() async throws {
        let out = parley.path("out.wav")
        for command in [["transcribe", "-"], ["play", "-"], ["record", out, "-i", "-"], ["talk", "-i", "-"]] {
            for (input, says) in [("", "Standard input is empty"), ("no sound", "standard input is not")] {
                let running = try parley.start(command)
                running.write(input)
                let result = await running.finished()
                #expect(result.code == 6, "\(command): \(result.errors)")
                #expect(result.errors.contains(says), "\(command): \(result.errors)")
            }
        }
    }

    @Test func `every question in a file is written down`() async throws {
        let texas = try sounds.speech("What is the capital of Texas?")
        let ohio = try sounds.speech("What is the bird of Ohio?")
        let both = try sounds.converted(texas, [], to: "pause.wav", effects: ["pad", "0", "2"])
        let file = parley.path("both.wav")
        try SoundFixtures.tool("/usr/bin/sox", [both, ohio, file])
        let result = try await parley.run("transcribe", file)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.output == "what is the capital of texas\nwhat is the bird of ohio\n")
    }

    @Test func `a question that is not understood hides no other`() async throws {
        let france = try sounds.speech("Please open the window and play some music for me.")
        let ohio = try sounds.speech("What is the bird of Ohio?")
        let padded = try sounds.converted(france, [], to: "pause.wav", effects: ["pad", "0", "2"])
        let file = parley.path("both.wav")
        try SoundFixtures.tool("/usr/bin/sox", [padded, ohio, file])
        let result = try await parley.run("transcribe", file)
        #expect(result.code == 3, "\(result.errors)")
        #expect(result.output.contains("what is the bird of ohio\n"), "\(result.output)")
    }

    @Test(arguments: [
        ["map", "texas", "--output", "m.png"], ["talk", "--output", "out.mp3"], ["say", "hello", "--output", "x.txt"],
        ["talk", "--output", "-"], ["say", "hello", "--output", "-", "--json"],
        ["recordings", "export", "d226cc33", "a.mp3"],
    ])
    func `a name that promises something else is refused`(_ arguments: [String]) async throws {
        let result = try await parley.start(arguments).finished()
        #expect(result.code == 2, "\(result.errors)")
        let words = result.errors + result.output
        #expect(words.contains("output") || words.contains("a name ends in .wav"), "\(result.errors)")
    }

    @Test func `a map goes to the pipe for a dash`() async throws {
        let result = try await parley.run("map", "texas", "-o", "-")
        #expect(result.code == 0 && result.output.hasPrefix("<svg") || result.output.hasPrefix("<?xml"))
    }

    /// Sound files in the folder that are not fixtures.
    private func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: parley.folder).filter { $0.contains(".wav") }.sorted()
    }
}

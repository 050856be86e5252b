// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import Foundation
import TestKit
import Testing

/// Practising as a person does it, with a microphone and a loudspeaker of ALSA's.
@Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: PulseDaemon.isInstalled, "pulseaudio is not installed: Scripts/bootstrap test"))
struct PracticeByDeviceTests {
    /// What the microphone hears, as bytes of ``FileMicrophone``'s shape.
    private struct Sound {
        /// The file of all of it.
        let path: String
        /// The words of the cue in it.
        let spoken: Data
        /// Somebody else's words, which are not in the file yet.
        let others: Data

        /// The first second that the words are over in, as the timer shows it.
        var end: Int { 2 + spoken.count / 2 / FileMicrophone.sampleRate }
    }

    private let parley: ParleyProcess
    private let sounds: SoundFixtures

    init() throws {
        parley = try ParleyProcess()
        sounds = SoundFixtures(folder: parley.folder)
    }

    private func sound(_ text: String, besides words: String) throws -> Sound {
        func samples(_ words: String) throws -> Data {
            let raw = [
                "-r", "\(FileMicrophone.sampleRate)", "-c", "1", "-b", "16", "-e", "signed-integer", "-t", "raw",
            ]
            return try Data(
                contentsOf: URL(filePath: try sounds.converted(sounds.speech(words), raw, to: "words.raw")))
        }
        func silence(_ seconds: Int) -> Data { Data(count: 2 * FileMicrophone.sampleRate * seconds) }
        let (spoken, others) = (try samples(text), try samples(words))
        let path = try sounds.file("microphone.raw", silence(1) + spoken + silence(1))
        return Sound(path: path, spoken: spoken, others: others)
    }

    @Test func everythingThatAPersonDoesAtTheMicrophone() async throws {
        let next = try await parley.run("cues", "next", "--language", "en", "--json")
        let cues = try #require(next.event("page")?["cues"] as? [[String: Any]])
        let text = try #require(cues.first?["text"] as? String)
        let sound = try sound(text, besides: "purple elephants never whistle")
        let microphone = try await FileMicrophone(hearing: sound.path, home: parley.folder)
        let terminal = try TerminalRun(
            [ParleyProcess.executable, "practice", "--language", "en", "--device", FileMicrophone.device],
            environment: parley.environment)
        try await terminal.shows(text)
        try await terminal.shows("Enter record")
        try await record(sound, at: terminal, with: microphone)
        try terminal.type("p")
        try await terminal.shows("playing 0:01")
        // To its end.
        try await terminal.shows("p play")
        try terminal.type("\r")
        try await terminal.shows("5 of 5 words right")
        try await terminal.shows("Kept.")
        try terminal.type("q")
        #expect(await terminal.code() == 0, "\(terminal.text)")
        try await expectStored(text)
        try await expectHeard(sound, by: microphone)
    }

    /// A beginning, and then the whole again, with a rest in which somebody else speaks.
    private func record(_ sound: Sound, at terminal: TerminalRun, with microphone: FileMicrophone) async throws {
        try terminal.type("\r")
        try await terminal.shows("● 0:01.")
        try await terminal.shows("███")
        try terminal.type("\r")
        try await terminal.shows("recorded.")
        try await terminal.shows("r again")
        try terminal.type("r")
        try await terminal.shows("● 0:0\(sound.end).")
        try terminal.type(" ")
        try await terminal.shows("space go on")
        // The level goes on: the others begin, and end.
        try microphone.hear(sound.others + Data(count: 2 * FileMicrophone.sampleRate))
        try await terminal.shows("██████")
        try await terminal.shows("-99.9 dBFS")
        try terminal.type(" ")
        try await terminal.shows("space rest")
        try await terminal.shows("dBFS, peak")
        try terminal.type("\r")
        try await terminal.shows("recorded.")
        try await terminal.shows("p play")
    }

    private func expectStored(_ text: String) async throws {
        let results = try await parley.run("progress", "--list", "--json").events
        #expect(results.count == 1 && results.first?["text"] as? String == text)
        let evaluation = try #require(results.first?["evaluation"] as? [String: Any])
        let words = try #require(evaluation["words"] as? [[String: String]])
        #expect(words.count == 5 && words.allSatisfy { $0["verdict"] == "right" }, "\(words)")
    }

    /// What is stored and what was played have the spoken words in them sample by sample, and nothing of the others'.
    private func expectHeard(_ sound: Sound, by microphone: FileMicrophone) async throws {
        let recordings = try await parley.run("recordings", "list", "--json").events
        #expect(recordings.count == 1, "what was done again is gone")
        let id = try #require(recordings.first?["id"] as? String)
        let file = parley.path("kept.wav")
        #expect(try await parley.run("recordings", "export", id, file).code == 0)
        let middle = sound.others.dropFirst(sound.others.count / 2).prefix(20_000)
        for (place, bytes) in [
            ("stored", try Data(contentsOf: URL(filePath: file))), ("played", try microphone.heard()),
        ] {
            #expect(bytes.range(of: sound.spoken) != nil, "\(place)")
            #expect(bytes.range(of: middle) == nil, "\(place)")
        }
    }
}

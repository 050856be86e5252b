// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@Suite struct AudioCommandTests {
    private let parley: ParleyProcess
    private let sample = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Apps/parley/Samples/capital-of-texas.wav").path

    init() throws { parley = try ParleyProcess() }

    @Test func saysWhereSomebodySpeaks() async throws {
        let result = try await parley.run("audio", "vad", sample, "--detector", "spectral", "--json")
        #expect(result.code == 0)
        let object = try #require(result.events.first)
        #expect(object["detector"] as? String == "spectral")
        let speech = try #require(object["speech"] as? [[String: Double]])
        #expect(speech.count == 1)
        #expect((speech[0]["end"] ?? 0) - (speech[0]["start"] ?? 0) > 0.8)
    }

    @Test func writesAProbabilityForEachHundredthOfASecond() async throws {
        let result = try await parley.run("audio", "vad", sample, "--detector", "spectral", "--probabilities")
        #expect(result.code == 0)
        let values = result.output.split(separator: "\n").compactMap { Double($0) }
        let size = try FileManager.default.attributesOfItem(atPath: sample)[.size] as? Int ?? 0
        #expect(abs(values.count - (size - 44) / 2 / 160) <= 1)
        #expect(values.allSatisfy { (0...1).contains($0) })
        #expect(values.contains { $0 > 0.9 })
    }

    @Test func recordsAndPlaysBack() async throws {
        let (recording, played) = (parley.path("r.wav"), parley.path("p.wav"))
        let record = try await parley.run(
            "record", recording, "--input", sample, "--seconds", "1", "--rate", "16000", "--picture",
            parley.path("r.svg"), "--json")
        #expect(record.code == 0)
        #expect(record.events.first?["seconds"] as? Double == 1)
        let sound = try Data(contentsOf: URL(filePath: recording)).dropFirst(44)
        #expect(sound == (try Data(contentsOf: URL(filePath: sample))).dropFirst(44).prefix(32_000))
        #expect(try String(contentsOfFile: parley.path("r.svg"), encoding: .utf8).contains("<polygon"))

        let again = try await parley.run("record", recording, "--input", sample, "--seconds", "1", "--json")
        #expect(again.code != 0, "a recording is not replaced unless that is asked for")
        #expect(again.output.contains("or add --overwrite"), "\(again.output)")

        let png = parley.path("p.png")
        let play = try await parley.run("play", recording, "--output", played, "--picture", png, "--json")
        #expect(play.code == 0)
        #expect(try Data(contentsOf: URL(filePath: png)).starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(play.events.first?["heard"] as? Double == 1)
        #expect(try Data(contentsOf: URL(filePath: played)).dropFirst(44) == sound)
    }

    @Test func `a recorded file keeps its length`() async throws {
        let recording = parley.path("r.wav")
        let result = try await parley.run("record", recording, "--input", sample, "--rate", "16000")
        #expect(result.code == 0, "\(result.errors)")
        #expect(try Data(contentsOf: URL(filePath: recording)) == (try Data(contentsOf: URL(filePath: sample))))
    }

    @Test func `a file is not played into itself`() async throws {
        let recording = URL(filePath: parley.path("r.wav"))
        let sound = try Data(contentsOf: URL(filePath: sample))
        try sound.write(to: recording)
        let play = try await parley.run("play", recording.path, "--output", recording.path)
        #expect(play.code == 6 && play.errors.contains("would be overwritten"), "\(play.errors)")
        #expect(try Data(contentsOf: recording) == sound)
    }

    @Test(arguments: ["record r.wav --input", "play --output p.wav"])
    func `lines of a script pause nothing and stay there`(command: String) async throws {
        let script = "cd && { \"$0\" \(command) \"$1\" --json && cat; }"
        let result = try await parley.run(sample, input: "x\n", through: ["sh", "-c", script])
        #expect(result.code == 0, "\(result.errors)")
        let event = try #require(result.events.first)
        #expect((event["seconds"] ?? event["heard"]) as? Double ?? 0 > 1, "\(event)")
        #expect(result.output.hasSuffix("\nx\n"), "\(result.output)")
    }

    @Test func `Ctrl-C takes the status line away`() async throws {
        let silence = parley.path("silence.wav")
        try WAVSilence.write(seconds: 600, to: silence)
        let run = try TerminalRun(
            [ParleyProcess.executable, "play", silence, "--output", parley.path("p.wav")],
            environment: parley.environment)
        try await run.shows("play 0:00")
        try run.type("\u{3}")
        try await run.shows("\r\u{1B}[K")
        try await run.shows("Interrupted.")
        #expect(await run.code() == 130)
    }

    @Test func `the level fits a narrow terminal`() async throws {
        for words in [
            ["play", sample, "--output", parley.path("p.wav")], ["record", parley.path("r.wav"), "--input", sample],
            ["audio", "meter", "--input", sample],
        ] {
            let run = try TerminalRun(
                [ParleyProcess.executable] + words, environment: parley.environment, size: (columns: 40, rows: 20))
            try await run.shows("dBFS")
            #expect(await run.code() == 0, "\(run.text)")
        }
    }

    @Test func aPictureOfAnUnknownKindIsRefusedBeforeAnythingIsRecorded() async throws {
        let recording = parley.path("r.wav")
        let result = try await parley.run("record", recording, "--input", sample, "--picture", parley.path("r.jpg"))
        #expect(result.code == 2)
        #expect(result.errors.contains(".png or .svg"))
        #expect(!FileManager.default.fileExists(atPath: recording))
    }

    @Test func measuresTheLevel() async throws {
        let result = try await parley.run("audio", "meter", "--input", sample, "--seconds", "1", "--json")
        #expect(result.code == 0)
        let peaks = result.events.compactMap { $0["peak"] as? Double }
        #expect(peaks.count == 10)
        #expect(peaks.contains { $0 > -30 })
    }

    @Test func saysWhatToDoWithWhatIsNoSound() async throws {
        let text = parley.path("text.wav")
        try Data("no sound".utf8).write(to: URL(filePath: text))
        for result in [try await parley.run("audio", "vad", text), try await parley.run("play", text)] {
            #expect(result.code == 6)
            #expect(result.errors.contains("text.wav"))
        }
    }

    @Test func saysWhatIsWrongWithADevice() async throws {
        let result = try await parley.run("audio", "doctor", "--device", "hw:31", "--json")
        #expect(result.code == 4)
        #expect(result.events.compactMap { $0["direction"] as? String } == ["capture", "playback"])
        for event in result.events {
            let problems = try #require(event["problems"] as? [[String: String]])
            #expect(problems.first?["code"] == "notFound")
        }
        #expect(try await parley.run("audio", "doctor", "--device", "null").code == 0)
    }

    @Test func measuresTheRoundTrip() async throws {
        let result = try await parley.run("audio", "loopback", "--virtual", "--rounds", "1", "--json")
        #expect(result.code == 0)
        #expect((result.events.first?["milliseconds"] as? Double).map { $0 > 0 && $0 < 500 } == true)
        let text = try await parley.run("audio", "loopback", "--virtual", "--rounds", "1")
        #expect(text.output.contains(" in 1 round; "), "\(text.output)")
    }
}

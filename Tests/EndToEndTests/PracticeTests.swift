// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// Practising as a person does it, at a terminal, with a voice from a file.
@Suite(.timeLimit(.minutes(5))) struct PracticeTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    /// The first English cue, and a file in which somebody says it.
    private func firstCue() async throws -> (text: String, sound: String) {
        let result = try await parley.run("cues", "next", "--language", "en", "--json")
        try #require(result.code == 0, "\(result.errors)")
        let cues = try #require(result.event("page")?["cues"] as? [[String: Any]])
        let text = try #require(cues.first?["text"] as? String)
        return (text, try SoundFixtures(folder: parley.folder).speech(text))
    }

    private func practise(_ arguments: String...) throws -> TerminalRun {
        try TerminalRun(
            [ParleyProcess.executable, "practice", "--language", "en"] + arguments, environment: parley.environment)
    }

    @Test func recordHearKeepAndSeeHowItWent() async throws {
        let (text, sound) = try await firstCue()
        let heard = parley.path("heard.wav")
        let terminal = try practise("--input", sound, "--output", heard)
        try await terminal.shows(text)
        try await terminal.shows("Enter record")
        try terminal.type("\r")
        // The file ends, and the recording with it.
        try await terminal.shows("recorded.")
        try await terminal.shows("Enter keep")
        try terminal.type("p")
        try await terminal.shows("playing")
        try await terminal.shows("Enter keep")
        try terminal.type("\r")
        try await terminal.shows("words right")
        try await terminal.shows("Kept.")
        try terminal.type("q")
        #expect(await terminal.code() == 0, "\(terminal.text)")

        let results = try await parley.run("progress", "--list", "--json").events
        #expect(results.count == 1)
        #expect(results.first?["text"] as? String == text)
        let evaluation = try #require(results.first?["evaluation"] as? [String: Any])
        #expect(try #require(evaluation["accuracy"] as? Double) > 0.5)
        #expect(evaluation["source"] as? String == "device")
        let plot = try await parley.run("progress")
        #expect(plot.output.contains("1 time on 1 day; 1 day in a row"), "\(plot.output)")
        #expect(plot.output.contains("\n  1 of 180 cues practised\n"), "\(plot.output)")
        let counts = try await parley.run("progress", "--language", "de", "--json").events.first
        #expect(counts?["practised"] as? Int == 0 && counts?["cues"] as? Int == 30, "\(counts ?? [:])")
        let page = try await parley.run("cues", "list", "--language", "en", "--json").event("page")
        let cues = try #require(page?["cues"] as? [[String: Any]])
        #expect(cues.compactMap { $0["practised"] as? Bool } == [true] + cues.dropFirst().map { _ in false })
        let list = try await parley.run("cues", "list")
        #expect(list.output.split(separator: "\n").filter { $0.contains(" ✓ ") }.map { $0.hasSuffix(text) } == [true])
        try await exportsWhatWasSaid(sound)
    }

    /// The exported sound is the sound that was said, sample by sample, where FLAC keeps it.
    private func exportsWhatWasSaid(_ sound: String) async throws {
        let recordings = try await parley.run("recordings", "list", "--json").events
        let id = try #require(recordings.first?["id"] as? String)
        #expect(recordings.first?["isSent"] as? Bool == false, "there is no account to which it could be sent")
        let file = parley.path("export.wav")
        let exported = try await parley.run("recordings", "export", String(id.prefix(8)), file)
        #expect(exported.code == 0, "\(exported.errors)")
        let said = try #require(recordings.first?["seconds"] as? Double)
        let (original, copy) = (try size(of: sound), try size(of: file))
        #expect(said > 0.5 && copy > original, "48 kHz of a file with 16 kHz")
        // Nothing of the sound is readable on the disk.
        let sealed = try FileManager.default.contentsOfDirectory(atPath: parley.path("home/data/recordings"))
        #expect(sealed.count == 1)
        let bytes = try Data(contentsOf: URL(filePath: parley.path("home/data/recordings/" + sealed[0])))
        #expect(bytes.range(of: Data("fLaC".utf8)) == nil)

        #expect(try await parley.run("recordings", "delete", String(id.prefix(8))).code == 0)
        #expect(try await parley.run("recordings", "list", "--json").events.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: parley.path("home/data/recordings")).isEmpty)
        #expect(try await parley.run("recordings", "play", String(id.prefix(8))).code == 3, "it is not there any more")
    }

    private func size(of path: String) throws -> Int { try Data(contentsOf: URL(filePath: path)).count }

    @Test func whatIsNotKeptLeavesNothing() async throws {
        let (_, sound) = try await firstCue()
        let terminal = try practise("--input", sound, "--format", "opus", "--rate", "16000")
        try await terminal.shows("Enter record")
        try terminal.type("r")
        try await terminal.shows("recorded.")
        try terminal.type("q")
        try await terminal.shows("not kept. Press q again")
        try terminal.type("x")
        try await terminal.shows("Enter record")
        try terminal.type("\u{4}")
        #expect(await terminal.code() == 0, "\(terminal.text)")
        #expect(try await parley.run("recordings", "list", "--json").events.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: parley.path("home/data/recordings")).isEmpty)
    }

    @Test func aKeyThatIsGoneIsNotReplaced() async throws {
        let (_, sound) = try await firstCue()
        let terminal = try practise("--input", sound)
        try await terminal.keepsOneRecording()
        let (secrets, aside) = (parley.path("home/data/secrets.sealed"), parley.path("aside"))
        try FileManager.default.moveItem(atPath: secrets, toPath: aside)
        let refused = try await parley.run("practice", "--language", "en", "--input", sound, input: "q\n")
        #expect(refused.code == 6 && refused.errors.contains("key of the recordings"), "\(refused.errors)")
        if FileManager.default.fileExists(atPath: secrets) { try FileManager.default.removeItem(atPath: secrets) }
        try FileManager.default.moveItem(atPath: aside, toPath: secrets)
        let recordings = try await parley.run("recordings", "list", "--json").events
        let id = try #require(recordings.first?["id"] as? String)
        #expect(try await parley.run("recordings", "export", id, parley.path("kept.wav")).code == 0)
    }

    @Test func `each n shows another cue`() async throws {
        let (_, sound) = try await firstCue()
        let result = try await parley.run(
            "practice", "--language", "en", "--input", sound, "--json", input: "n\nn\nn\n")
        let shown = result.events.filter { $0["state"] as? String == "viewing" }.compactMap { $0["cue"] as? String }
        #expect(shown.count == 4 && Set(shown).count == 4, "\(result)")
    }

    @Test func anInterruptionGivesTheTerminalBack() async throws {
        let (_, sound) = try await firstCue()
        let terminal = try practise("--input", sound)
        try await terminal.shows("Enter record")
        try terminal.type("\u{3}")
        #expect(await terminal.code() == 130, "\(terminal.text)")
    }

    @Test func cuesAreListedInPagesWithoutAnAccount() async throws {
        let first = try await parley.run("cues", "list", "--language", "de", "--limit", "5", "--json")
        let page = try #require(first.event("page"))
        let cues = try #require(page["cues"] as? [[String: Any]])
        #expect(cues.count == 5 && page["freshness"] as? String == "current")
        let place = try #require(page["next"] as? String)
        let second = try await parley.run(
            "cues", "list", "--language", "de", "--limit", "5", "--after", place, "--json")
        let more = try #require(second.event("page")?["cues"] as? [[String: Any]])
        #expect(Set(cues.compactMap { $0["id"] as? String }).isDisjoint(with: more.compactMap { $0["id"] as? String }))
    }

    @Test func wrongNamesAndPlacesSaySo() async throws {
        #expect(try await parley.run("cues", "list", "--language", "Deutsch!").code == 2)
        #expect(try await parley.run("cues", "list", "--after", "here").code == 2)
        #expect(try await parley.run("practice", "--rate", "44100").code == 2)
        #expect(try await parley.run("recordings", "play", "zz").code == 2)
        #expect(try await parley.run("recordings", "play", "abcdef").code == 3)
        #expect(try await parley.run("uploads", "send").code == 3, "nobody is signed in")
        #expect(try await parley.run("practice", "--language", "tlh", input: "q\n").code == 3, "no cue in Klingon")
    }

    @Test func flagsSayWhereTheyCameFrom() async throws {
        let flags = parley.path("flags.json")
        try Data(#"{"evaluationTimeLimit": 5}"#.utf8).write(to: URL(filePath: flags))
        let result = try await parley.run("flags", "--json", environment: ["PARLEY_FLAGS": flags])
        let values = Dictionary(
            result.events.map { ($0["name"] as? String ?? "", ($0["value"] as? String, $0["source"] as? String)) }
        ) { first, _ in first }
        #expect(values["evaluationTimeLimit"]?.0 == "5" && values["evaluationTimeLimit"]?.1 == "file")
        #expect(values["remoteEvaluation"]?.1 == "default")
        try Data("[]".utf8).write(to: URL(filePath: flags))
        #expect(try await parley.run("flags", environment: ["PARLEY_FLAGS": flags]).code == 6)
    }
}

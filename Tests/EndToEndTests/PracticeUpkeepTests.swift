// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// What practice leaves behind, and what is done about it.
@Suite(.timeLimit(.minutes(5))) struct PracticeUpkeepTests {
    private let parley: ParleyProcess
    private var folder: String { parley.path("home/data/recordings") }

    init() throws { parley = try ParleyProcess() }

    /// Practises the first English cue, and kills the program in the middle of the recording.
    private func crash() async throws -> String {
        let next = try await parley.run("cues", "next", "--language", "en", "--json")
        let cue = try #require((next.event("page")?["cues"] as? [[String: Any]])?.first)
        let sound = try SoundFixtures(folder: parley.folder).speech(
            String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 12))
        let before = Set(sealed())
        let listed = try await parley.run("recordings", "list", "--json").events.count
        let running = try parley.start(["practice", "--language", "en", "--input", sound, "--json"])
        running.write("\n")
        try await eventually {
            try #require(running.isRunning)
            return sealed().filter { !before.contains($0) }.compactMap { size(of: $0) }.max() ?? 0 >= 100_000
        }
        // In use: nobody else may touch it.
        #expect(try await parley.run("recordings", "list", "--json").events.count == listed)
        running.kill()
        _ = await running.finished()
        return try #require(cue["id"] as? String)
    }

    private func sealed() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".sealed") }
    }

    private func size(of name: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: folder + "/" + name))?[.size] as? Int
    }

    @Test func whatAKillLeftIsListedExportedKeptAndDeleted() async throws {
        let cue = try await crash()
        let listed = try await parley.run("recordings", "list", "--json").events
        #expect(listed.count == 1 && listed[0]["isFinished"] as? Bool == false && listed[0]["cue"] as? String == cue)
        #expect(try #require(listed[0]["seconds"] as? Double) > 0.5)
        let name = String(try #require(listed[0]["id"] as? String).prefix(8))
        let shown = try await parley.run("recordings", "list")
        #expect(shown.output.contains("(not finished)") && shown.errors.contains("recover"), "\(shown.output)")

        let exported = try await parley.run("recordings", "export", name, parley.path("left.wav"))
        #expect(exported.code == 0, "\(exported.errors)")
        #expect(try Data(contentsOf: URL(filePath: parley.path("left.wav"))).count > 48_000)
        let played = try await parley.run("recordings", "play", name, "--output", parley.path("played.wav"))
        #expect(played.code == 0, "\(played.errors)")
        let recovered = try await parley.run("recordings", "recover", name)
        #expect(recovered.code == 0 && recovered.output.hasPrefix("Kept \(name)"), "\(recovered.errors)")
        let kept = try await parley.run("recordings", "list", "--json").events
        #expect(kept.count == 1 && kept[0]["isFinished"] == nil && kept[0]["cue"] as? String == cue)

        _ = try await crash()
        let left = try await parley.run("recordings", "list", "--json").events.last?["id"] as? String
        #expect(try await parley.run("recordings", "delete", try #require(left)).code == 0)
        #expect(sealed().count == 1)
        #expect(try await parley.run("recordings", "recover", try #require(left)).code == 3)
    }

    @Test func theLimitIsKeptAndSaysWhatItDeletes() async throws {
        #expect(try await parley.run("recordings", "limit").output == "Every recording is kept.\n")
        for wrong in [["--none", "--days", "3"], ["--unsent"], ["--count", "0"]] {
            let running = try parley.start(["recordings", "limit"] + wrong)
            #expect(await running.finished().code == 2, "\(wrong)")
        }
        _ = try await crash()
        let first = try #require(try await parley.run("recordings", "list", "--json").events.first?["id"] as? String)
        _ = try await parley.run("recordings", "recover", first)
        _ = try await crash()
        let ids = try await parley.run("recordings", "list", "--json").events.compactMap { $0["id"] as? String }
        let second = try #require(ids.first { $0 != first })
        _ = try await parley.run("recordings", "recover", second)

        _ = try await parley.run("recordings", "limit", "--count", "1")
        #expect(try await parley.run("recordings", "list", "--json").events.count == 2, "no server has them")
        _ = try await parley.run("recordings", "limit", "--count", "1", "--unsent")
        let listed = try await parley.run("recordings", "list", "--json").events
        #expect(listed.first?["expired"] as? String == first && listed.count == 2)
        #expect(listed.last?["id"] as? String == second && sealed() == ["\(second).sealed"])
        #expect(try await parley.run("recordings", "limit", "--none").output == "Every recording is kept.\n")
    }

    @Test func aDamagedPracticeFileIsFoundAndRepaired() async throws {
        func finding() async throws -> [String: Any]? {
            let output = try await parley.run("doctor", "--json").events.first?["findings"] as? [[String: Any]]
            return output?.first { $0["name"] as? String == "Practice" }
        }
        #expect(try await finding()?["status"] as? String == "works", "there is nothing yet")
        #expect(
            try await parley.run("practice", "repair").output == "The practice file is sound. Nothing was changed.\n")
        _ = try await parley.run("practice", "--offline", "--input", "/nowhere.wav")
        #expect(try await finding()?["status"] as? String == "works")
        let sound = try await parley.run("practice", "repair", "--json")
        #expect(sound.events.first?["damaged"] as? Bool == false)

        // A page in the middle is written over.
        let path = parley.path("home/data/practice.sqlite")
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: 8 * 4_096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: 16 * 4_096))
        try file.close()
        let broken = try #require(try await finding())
        #expect(broken["status"] as? String == "broken", "\(broken)")
        #expect((broken["advice"] as? String)?.contains("parley practice repair") == true, "\(broken)")
        let repaired = try await parley.run("practice", "repair", "--json")
        #expect(repaired.code == 0 && repaired.events.first?["damaged"] as? Bool == true, "\(repaired.errors)")
        #expect(try await finding()?["status"] as? String == "works")
        #expect(try await parley.run("cues", "list", "--language", "en").code == 0)
    }
}

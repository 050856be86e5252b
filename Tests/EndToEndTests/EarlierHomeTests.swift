// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// A home folder that an earlier version wrote (Fixtures/README.md) is read, and migrated in place.
@Suite(.timeLimit(.minutes(5))) struct EarlierHomeTests {
    private let parley: ParleyProcess

    init() throws {
        parley = try ParleyProcess()
        let home = parley.path("home")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let archive = URL(filePath: #filePath).deletingLastPathComponent().path + "/Fixtures/earlier-home.tar.gz"
        let unpacked = try ChildProcess("tar", ["xzf", archive, "-C", home], errors: .captured).finish()
        try #require(unpacked.code == 0, "\(unpacked.errors)")
    }

    /// The output of a command that must succeed.
    private func output(_ arguments: String...) async throws -> String {
        let result = try await parley.start(arguments).finished()
        #expect(result.code == 0, "\(arguments): \(result.errors)")
        return result.output
    }

    private func objects(_ arguments: String...) async throws -> [[String: Any]] {
        let result = try await parley.start(arguments + ["--json"]).finished()
        #expect(result.code == 0, "\(arguments): \(result.errors)")
        return result.events
    }

    private func files() throws -> Set<String> {
        Set(try parley.files(below: "home").filter { !$0.hasPrefix("data/logs/") })
    }

    @Test func `history, search and further questions work`() async throws {
        let page = try #require(try await objects("history").first?["messages"] as? [[String: Any]])
        let texts = page.compactMap { $0["text"] as? String }
        #expect(texts.count == 4 && texts[0] == "What is the capital of Texas?" && texts[1].contains("Austin"))
        #expect(texts[3].contains("ardinal"), "\(texts)")
        #expect(try await output("history", "search", "Ohio").contains("bird of Ohio"))
        #expect(try await output("ask", "What is the capital of Ohio?").contains("Columbus"))
        let more = try #require(try await objects("history").first?["messages"] as? [[String: Any]])
        #expect(more.count == 6)
    }

    @Test func `results, cues and recordings are there`() async throws {
        let result = try #require(try await objects("progress", "--list").first)
        let evaluation = try #require(result["evaluation"] as? [String: Any])
        #expect(result["text"] as? String == "Good morning! How are you?")
        #expect(evaluation["accuracy"] as? Double == 1 && (evaluation["words"] as? [Any])?.count == 5)
        let cues = try #require(
            try await objects("cues", "list", "--language", "en").first?["cues"] as? [[String: Any]])
        #expect(cues.contains { $0["text"] as? String == "Good morning! How are you?" })
        let recording = try #require(try await objects("recordings", "list").first)
        let id = try #require(recording["id"] as? String)
        // The key of the recordings is one of the secrets.
        _ = try await output("recordings", "export", id, parley.path("export.flac"))
        let sound = try Data(contentsOf: URL(filePath: parley.path("export.flac")))
        #expect(sound.starts(with: Data("fLaC".utf8)))
        _ = try await output("recordings", "delete", String(id.prefix(8)))
        #expect(try await objects("recordings", "list").isEmpty)
    }

    @Test func `settings, secrets and pins are kept`() async throws {
        #expect(try await output("secrets", "get", "elevenlabs/default", "--store", "file") == "earlier-secret")
        #expect(try await objects("recordings", "limit").first?["days"] as? Int == 3_650)
        let pin = try #require(try await objects("trust", "list").first)
        #expect(pin["host"] as? String == "example.org")
        #expect(pin["keys"] as? [String] == ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="])
        let server = try #require(try await objects("mcp", "list").first)
        #expect(server["name"] as? String == "tools" && server["target"] as? String == "/usr/bin/true --flag")
        #expect(try await output("privacy").contains("conversations.sqlite"))
    }

    @Test func `migrating leaves nothing behind`() async throws {
        let before = try files()
        #expect(try await output("history", "repair").contains("sound"))
        #expect(try await output("practice", "repair").contains("sound"))
        _ = try await objects("history")
        _ = try await objects("progress", "--list")
        _ = try await output("secrets", "list", "--store", "file")
        #expect(try files() == before, "no file is set aside, left over or missing")
        // The tables are those of a home that this version makes.
        let fresh = try ParleyProcess()
        try await practise(fresh)
        for name in ["conversations", "practice"] {
            let (migrated, new) = (try schema(of: name, in: parley), try schema(of: name, in: fresh))
            #expect(!new.isEmpty && migrated == new, "\(name)")
        }
    }

    /// Makes both databases of a home.
    private func practise(_ parley: ParleyProcess) async throws {
        #expect(try await parley.run("ask", "What is the capital of Texas?").code == 0)
        let sound = try SoundFixtures(folder: parley.folder).speech("Good morning! How are you?")
        let terminal = try TerminalRun(
            [ParleyProcess.executable, "practice", "--language", "en", "--input", sound]
                + ["--output", parley.path("heard.wav")],
            environment: parley.environment)
        try await terminal.keepsOneRecording()
    }

    /// The tables, indexes and triggers of a database, and the migrations that made them.
    private func schema(of name: String, in parley: ParleyProcess) throws -> String {
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            for row in sorted(database.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master")): print(*row)
            """
        let result = try ChildProcess(
            "/usr/bin/python3", ["-c", script, parley.path("home/data/\(name).sqlite")], errors: .captured
        ).finish()
        try #require(result.code == 0, "\(result.errors)")
        return result.output
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestKit
import Testing

/// `parley diagnostics export`: the archive has what helps, and nothing of the person.
@Suite(.timeLimit(.minutes(10))) struct DiagnosticsTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    /// A home in which everything that a person can say, type, name or keep secret is "planted", in every store.
    private func plant() async throws {
        let runs: [(words: [String], input: String?, code: Int32)] = [
            (["ask", "What is the capital of Texas?"], nil, 0), (["ask", "Who planted the capital of Ohio?"], nil, 3),
            (["secrets", "set", "planted", "--store", "file"], "sk-planted-secret", 0),
            (["settings", "set", "wake-word", "hey planted"], nil, 0),
            (["settings", "set", "base-url", "http://planted.invalid/v1"], nil, 0),
            (["settings", "set", "voice", "rms"], nil, 0),
            (["prompts", "add", "planted"], "You are planted.", 0),
            (["assistant", "add", "planted", "--base-url", "http://127.0.0.1:9/v1", "--model", "planted"], nil, 0),
            (["assistant", "use", "planted"], nil, 0),
        ]
        for run in runs {
            let running = try parley.start(run.words)
            running.write(run.input ?? "")
            let result = await running.finished()
            try #require(result.code == run.code, "\(run.words): \(result)")
        }
        for name in [
            "data/chat-inputs", "data/uploads/planted/one.json", "data/planted.txt", "data/recordings/planted.sealed",
            "data/conversations.sqlite.damaged-planted", "data/logs/planted.log", "data/crashes/crash-1-2.report",
            "data/sync.sqlite", "data/answers.sqlite", "config/account.json", "config/sync.json", "config/mcp.json",
            "config/trust.json", "config/context.json",
        ] {
            let path = parley.path("home/" + name)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data("planted".utf8).write(to: URL(filePath: path))
        }
    }

    /// The unpacked files by their names.
    private func unpacked(_ archive: String) async throws -> [String: Data] {
        let tested = await (try ChildProcess("/usr/bin/unzip", ["-tqq", archive], errors: .captured)).finished()
        #expect(tested.code == 0, "\(tested)")
        let target = parley.path("unpacked")
        let script = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])"
        try SoundFixtures.tool("/usr/bin/python3", ["-c", script, archive, target])
        let names = try FileManager.default.subpathsOfDirectory(atPath: target)
        let files = names.compactMap { name in
            FileManager.default.contents(atPath: target + "/" + name).map {
                (name.replacing("parley-diagnostics/", with: ""), $0)
            }
        }
        return Dictionary(uniqueKeysWithValues: files)
    }

    @Test func `nothing planted is in the archive, and what helps is`() async throws {
        try await plant()
        let crashed = try await crash()
        let archive = parley.path("a.zip")
        let result = try await parley.run("diagnostics", "export", archive, "--yes")
        #expect(result.code == 0 && result.output.contains("doctor.json"), "\(result)")
        #expect(try FileManager.default.attributesOfItem(atPath: archive)[.posixPermissions] as? Int == 0o600)
        let files = try await unpacked(archive)
        for (name, bytes) in files {
            let text = String(decoding: bytes, as: UTF8.self)
            for word in ["planted", "capital", "Texas", "Austin", parley.folder] {
                #expect(!text.lowercased().contains(word.lowercased()), "\(word) in \(name):\n\(text)")
            }
            if name.hasSuffix(".json") { _ = try JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed) }
        }
        let readMe = String(decoding: try #require(files["README.txt"]), as: UTF8.self)
        for name in files.keys where name != "README.txt" { #expect(readMe.contains(name), "\(name)") }
        #expect(files.keys.contains("crashes/\(crashed).txt"), "\(files.keys)")
        func list(_ name: String) throws -> [[String: Any]] {
            try JSONSerialization.jsonObject(with: try #require(files[name])) as? [[String: Any]] ?? []
        }
        let settings = try list("settings.json")
        func setting(_ name: String) -> [String: Any]? { settings.first { $0["name"] as? String == name } }
        #expect(setting("voice")?["value"] as? String == "rms")
        #expect(setting("wake-word")?["origin"] as? String == "stored" && setting("wake-word")?["value"] == nil)
        let database = try list("files.json").first { $0["name"] as? String == "conversations.sqlite" }
        #expect(database?["modes"] as? [String] == ["0600"] && (database?["schema"] as? Int ?? 0) > 0)
        let checks = try list("doctor.json")
        #expect(checks.contains { ($0["detail"] as? String)?.hasPrefix("PocketSphinx") == true }, "\(checks)")
        #expect(checks.contains { $0["check"] as? String == "Model" && $0["status"] as? String == "broken" })
        let counts = try JSONSerialization.jsonObject(with: try #require(files["statistics.json"])) as? [String: Any]
        #expect(counts?["questions"] as? Int == 3)
        let version = try JSONSerialization.jsonObject(with: try #require(files["version.json"])) as? [String: Any]
        #expect((version?["buildID"] as? String)?.count == 40, "\(version ?? [:])")
    }

    /// Crashes the program at its prompt; the id of the report.
    private func crash() async throws -> String {
        let environment = parley.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let running = try ChildProcess(
            ParleyProcess.executable, ["ask"], environment: .only(environment), input: .terminal)
        _ = await running.detached { child in
            child.write("What is the capital of Texas?\r")
            _ = child.text(until: "Austin")
            child.kill(SIGSEGV)
            _ = child.text(until: "\0")
            return child.finish()
        }
        let list = try await parley.run("crash", "list")
        return String(try #require(list.output.split(separator: " ").first))
    }

    @Test func `the list comes before the question, and no leaves nothing`() async throws {
        let archive = parley.path("a.zip")
        let running = try ChildProcess(
            ParleyProcess.executable, ["diagnostics", "export", archive], environment: .only(parley.environment),
            input: .terminal)
        let (shown, result) = await running.detached { child in
            let shown = child.text(until: "Type \"yes\"")
            child.write("no\r")
            _ = child.text(until: "Nothing was written.")
            return (shown, child.finish())
        }
        #expect(shown.contains("README.txt") && shown.contains("log.jsonl"), "\(shown)")
        #expect(result.code == 3 && !FileManager.default.fileExists(atPath: archive))
        let piped = try await parley.run("diagnostics", "export", archive)
        #expect(piped.code != 0 && piped.errors.contains("--yes") && !FileManager.default.fileExists(atPath: archive))
    }

    @Test func `an existing file is never replaced`() async throws {
        let path = parley.path("a.zip")
        try Data("mine".utf8).write(to: URL(filePath: path))
        let result = try await parley.run("diagnostics", "export", path, "--yes")
        #expect(result.code == 6 && FileManager.default.contents(atPath: path) == Data("mine".utf8), "\(result)")
    }
}

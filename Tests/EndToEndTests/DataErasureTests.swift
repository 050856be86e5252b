// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// `parley data delete` leaves nothing of the person's, whatever lay there, and whenever it was broken off.
@Suite(.timeLimit(.minutes(5))) struct DataErasureTests {
    private let parley: ParleyProcess

    init() throws { parley = try ParleyProcess() }

    /// True for files that stay, as the help of parley data delete says: settings, and empty lock files.
    private static func mayStay(_ path: String) -> Bool {
        [
            "config/mcp.json", "config/recordings.json", "data/session.lock", "data/recordings.lock",
            "data/secrets.sealed.lock",
        ].contains(path)
    }

    /// The files below PARLEY_HOME, without its folders.
    private func files() throws -> [String] {
        try parley.files(below: "home")
    }

    /// A home with something of everything, found and unfound by rows.
    private func fill() async throws {
        let answered = try await parley.run("ask", "What is the capital of Texas?")
        try #require(answered.code == 0, "\(answered.errors)")
        try #require(try await parley.run("practice", "--offline", "--input", "/nowhere.wav").code == 6)
        try #require(try await parley.run("secrets", "set", "openai", "--store", "file", input: "key").code == 0)
        try #require(try await parley.run("settings", "set", "wake-word", "hey parley").code == 0)
        try #require(try await parley.run("recordings", "limit", "--days", "9").code == 0)
        for name in [
            "data/recordings/0a.sealed", "data/recordings/0b.sealed.part-7", "data/practice.sqlite.damaged-2026",
            "data/conversations.sqlite.damaged-2026-wal", "data/http-cache.sqlite", "data/vectors.sqlite",
            "data/uploads/ada/one.json", "data/chat-inputs", "data/something-of-a-newer-program",
            "data/crashes/crash-1790000000-17.report", "data/logs/parley.log", "data/logs/parley.log.1",
            "config/account.json.part-7", "config/mcp.json",
        ] {
            let path = parley.path("home/" + name)
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data(name.hasSuffix("mcp.json") ? "{}".utf8 : "planted".utf8).write(to: URL(filePath: path))
        }
    }

    @Test func `nothing but what is documented stays`() async throws {
        try await fill()
        // What opens the secrets is gone, too.
        try FileManager.default.removeItem(atPath: parley.path("home/config/secrets.key"))
        let deleted = try await parley.run("data", "delete", "--yes", "--json")
        #expect(deleted.code == 0, "\(deleted.output)\(deleted.errors)")
        let counts = deleted.events.first?["counts"] as? [String: Int]
        #expect(counts?["sounds"] == 2 && counts?["messages"] == 2, "\(deleted.output)")
        #expect(try files().filter { !Self.mayStay($0) } == [])
        let again = try await parley.run("data", "delete", "--yes")
        #expect(again.code == 0 && again.output.contains("nothing was left"), "\(again.output)\(again.errors)")
        #expect(try files().filter { !Self.mayStay($0) } == [], "a second run makes nothing, either")
        #expect(try await parley.run("history").output.isEmpty)
    }

    @Test func `killed at any instant, another run removes the rest`() async throws {
        let seed = UInt64.random(in: 1...999_999_999)
        var random = SeededGenerator(seed: seed)
        try await fill()
        var whole = try await KillableRun(["data", "delete", "--yes"], environment: parley.environment).finish(
            at: .never
        ).duration
        var kills = 0
        for round in 1...8 {
            try await fill()
            let share = Double.random(in: 0.2..<1, using: &random)
            let ending = try await KillableRun(["data", "delete", "--yes"], environment: parley.environment)
                .finish(at: .afterStart(whole * share))
            // A run that ended before its kill was quicker than those before it.
            if ending.isKilled { kills += 1 } else { whole = ending.duration }
            let again = try await parley.run("data", "delete", "--yes")
            #expect(again.code == 0, "seed \(seed), round \(round): \(again.errors)")
            #expect(try files().filter { !Self.mayStay($0) } == [], "seed \(seed), round \(round)")
        }
        print("data delete: \(kills) kills of 8, seed \(seed)")
        #expect(kills > 0, "seed \(seed)")
    }

    /// True if this user may make files immutable in the folder for temporary files.
    private static let canMakeImmutable: Bool = {
        guard let folder = try? TemporaryFolder(), (try? folder.write("", to: "file")) != nil else { return false }
        let file = folder.file("file")
        return ["+i", "-i"].allSatisfy { (try? SoundFixtures.tool("/usr/bin/chattr", [$0, file])) != nil }
    }()

    @Test(.enabled(if: canMakeImmutable, "no user but root makes files immutable, and not in every file system"))
    func `a file that cannot be removed is named, and the rest goes`() async throws {
        try await fill()
        let stuck = parley.path("home/data/recordings/0a.sealed")
        try SoundFixtures.tool("/usr/bin/chattr", ["+i", stuck])
        defer { try? SoundFixtures.tool("/usr/bin/chattr", ["-i", stuck]) }
        let deleted = try await parley.run("data", "delete", "--yes")
        #expect(deleted.code == 6 && deleted.errors.contains("cannot be removed"), "\(deleted.errors)")
        #expect(try files().filter { !Self.mayStay($0) } == ["data/recordings/0a.sealed"])
    }

    @Test func `a locked keyring keeps its secrets and nothing else`() async throws {
        try await fill()
        let result = try await parley.withKeyring(
            """
            printf 'ring value' | "$0" secrets set ring/one --store keyring
            dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets \\
                org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login
            code=0; "$0" data delete --yes </dev/null || code=$?
            echo "locked: $code"
            find "$PARLEY_HOME" -type f
            """)
        #expect(result.output.contains("locked: 6"), "\(result.output)\(result.errors)")
        #expect(result.errors.contains("keyring is locked"), "\(result.errors)")
        #expect(try files().filter { !Self.mayStay($0) } == [])
    }
}

// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Diagnostics
import Foundation
import HTTPServer
import Networking
import Persistence
import TestKit
import Testing

@testable import ParleyServer

/// Backups of a server that is in use, brought back into another home.
@Suite(.timeLimit(.minutes(5))) struct BackupTests {
    /// Results and recordings that the server has acknowledged.
    private struct Acknowledged: Sendable {
        var results: Set<String> = []
        var recordings: [String: SoundSample] = [:]
    }

    private final class Record: Sendable {
        let values = Guarded(Acknowledged())
    }

    /// Writes results and recordings until the task is cancelled.
    private static func load(
        _ fixture: ServerFixture, _ person: Person, _ known: Record, seed: UInt64
    ) async throws {
        var number = seed << 32
        while !Task.isCancelled {
            let id = UUID().uuidString.lowercased()
            let json =
                #"{"id":"\#(id)","cue":"11111111-2222-4333-8444-555555555555","cue_text":"words","language":"en","#
                + #""recording":null,"practised_at":"2026-01-31T12:00:00.000Z","day":"2026-01-31","rating":3,"#
                + #""evaluation":null}"#
            try #require(try await fixture.call(.put, "/practice/\(id)", as: person, json: json).status == 201)
            number += 1
            let sample = SoundSample(20_000, seed: number)
            try await fixture.upload(sample, as: person)
            known.values.withLock { known in
                known.results.insert(id)
                known.recordings[sample.id] = sample
            }
        }
    }

    @Test(arguments: [DatabaseKind.file, .postgres])
    func `a backup under load has all that was acknowledged`(kind: DatabaseKind) async throws {
        let url: String? = if kind == .postgres { try await DatabaseKind.newPostgresURL() } else { nil }
        let change: @Sendable (inout ServerOptions) -> Void = { options in
            (options.publicAddress, options.clock) = ("http://127.0.0.1:1", .system)
        }
        let fixture = try await ServerFixture { options in
            change(&options)
            options.database = url
        }
        let people = try await [fixture.signIn("ada@example.org"), fixture.signIn("bob@example.org")]
        let known = people.map { _ in Record() }
        let backup = fixture.home.path + "-backup"
        defer { try? FileManager.default.removeItem(atPath: backup) }
        let before = try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, person) in people.enumerated() {
                group.addTask { try await Self.load(fixture, person, known[number], seed: UInt64(number + 1)) }
            }
            try await eventually("five recordings of each") {
                known.allSatisfy { $0.values.withLock { $0.recordings.count } >= 5 }
            }
            let before = known.map { $0.values.withLock { $0 } }
            let database = url.map { ["--database", $0] } ?? []
            let run = try ServerProcess.run(["backup", backup, "--home", fixture.home.path] + database)
            #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(run.output.hasSuffix(" recordings\n") && !run.output.contains("missing"))
            group.cancelAll()
            // A request that was cancelled throws; what it had acknowledged counts.
            while let _ = try? await group.next() {}
            return before
        }
        await fixture.stop()

        let home = try TemporaryFolder()
        #expect(try ServerProcess.run(["restore", backup, "--home", home.path]).code == 0)
        let restored = try await ServerFixture(home: home, change)
        for (person, known) in zip(people, before) {
            for id in known.results {
                #expect(try await restored.call(.get, "/practice/\(id)", as: person).status == 200)
            }
            for (id, sample) in known.recordings {
                let answer = try await restored.call(.get, "/recordings/\(id)/content", as: person)
                #expect(answer.status == 200 && answer.body == sample.bytes)
            }
        }
        // Every row has its file, and every file its row.
        let stores = try await ServerFixture.stores(home.path)
        let names = try await Set(
            stores.storage.recordings.read { rows in
                try await rows.query(
                    "SELECT account || '/' || id FROM recording UNION SELECT account || '/' || id FROM upload",
                    as: String.self)
            })
        #expect(names == (try restored.soundFiles) && names.count >= 10)
        #expect(try await stores.storage.recordings.keepsRightUsage())
        await stores.storage.close()
        await restored.stop()
    }

    @Test func `a backup leaves out uploads and what was deleted`() async throws {
        let fixture = try await ServerFixture { $0.publicAddress = "http://127.0.0.1:1" }
        let ada = try await fixture.signIn("ada@example.org")
        let (kept, gone, begun) = (SoundSample(300), SoundSample(300, seed: 2), SoundSample(300, seed: 3))
        for sample in [kept, gone] { try await fixture.upload(sample, as: ada) }
        _ = try await fixture.create(begun, as: ada)
        // As a crash leaves it after the row and before the file, seen from the snapshot: the row is there, the file is not.
        let file = fixture.home.path + "/recordings/\(ada.account)/\(gone.id)"
        try FileManager.default.removeItem(atPath: file)
        // A place of its own: other backups look for leftovers, too.
        let place = try TemporaryFolder()
        let backup = place.file("backup")
        // Leftovers of killed backups, and folders that others fill or own.
        let dead = try ChildProcess("true", [])
        let number = dead.id
        _ = dead.finish()
        let leftovers = [
            "backup.partial-\(getpid())", "day.partial-\(number)", "night.partial-\(getpid())",
        ].map(place.file)
        let (elsewhere, foreign) = (place.file("other.partial-\(number)"), place.file("notes.partial-\(number)"))
        let staying = [elsewhere, foreign, place.file("backup.partial-\(getppid())"), place.file("partial-\(number)")]
        for path in leftovers + staying {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false,
                attributes: [.posixPermissions: path == foreign ? 0o755 : path == leftovers[1] ? 0o2700 : 0o700])
        }
        // As a process of another container has it, whose number means nothing here.
        let lock = try BackupFiles.lock(elsewhere)
        defer { close(lock) }
        #expect(throws: BackupError.system(elsewhere, EWOULDBLOCK)) { try BackupFiles.lock(elsewhere, orNone: true) }
        try Data("old".utf8).write(to: URL(filePath: leftovers[0] + "/server.sqlite"))
        let report = try await ServerBackup(of: fixture.home.path, to: backup).run()
        for path in leftovers { #expect(!FileManager.default.fileExists(atPath: path), "\(path)") }
        for path in staying { #expect(FileManager.default.fileExists(atPath: path), "\(path)") }
        #expect(BackupFiles.folders(of: ["a", "b/c", "d/e/f"]) == ["b", "d", "d/e"])
        #expect(report == .init(recordings: 1, missing: ["\(ada.account)/\(gone.id)"]))
        for name in try FileManager.default.subpathsOfDirectory(atPath: backup) {
            let attributes = try FileManager.default.attributesOfItem(atPath: backup + "/" + name)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(attributes[.posixPermissions] as? Int == (isFolder ? 0o700 : 0o600), "\(name)")
            #expect(!name.contains(begun.id) && !name.hasPrefix("mails"))
        }
        await #expect(throws: BackupError.exists(backup)) {
            try await ServerBackup(of: fixture.home.path, to: backup).run()
        }
        await fixture.stop()
        let home = try TemporaryFolder()
        #expect(try await ServerRestore(of: backup, to: home.path).run() > 5)
        let restored = try await ServerFixture(home: home) { $0.publicAddress = "http://127.0.0.1:1" }
        #expect(try await restored.call(.get, "/recordings/\(kept.id)/content", as: ada).body == kept.bytes)
        #expect(try await restored.head(begun.id, as: ada).status == 404)
        let stores = try await ServerFixture.stores(home.path)
        #expect(try await stores.recordings.totals() == (2, 0, 600))
        #expect(try await stores.storage.recordings.keepsRightUsage())
        await stores.storage.close()
        await restored.stop()
    }

    @Test func `the home of an earlier version is copied, and restored`() async throws {
        let fixture = try await ServerFixture { $0.publicAddress = "http://127.0.0.1:1" }
        let ada = try await fixture.signIn("ada@example.org")
        let sample = SoundSample(300)
        try await fixture.upload(sample, as: ada)
        await fixture.stop()
        let path = fixture.home.path + "/recordings.sqlite"
        let database = try await Database(at: path)
        try await database.write { connection in
            try connection.execute("DROP TABLE recording_usage")
            try connection.execute("DELETE FROM schema_migration WHERE name = 'usage of recordings'")
        }
        await database.close()
        let place = try TemporaryFolder()
        let report = try await ServerBackup(of: fixture.home.path, to: place.file("backup")).run()
        #expect(report == .init(recordings: 1, missing: []))
        let home = try TemporaryFolder()
        _ = try await ServerRestore(of: place.file("backup"), to: home.path).run()
        let restored = try await ServerFixture(home: home) { $0.publicAddress = "http://127.0.0.1:1" }
        #expect(try await restored.call(.get, "/recordings/\(sample.id)/content", as: ada).body == sample.bytes)
        let stores = try await ServerFixture.stores(home.path)
        #expect(try await stores.storage.recordings.keepsRightUsage())
        await stores.storage.close()
        await restored.stop()
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `a signal ends a backup without a trace`(signal: Int32) async throws {
        let fixture = try await ServerFixture()
        try await fixture.upload(SoundSample(300), as: fixture.signIn("ada@example.org"))
        await fixture.stop()
        // A bucket that never answers.
        let (calls, caller) = AsyncStream<Void>.makeStream()
        let never = Promise<Void>()
        let bucket = HTTPServer { _ in
            caller.yield()
            try await never.value()
            return ServerResponse(status: 404)
        }
        let address = try await bucket.start()
        let folder = try TemporaryFolder()
        let backup = try ChildProcess(
            ChildProcess.path(besideTests: "parley-server"),
            [
                "backup", folder.file("b1"), "--home", fixture.home.path,
                "--objects", "s3://bucket/x?endpoint=http://\(address)&region=x",
            ], environment: .adding(["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]), errors: .captured)
        for await _ in calls { break }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        backup.kill(signal)
        let result = backup.finish()
        #expect(result.end == .exited(128 + signal) && result.errors.isEmpty, "\(result.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        await bucket.stop(grace: .zero)
    }

    @Test func `a damaged backup is not restored`() async throws {
        let fixture = try await ServerFixture()
        let ada = try await fixture.signIn("ada@example.org")
        let sample = SoundSample(300)
        try await fixture.upload(sample, as: ada)
        let backup = fixture.home.path + "-backup"
        defer { try? FileManager.default.removeItem(atPath: backup) }
        _ = try await ServerBackup(of: fixture.home.path, to: backup).run()
        await fixture.stop()
        let home = try TemporaryFolder()
        func refusal() async throws -> BackupError? {
            do {
                _ = try await ServerRestore(of: backup, to: home.path).run()
                return nil
            } catch let error as BackupError {
                let names = try FileManager.default.contentsOfDirectory(atPath: home.path)
                #expect(Set(names).isSubset(of: HomeLock.names))
                return error
            }
        }
        let sound = "\(backup)/recordings/\(ada.account)/\(sample.id)"
        try Data(sample.bytes.dropLast()).write(to: URL(filePath: sound))
        #expect(try await refusal() == .damaged(sound))
        try FileManager.default.removeItem(atPath: sound)
        #expect(try await refusal() == .damaged(sound))
        try Data(sample.bytes).write(to: URL(filePath: sound))
        let list = backup + "/SHA256SUMS"
        let lines = try String(contentsOfFile: list, encoding: .utf8)
        let hostile = lines + String(repeating: "0", count: 64) + "  ../evil\n"
        try Data(hostile.utf8).write(to: URL(filePath: list))
        #expect(try await refusal() == .damaged(list))
        try FileManager.default.removeItem(atPath: list)
        #expect(try await refusal() == .notABackup(backup))
        try Data(lines.utf8).write(to: URL(filePath: list))
        #expect(try await refusal() == nil)
    }

    @Test func `a restoration goes into an empty home alone`() async throws {
        let home = try TemporaryFolder()
        let fixture = try await ServerFixture(home: home)
        let backup = home.path + "-backup"
        defer { try? FileManager.default.removeItem(atPath: backup) }
        _ = try await ServerBackup(of: home.path, to: backup).run()
        let run = try ServerProcess.run(["restore", backup, "--home", home.path])
        #expect(run.code == 6 && run.errors.contains("Another parley-server uses \(home.path)"))
        await fixture.stop()
        await #expect(throws: BackupError.homeHasData(home.path)) {
            try await ServerRestore(of: backup, to: home.path).run()
        }
        await #expect(throws: BackupError.notAHome("/proc")) {
            try await ServerBackup(of: "/proc", to: backup + "2").run()
        }
        // A restoration that was broken off: no server starts, and the next one begins anew.
        let other = try TemporaryFolder()
        for name in ["restoring", "server.sqlite"] {
            try Data("half".utf8).write(to: URL(filePath: other.path + "/" + name))
        }
        await #expect(throws: BackupError.restoreUnfinished(other.path)) { try await ServerFixture(home: other) }
        #expect(try await ServerRestore(of: backup, to: other.path).run() >= 5)
        let restored = try await ServerFixture(home: other)
        #expect(try await restored.get("/readyz").status == 200)
        await restored.stop()
    }
}

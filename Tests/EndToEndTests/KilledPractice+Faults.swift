// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

/// What the person finds afterwards.
extension KilledPractice {
    /// What is wrong on the device; empty when all is right.
    func faultsOnTheDevice() async throws -> [String] {
        var faults: [String] = []
        let results = try await items("progress", "--list", "--limit", "100000")
        let (names, used) = (
            results.compactMap { $0["id"] as? String }, results.compactMap { $0["recording"] as? String }
        )
        if Set(names).count != names.count { faults.append("a result is there twice") }
        if Set(used).count != used.count { faults.append("a recording has two results") }
        faults += acknowledged.subtracting(names).map { "the acknowledged result \($0) is lost" }
        // Whatever was seen once is promised.
        acknowledged.formUnion(names)
        let recordings = try await items("recordings", "list", "--limit", "100000").compactMap { $0["id"] as? String }
        if Set(recordings).count != recordings.count { faults.append("a recording is there twice") }
        faults += Set(used).subtracting(recordings).map { "the recording \($0) of a result is lost" }
        faults += try await faultsOfFiles(recordings)
        let stuck = try await items("uploads", "list").filter { $0["stage"] as? String == "is stuck" }
        faults += stuck.map { "stuck: \($0)" }
        return try await faults + Self.damage(of: fixture.parley.path("home/data/practice.sqlite"))
    }

    private func faultsOfFiles(_ recordings: [String]) async throws -> [String] {
        let folder = fixture.parley.path("home/data/recordings")
        let listed = Set(recordings.map { $0 + ".sealed" })
        let files = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
        var faults = listed.subtracting(files).map { "\($0) is listed and not there" }
        let others = files.subtracting(listed)
        guard !others.isEmpty else { return faults }
        // A recording that was killed before any sound of it was on the disk goes after an hour, and so must all others.
        for file in others {
            let old: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: -7_200)]
            try FileManager.default.setAttributes(old, ofItemAtPath: "\(folder)/\(file)")
        }
        _ = try await items("recordings", "list")
        let left = Set(try FileManager.default.contentsOfDirectory(atPath: folder)).subtracting(listed)
        faults += left.map { "\($0) is a file that no list shows and that stays" }
        return faults
    }

    /// Sends what waits, to the last of it, and what the crashes left of recordings.
    func sendEverything() async throws {
        let unfinished = try await items("recordings", "list", "--limit", "100000").filter {
            $0["isFinished"] as? Bool == false
        }
        for name in unfinished.compactMap({ $0["id"] as? String }) {
            let recovered = try await fixture.run("recordings", "recover", name)
            #expect(recovered.code == 0, "\(recovered)")
        }
        // What a killed program was about to send is its own for a while; the service waits for that.
        let service = try fixture.start(["service", "--json"])
        try await eventually { try await items("uploads", "list").isEmpty }
        service.kill(SIGINT)
        let ended = await service.finished()
        #expect(ended.code == 130, "\(ended)")
    }

    /// What is wrong once everything is sent; empty when device and server have the same, whole and once.
    func faultsEverywhere() async throws -> [String] {
        let archive = fixture.parley.path("all.tar")
        let exported = try await fixture.run("data", "export", archive, "--overwrite")
        #expect(exported.code == 0, "\(exported)")
        let holdings = try Holdings(archive)
        var faults = try await faultsOnTheDevice() + holdings.faults
        faults += acknowledged.subtracting(holdings.server.results.map(\.id)).map { "the server never got \($0)" }
        let server = fixture.parley.path("server")
        let files = try FileManager.default.subpathsOfDirectory(atPath: server + "/recordings").filter {
            $0.contains("/")
        }
        if files.count != holdings.server.recordings.count {
            faults.append("the server has files of nothing: \(files)")
        }
        let uploads = try FileManager.default.subpathsOfDirectory(atPath: fixture.parley.path("home/data/uploads"))
        // What a kill left half written is no record; it goes when it is an hour old.
        faults += uploads.filter { $0.contains("/") && !$0.hasSuffix(".new") }.map {
            "\($0) remembers an upload that is over"
        }
        return faults
    }

    private func items(_ arguments: String...) async throws -> [[String: Any]] {
        let result = try await fixture.start(arguments + ["--json"]).finished()
        #expect(result.code == 0, "\(arguments): \(result)")
        return result.events
    }

    private static func damage(of database: String) async throws -> [String] {
        let script =
            "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchall())"
        let said = try await ChildProcess("python3", ["-c", script, database]).finished().output
        return said == "[('ok',)]\n" ? [] : ["\(database) is damaged: \(said)"]
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

@Suite("Upload records of processes that are killed")
struct StoreKillTests {
    private static let variable = "NETWORKING_STORE"
    private static let key = "key"

    /// Kills a writer right after it stored something, and at the moment when a new file has appeared and is not yet whole.
    @Test(.timeLimit(.minutes(5)))
    func `what was stored is there, old or new`() async throws {
        let seed: UInt64 = 9
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        var last = 0
        for round in 0..<8 {
            let child = try TestChild(
                "storesInAChild", environment: [Self.variable: "\(folder.path) \(last + 1)"])
            let target = last + Int.random(in: 1...4, using: &random)
            while last < target, let version = await child.next("stored") { last = try #require(Int(version)) }
            if !round.isMultiple(of: 3) { await Self.waitForNewFile(in: folder.path) }
            child.kill()
            // What it said before it died counts too.
            while let version = await child.next("stored") { last = try #require(Int(version)) }
            #expect(await child.end() == .signalled(SIGKILL))
            let found = try await Self.version(folder.path)
            #expect(found.map { $0 == last || $0 == last + 1 } == true, "round \(round): \(String(describing: found))")
            last = found ?? last
        }
    }

    /// Writes one version after the other for as long as it lives.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "it is a part of the test above"))
    func storesInAChild() async throws {
        let words = try #require(ProcessInfo.processInfo.environment[Self.variable]).split(separator: " ").map(
            String.init)
        let uploads = FileTusUploadStore(folder: words[0])
        for version in try #require(Int(words[1]))... {
            try await uploads.save(try Self.record(version))
            print("stored \(version)")
            fflush(nil)
        }
    }

    private static func version(_ folder: String) async throws -> Int? {
        let record = try await FileTusUploadStore(folder: folder).record(for: key)
        return try record.flatMap { try $0 == Self.record($0.length) ? $0.length : nil }
    }

    /// The version is the length, and the address is long, so that writing takes a while.
    private static func record(_ version: Int) throws -> TusUploadRecord {
        let name = String(repeating: "\(version)-", count: 100_000)
        return TusUploadRecord(key: key, url: try #require(URL(string: "https://example.org/\(name)")), length: version)
    }

    /// Returns as soon as the folder has a file that is being written. Looks all the time, on a thread of its own,
    /// since such a file is there for a millisecond only.
    private static func waitForNewFile(in folder: String) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                while (try? FileManager.default.contentsOfDirectory(atPath: folder))?.contains(where: {
                    $0.hasSuffix(".new")
                }) != true {}
                continuation.resume()
            }
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

@Suite("File stores of processes that are killed")
struct StoreKillTests {
    private static let variable = "NETWORKING_STORE"
    private static let key = "key"

    enum Kind: String, CaseIterable { case uploads, cache }

    /// Kills a writer right after it stored something, and at the moment when a new file has appeared and is not yet whole.
    @Test(.timeLimit(.minutes(5)), arguments: Kind.allCases)
    func `what was stored is there, old or new`(kind: Kind) async throws {
        let seed: UInt64 = 9
        var random = SeededGenerator(seed: seed)
        let folder = try TestFolder()
        var last = 0
        for round in 0..<8 {
            let child = try TestChild(
                "storesInAChild", environment: [Self.variable: "\(kind.rawValue) \(folder.path) \(last + 1)"])
            let target = last + Int.random(in: 1...4, using: &random)
            while last < target, let version = await child.next("stored") { last = try #require(Int(version)) }
            if !round.isMultiple(of: 3) { await Self.waitForNewFile(in: folder.path) }
            child.kill()
            // What it said before it died counts too.
            while let version = await child.next("stored") { last = try #require(Int(version)) }
            #expect(await child.end() == SIGKILL)
            let found = try await Self.version(kind, folder.path)
            #expect(found.map { $0 == last || $0 == last + 1 } == true, "round \(round): \(String(describing: found))")
            last = found ?? last
        }
    }

    /// Writes one version after the other for as long as it lives.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "it is a part of the test above"))
    func storesInAChild() async throws {
        let words = try #require(ProcessInfo.processInfo.environment[Self.variable]).split(separator: " ").map(
            String.init)
        let cache = words[0] == Kind.cache.rawValue ? try FileCacheStore(folder: words[1]) : nil
        let uploads = FileTusUploadStore(folder: words[1])
        for version in try #require(Int(words[2]))... {
            if let cache {
                await cache.store([Self.response(version)], for: Self.key)
            } else {
                try await uploads.save(try Self.record(version))
            }
            print("stored \(version)")
            fflush(nil)
        }
    }

    private static func version(_ kind: Kind, _ folder: String) async throws -> Int? {
        switch kind {
        case .uploads:
            let record = try await FileTusUploadStore(folder: folder).record(for: key)
            return try record.flatMap { try $0 == Self.record($0.length) ? $0.length : nil }
        case .cache:
            let response = await (try FileCacheStore(folder: folder)).variants(for: key).first
            return response.flatMap { $0.body == Self.response($0.status).body ? $0.status : nil }
        }
    }

    /// The version is the length, and the address is long, so that writing takes a while.
    private static func record(_ version: Int) throws -> TusUploadRecord {
        let name = String(repeating: "\(version)-", count: 100_000)
        return TusUploadRecord(key: key, url: try #require(URL(string: "https://example.org/\(name)")), length: version)
    }

    private static func response(_ version: Int) -> CachedResponse {
        CachedResponse(
            status: version, headers: [:], url: URL(filePath: "/"), varying: [:], requested: Date(), responded: Date(),
            body: [UInt8](repeating: UInt8(truncatingIfNeeded: version), count: 4_000_000))
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

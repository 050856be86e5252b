// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import DataLayer

/// Archives as Python's zipfile and Info-ZIP's unzip read them.
@Suite(.timeLimit(.minutes(5))) struct ZIPArchiveTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func archive(at seconds: TimeInterval = 1_790_000_001) -> ZIPArchive {
        var archive = ZIPArchive(modifiedAt: Date(timeIntervalSince1970: seconds))
        archive.add("a/ü.txt", Array("plain\n".utf8))
        archive.add("empty", [])
        archive.add("all", Array(repeating: Array(0...255), count: 300).flatMap { $0 })
        return archive
    }

    private func read(_ archive: ZIPArchive) async throws -> [String: [String]] {
        try folder.write(archive.bytes, to: "a.zip")
        let script = """
            import hashlib, json, sys, zipfile
            with zipfile.ZipFile(sys.argv[1]) as file:
                assert file.testzip() is None
                print(json.dumps({i.filename: [hashlib.sha256(file.read(i)).hexdigest(), oct(i.external_attr >> 16),
                    "%d-%d-%d %d:%d:%d" % i.date_time] for i in file.infolist()}))
            """
        let process = try ChildProcess(
            "/usr/bin/python3", ["-c", script, folder.file("a.zip")], errors: .captured)
        let result = await process.finished()
        try #require(result.code == 0, "\(result.errors)")
        return try JSONDecoder().decode([String: [String]].self, from: Data(result.output.utf8))
    }

    @Test func `Python reads names, contents, modes and times`() async throws {
        let entries = try await read(Self.archive())
        #expect(entries.keys.sorted() == ["a/ü.txt", "all", "empty"])
        #expect(entries["empty"]?[0] == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(entries["a/ü.txt"]?.dropFirst() == ["0o100600", "2026-9-21 14:13:20"])
    }

    @Test func `unzip finds no fault, and one in a damaged archive`() async throws {
        func test(_ bytes: [UInt8]) async throws -> Int32 {
            try folder.write(bytes, to: "b.zip")
            return await (try ChildProcess("/usr/bin/unzip", ["-tqq", folder.file("b.zip")], errors: .captured))
                .finished().code
        }
        var bytes = Self.archive().bytes
        #expect(try await test(bytes) == 0)
        let place = try #require(bytes.firstRange(of: Array("plain".utf8))).lowerBound
        bytes[place] ^= 1
        #expect(try await test(bytes) != 0)
    }

    @Test(arguments: [-1, 5_000_000_000] as [TimeInterval])
    func `a time that ZIP cannot say becomes 1980`(_ seconds: TimeInterval) async throws {
        #expect(try await read(Self.archive(at: seconds))["all"]?[2] == "1980-1-1 0:0:0")
    }
}

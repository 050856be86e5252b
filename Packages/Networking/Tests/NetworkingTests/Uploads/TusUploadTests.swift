// SPDX-License-Identifier: MIT

import Foundation
import Networking
import TestKit
import Testing

@Suite("tus uploads")
struct TusUploadTests {
    private let folder: TemporaryFolder
    private let transport: CurlTransport
    private let content: [UInt8]
    private static let size = 1_000_003

    init() throws {
        folder = try TemporaryFolder()
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        transport = try CurlTransport(configuration: configuration)
        var random = SeededGenerator(seed: 1)
        content = (0..<Self.size).map { _ in UInt8.random(in: 0...255, using: &random) }
        try Data(content).write(to: URL(filePath: folder.file("file.bin")))
        try FileManager.default.createDirectory(atPath: folder.file("store"), withIntermediateDirectories: true)
    }

    private func server(_ faults: String...) throws -> PythonPeer {
        try PythonPeer("tus_server.py", faults, python: "/usr/bin/python3")
    }

    private func client(_ server: PythonPeer, headers: HTTPHeaders = [:]) throws -> TusClient {
        var configuration = TusClient.Configuration()
        configuration.chunkSize = 100_000
        configuration.initialDelay = .zero
        configuration.maximumFailures = 3
        return TusClient(
            endpoint: try #require(URL(string: "http://127.0.0.1:\(server.port)/files")), headers: headers,
            transport: transport, store: FileTusUploadStore(folder: folder.file("store")),
            configuration: configuration)
    }

    private func get(_ url: URL) async throws -> [UInt8] {
        try await transport.send(HTTPRequest(.get, url)).body.collect()
    }

    private func log(_ server: PythonPeer) async throws -> [String] {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/log"))
        return String(decoding: try await get(url), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Uploads to the end and checks what the server has, byte by byte.
    @discardableResult
    private func finish(_ client: TusClient) async throws -> [Int] {
        var offsets: [Int] = []
        var last: TusProgress?
        for try await progress in client.upload(folder.file("file.bin"), metadata: ["filename": "file.bin"]) {
            offsets.append(progress.confirmedBytes)
            last = progress
        }
        let end = try #require(last)
        #expect(end.isComplete)
        #expect(try await get(end.url) == content)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("store")).isEmpty)
        return offsets
    }

    @Test func `a file arrives chunk by chunk, with its metadata`() async throws {
        let server = try server()
        let offsets = try await finish(client(server))
        #expect(offsets == Array(stride(from: 0, to: Self.size, by: 100_000)) + [Self.size])
        let log = try await log(server)
        #expect(log.first == "create filename ZmlsZS5iaW4=")
        #expect(log.count == 12)
    }

    @Test func `broken connections resume at the byte where they broke`() async throws {
        let server = try server("ok", "drop:12345", "lost", "drop:0", "status:503", "ok", "corrupt", "status:423")
        let offsets = try await finish(client(server))
        #expect(offsets == offsets.sorted())
        // Each byte was taken once: the patches follow each other without gap or overlap.
        let patches = try await log(server).filter { $0.hasPrefix("patch") }.map {
            $0.split(separator: " ").compactMap { Int($0) }
        }
        var end = 0
        for patch in patches {
            #expect(patch[0] <= end)
            end = max(end, patch[0] + patch[1])
        }
        #expect(patches.contains([100_000, 12_345]))
        #expect(patches.contains([112_345, 100_000]))
        #expect(patches.contains { $0[0] == 212_345 })
    }

    @Test func `another program goes on where the first was killed`() async throws {
        let server = try server()
        // Nothing is tidied up: the iterator is dropped where it stands.
        var first = try client(server).upload(folder.file("file.bin")).makeAsyncIterator()
        for _ in 0..<4 { _ = try await first.next() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("store")).count == 1)

        let offsets = try await finish(client(server))
        #expect(offsets.first == 300_000)
        let log = try await log(server)
        #expect(log.filter { $0.hasPrefix("create") }.count == 1)
        #expect(log.filter { $0.hasPrefix("patch") }.count == 11)
        #expect(log.contains("ask 300000"))
    }

    @Test func `a changed file is another upload`() async throws {
        let server = try server()
        var first = try client(server).upload(folder.file("file.bin")).makeAsyncIterator()
        for _ in 0..<3 { _ = try await first.next() }
        var changed = content
        changed[500_000] ^= 1
        try Data(changed).write(to: URL(filePath: folder.file("file.bin")))
        var last: TusProgress?
        for try await progress in try client(server).upload(folder.file("file.bin")) { last = progress }
        #expect(try await get(#require(last?.url)) == changed)
    }

    @Test func `an upload that the server has lost begins anew`() async throws {
        let old = try server()
        var first = try client(old).upload(folder.file("file.bin")).makeAsyncIterator()
        for _ in 0..<3 { _ = try await first.next() }
        let terminated = try await client(old).terminate(folder.file("file.bin"))
        #expect(terminated)
        #expect(try await !client(old).terminate(folder.file("file.bin")))
        #expect(try await finish(client(old)).first == 0)
    }

    @Test func `a file without content`() async throws {
        try Data().write(to: URL(filePath: folder.file("empty")))
        let server = try server()
        var all: [TusProgress] = []
        for try await progress in try client(server).upload(folder.file("empty")) { all.append(progress) }
        #expect(all.map(\.confirmedBytes) == [0])
        #expect(all.last?.isComplete == true)
    }

    @Test func `it gives up after failures without progress, and keeps its place`() async throws {
        let server = try server("ok", "status:500", "status:500", "status:500", "status:500", "status:500")
        await expectError(.status) { try await finish(client(server)) }
        // The server still has its first chunk, and a later try goes on from there.
        #expect(try await finish(client(server)).first == 100_000)
    }

    @Test func `what cannot be uploaded is told`() async throws {
        let server = try server("status:413")
        await expectError(.status) { try await finish(client(server)) }
        await expectError(.file) {
            for try await _ in try client(server).upload(folder.file("missing")) {}
        }
        await expectError(.file) {
            for try await _ in try client(server).upload(folder.path) {}
        }
    }

    @Test func `a damaged record is as good as none`() async throws {
        let store = FileTusUploadStore(folder: folder.file("store"))
        let url = try #require(URL(string: "https://example.org/1"))
        let record = TusUploadRecord(key: "../a/b", url: url, length: 3)
        try await store.save(record)
        #expect(try await store.record(for: "../a/b") == record)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.file("store")).first)
        try Data("{".utf8).write(to: URL(filePath: folder.file("store/" + name)))
        #expect(try await store.record(for: "../a/b") == nil)
        try await store.remove("../a/b")
        try await store.remove("../a/b")
        #expect(try await store.record(for: "../a/b") == nil)
    }

    @Test func `what a crash left half written goes with the next record, when nobody can be writing it`() async throws
    {
        let store = FileTusUploadStore(folder: folder.file("store"))
        for name in ["old.json.1.new", "fresh.json.2.new"] {
            try Data("{".utf8).write(to: URL(filePath: folder.file("store/" + name)))
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -4_000)], ofItemAtPath: folder.file("store/old.json.1.new"))
        try await store.remove("another")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("store")) == ["fresh.json.2.new"])
    }
}

// SPDX-License-Identifier: MIT

import Digests
import Foundation
import Networking
import TestKit
import Testing

@Suite("tus uploads by processes that are killed")
struct TusKillTests {
    private static let variable = "NETWORKING_TUS_UPLOAD"
    private static let chunk = 300_000

    private static func transport() throws -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        configuration.plainHTTPHosts = ["127.0.0.1"]
        configuration.proxy = .none
        return try CurlTransport(configuration: configuration)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [(1, false), (2, true)])
    func `kill -9 at any moment, and the next process goes on`(seed: UInt64, checksum: Bool) async throws {
        var random = SeededGenerator(seed: seed)
        let size = 6_000_001
        let kills = 4
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("store"), withIntermediateDirectories: true)
        let content = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            for index in 0..<size { buffer[index] = UInt8(truncatingIfNeeded: random.next()) }
            count = size
        }
        try Data(content).write(to: URL(filePath: folder.file("file")))
        // The server stops the upload there, so that the process is killed in the middle of it on any machine.
        let halts = (0..<kills).map { $0 * 1_200_000 + Int.random(in: 1...1_000_000, using: &random) }
        let server = try PythonPeer(
            "tus_server.py", ["halts:" + halts.map(String.init).joined(separator: ",")], python: "/usr/bin/python3")
        let environment = [
            Self.variable: "\(server.port)", Self.variable + "_FOLDER": folder.path,
            Self.variable + "_CHECKSUM": checksum ? "1" : "0",
        ]

        let transport = try Self.transport()
        func address(_ path: String) throws -> URL {
            try #require(URL(string: "http://127.0.0.1:\(server.port)/\(path)"))
        }
        for number in 0..<kills {
            let child = try TestChild("uploadsInAChild", environment: environment)
            #expect(await server.line() == "halted")
            child.kill()
            #expect(await child.end() == .signalled(SIGKILL), "seed \(seed), kill \(number)")
            _ = try await transport.send(HTTPRequest(.get, try address("continue")))
        }
        let last = try TestChild("uploadsInAChild", environment: environment)
        let url = try #require(await last.next("uploaded").flatMap { URL(string: $0) })
        #expect(await last.end() == .exited(0))

        let stored = try await transport.send(HTTPRequest(.get, url)).body.collect()
        #expect(try MessageDigest.hash(stored, .sha256) == MessageDigest.hash(content, .sha256), "seed \(seed)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("store")).isEmpty)

        let log = String(
            decoding: try await transport.send(HTTPRequest(.get, try address("log"))).body.collect(), as: UTF8.self
        )
        .split(separator: "\n").map { $0.split(separator: " ") }
        #expect(log.filter { $0[0] == "create" }.count == 1, "seed \(seed)")
        // A process may die before it asks, while the server still takes what the one before it had sent.
        #expect((1...kills).contains(log.filter { $0[0] == "ask" }.count), "seed \(seed)")
        // With a checksum the server throws the piece away that the kill cut; without one it keeps every byte.
        let sent = log.filter { $0[0] == "patch" }.compactMap { Int($0[2]) }.reduce(0, +)
        #expect(checksum ? sent <= size + kills * Self.chunk : sent == size, "seed \(seed): \(sent) bytes")
    }

    /// What the test above kills.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "it is a part of the test above"))
    func uploadsInAChild() async throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = try #require(environment[Self.variable + "_FOLDER"])
        let endpoint = try #require(URL(string: "http://127.0.0.1:\(environment[Self.variable] ?? "")/files"))
        var configuration = TusClient.Configuration()
        configuration.chunkSize = Self.chunk
        configuration.checksum = environment[Self.variable + "_CHECKSUM"] == "1" ? .sha1 : nil
        let client = TusClient(
            endpoint: endpoint, transport: try Self.transport(), store: FileTusUploadStore(folder: folder + "/store"),
            configuration: configuration)
        for try await progress in client.upload(folder + "/file") where progress.isComplete {
            print("uploaded \(progress.url.absoluteString)")
        }
    }
}

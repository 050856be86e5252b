// SPDX-License-Identifier: MIT

import Foundation
import HTTPServer
import Networking
import TestKit
import Testing

/// Bodies of any size pass through in little memory. Measured in processes of their own, as the kernel's peak of
/// resident memory, which nothing else in the tests may add to.
@Suite struct MemoryTests {
    private static let variable = "HTTP_SERVER_MEMORY"
    private static let size = 200 << 20
    private static let limit = 20 << 20
    private static let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    enum Kind: String, CaseIterable { case upload, chunkedUpload, slowHandler, answer, slowReader, unwanted }

    @Test(.disabled(if: isSanitized, "a sanitizer needs memory of its own"), arguments: Kind.allCases)
    func twoHundredMegabytesTakeLittle(kind: Kind) async throws {
        let own = CommandLine.arguments
        // The bundle is a library that a helper loads, or the program itself.
        let bundle = own.firstIndex(of: "--test-bundle-path").map { Array(own[$0..<min($0 + 2, own.count)]) } ?? []
        let child = try ChildProcess(
            FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            bundle + bundle.suffix(1)
                + ["--testing-library", "swift-testing", "--filter", "movesTwoHundredMegabytesInAChild"],
            environment: .adding([Self.variable: kind.rawValue]), output: .inherited)
        #expect(await child.finished().code == 0, "what the child printed says why")
    }

    /// What the test above measures.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "it is a part of the test above"))
    func movesTwoHundredMegabytesInAChild() async throws {
        let kind = try #require(Kind(rawValue: ProcessInfo.processInfo.environment[Self.variable] ?? ""))
        var configuration = HTTPServerConfiguration.patient
        configuration.maximumBodyBytes = 1 << 30
        try await withServer(configuration, handler: Self.handler(kind)) { server in
            // What the first exchange brings into memory is not counted.
            _ = try await server.answer(to: "GET /small HTTP/1.1\r\nHost: x\r\n\r\n")
            let before = try Self.peak()
            let client = try server.connect()
            switch kind {
            case .upload, .chunkedUpload, .slowHandler, .unwanted:
                try await Self.upload(over: client, isChunked: kind == .chunkedUpload)
                if kind != .unwanted { #expect(try await client.readAnswer().text == "\(Self.size)") }
            case .answer, .slowReader:
                try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                let others = kind == .slowReader ? 300 : 0
                for _ in 0..<others { _ = try await server.answer(to: "GET /small HTTP/1.1\r\nHost: x\r\n\r\n") }
                #expect(try await client.countToEnd() > Self.size)
            }
            let growth = try Self.peak() - before
            #expect(growth < Self.limit, "the peak rose by \(growth >> 10) KB")
        }
    }

    private static func handler(_ kind: Kind) -> HTTPHandler {
        { request in
            if request.path == ["small"] || kind == .unwanted { return .text("small") }
            if kind == .answer || kind == .slowReader {
                return .stream(headers: ["Connection": "close"], length: size) { writer in
                    let piece = [UInt8](repeating: 7, count: 64 << 10)
                    for _ in 0..<(size / piece.count) { try await writer.write(piece) }
                }
            }
            var count = 0
            for try await chunk in request.body {
                count += chunk.count
                if kind == .slowHandler { await disturbOrder(20) }
            }
            return .text("\(count)")
        }
    }

    private static func upload(over client: RawClient, isChunked: Bool) async throws {
        try await TestThread.run {
            let piece = [UInt8](repeating: 7, count: 64 << 10)
            let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(size)"
            try client.send("PUT / HTTP/1.1\r\nHost: x\r\n\(framing)\r\n\r\n")
            for _ in 0..<(size / piece.count) {
                // Whoever does not want it may close the connection.
                do {
                    try client.send(isChunked ? Array("10000\r\n".utf8) + piece + [13, 10] : piece)
                } catch {
                    return
                }
            }
            if isChunked { try client.send("0\r\n\r\n") }
        }
    }

    private static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) << 10
    }
}

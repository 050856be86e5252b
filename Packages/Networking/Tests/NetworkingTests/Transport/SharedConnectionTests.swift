// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Networking
import TestKit
import Testing

/// Several bodies over one HTTP/2 connection, one of them with a slow reader. In a process of its own for its memory.
struct SharedConnectionTests {
    private static let variable = "NETWORKING_SHARED_CONNECTION"
    private static let size = 150 * 999_983
    /// What the server may send ahead is 32 MB; libcurl holds that, and it is copied as it is handed on.
    private static let limit = 160 << 20

    @Test(.timeLimit(.minutes(5))) func aSlowReaderAndQuickOnesAllGetEveryByte() async throws {
        let child = try TestChild("readsInAChild", environment: [Self.variable: "yes"])
        let growth = try #require(await child.next("growth").flatMap { Int($0) })
        #expect(await child.end() == .exited(0))
        #expect(TestChild.isSanitized || growth < Self.limit, "the peak rose by \(growth >> 10) KB")
    }

    /// What the test above runs.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "it is a part of the test above"))
    func readsInAChild() async throws {
        let server = try NginxServer.shared.get()
        let file = server.folder.file("www/patterns")
        try Self.writePatterns(to: file)
        let transport = try CurlTransport(configuration: server.configuration)
        let url = try server.secure("/patterns")
        let request = HTTPRequest(.get, url, headers: ["Accept-Encoding": "identity"])
        _ = try await transport.send(HTTPRequest(.head, url)).body.collect()
        let before = try Self.peak()

        let slow = try await transport.send(request)
        #expect(slow.version == .http2)
        var slowBody = slow.body.makeAsyncIterator()
        var slowPatterns = Patterns()
        // The slow one takes a little after each of the others' megabytes.
        for _ in 0..<3 {
            let quick = try await transport.send(request)
            var (patterns, steps) = (Patterns(), 0)
            for try await chunk in quick.body {
                patterns.read(chunk)
                guard patterns.count >> 20 > steps else { continue }
                steps += 1
                if steps.isMultiple(of: 8), let chunk = try await slowBody.next() { slowPatterns.read(chunk) }
            }
            #expect(patterns.isWhole(Self.size))
            #expect(!quick.body.summary.isNewConnection)
        }
        #expect(slowPatterns.count < 60 << 20)
        while let chunk = try await slowBody.next() { slowPatterns.read(chunk) }
        #expect(slowPatterns.isWhole(Self.size))
        print("growth \(try Self.peak() - before)")
    }

    /// What the file repeats. Its length shares no factor with any size of a buffer.
    private static let pattern: [UInt8] = {
        var random = SeededGenerator(seed: 4)
        return (0..<999_983).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }()

    /// Checks a body of repeated patterns, however it is cut.
    private struct Patterns {
        private(set) var count = 0
        private var isRight = true

        mutating func read(_ chunk: [UInt8]) {
            chunk.withUnsafeBytes { bytes in
                pattern.withUnsafeBytes { pattern in
                    var rest = bytes[...]
                    while !rest.isEmpty {
                        let expected = pattern[(count % pattern.count)...].prefix(rest.count)
                        let part = UnsafeRawBufferPointer(rebasing: rest.prefix(expected.count))
                        let same = UnsafeRawBufferPointer(rebasing: expected)
                        if let first = part.baseAddress, let second = same.baseAddress {
                            isRight = isRight && memcmp(first, second, part.count) == 0
                        }
                        count += part.count
                        rest = rest.dropFirst(part.count)
                    }
                }
            }
        }

        func isWhole(_ size: Int) -> Bool { isRight && count == size }
    }

    private static func writePatterns(to path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        for _ in 0..<(size / pattern.count) { try handle.write(contentsOf: Data(pattern)) }
        try handle.close()
    }

    private static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) << 10
    }
}

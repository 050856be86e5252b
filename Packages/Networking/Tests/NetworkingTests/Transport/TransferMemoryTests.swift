// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Networking
import TestKit
import Testing

/// Bodies of any size pass through in little memory. Measured in processes of their own, as the kernel's peak of
/// resident memory, which nothing else in the tests may add to.
struct TransferMemoryTests {
    private static let variable = "NETWORKING_TRANSFER_MEMORY"
    private static let size = 200 << 20
    private static let limit = 20 << 20

    enum Kind: String, CaseIterable { case download, slowReader, slowSecureReader, upload, streamedUpload }

    @Test(
        .disabled(if: TestChild.isSanitized, "a sanitizer needs memory of its own"), .timeLimit(.minutes(5)),
        arguments: Kind.allCases)
    func twoHundredMegabytesTakeLittle(kind: Kind) async throws {
        let child = try TestChild("transfersTwoHundredMegabytesInAChild", environment: [Self.variable: kind.rawValue])
        let growth = try #require(await child.next("growth").flatMap { Int($0) })
        #expect(await child.end() == .exited(0))
        #expect(growth < Self.limit, "the peak rose by \(growth >> 10) KB")
    }

    /// What the test above measures.
    @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "it is a part of the test above"))
    func transfersTwoHundredMegabytesInAChild() async throws {
        let kind = try #require(Kind(rawValue: ProcessInfo.processInfo.environment[Self.variable] ?? ""))
        let server = try NginxServer.shared.get()
        let file = server.folder.file("www/large")
        _ = FileManager.default.createFile(atPath: file, contents: nil)
        #expect(truncate(file, Self.size) == 0)
        let transport = try Self.lasting(CurlTransport(configuration: server.configuration))
        // What the first exchange brings into memory is not counted.
        let small = try HTTPRequest(.get, server.secure("/text.txt"))
        _ = try await transport.send(small).body.collect()
        _ = try await transport.send(HTTPRequest(.put, server.secure("/put/small"), body: .text("small")))

        let before = try Self.peak()
        switch kind {
        case .download, .slowReader, .slowSecureReader:
            // A slow reader of HTTP/2 holds back only what has a connection of its own: see the README.
            let others =
                kind == .slowReader ? transport : try Self.lasting(CurlTransport(configuration: server.configuration))
            let url = try kind == .slowReader ? server.plain("/large") : server.secure("/large")
            let request = HTTPRequest(.get, url, headers: ["Accept-Encoding": "identity"])
            let response = try await transport.send(request)
            var total = 0
            var pauses = kind == .download ? 0 : 20
            for try await chunk in response.body {
                total += chunk.count
                guard pauses > 0, total > 1 << 20 else { continue }
                pauses -= 1
                // While others get their answers, this one's could pile up.
                for _ in 0..<10 { _ = try await others.send(small).body.collect() }
            }
            #expect(total == Self.size)
        case .upload:
            let request = try HTTPRequest(.put, server.secure("/put/large"), body: .file(path: file))
            #expect(try await transport.send(request).status == 201)
        case .streamedUpload:
            let piece = [UInt8](repeating: 7, count: 64 << 10)
            let pieces = AsyncStream(unfolding: { piece }).prefix(Self.size / piece.count)
            let request = try HTTPRequest(.put, server.secure("/put/large"), body: .stream(HTTPBodyStream(pieces)))
            #expect(try await transport.send(request).status == 201)
            let stored = try FileManager.default.attributesOfItem(atPath: server.folder.file("www/put/large"))
            #expect(stored[.size] as? Int == Self.size)
        }
        print("growth \(try Self.peak() - before)")
    }

    /// Keeps a transport until the process ends: closing connections while the process exits is not what is measured.
    private static func lasting(_ transport: CurlTransport) -> CurlTransport {
        Unmanaged.passRetained(transport).takeUnretainedValue()
    }

    private static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) << 10
    }
}

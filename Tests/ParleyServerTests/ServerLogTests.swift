// SPDX-License-Identifier: MIT

import Diagnostics
import Foundation
import Networking
import TestKit
import Testing

@testable import ParleyServer

@Suite(.timeLimit(.minutes(5))) struct ServerLogTests {
    @Test func `a server writes one line for each event`() async throws {
        let home = try TemporaryFolder()
        let server = try ServerProcess(home: home.path)
        let client = try ServerFixture.makeClient()
        let url = try #require(URL(string: server.address + "/settings"))
        for _ in 0..<3 { #expect(try await client.send(.init(.get, url)).status == 200) }
        #expect(server.stop() == 0)
        let requests = try server.log.filter { $0.contains(" GET /settings 200 in ") }
        #expect(requests.count == 3 && requests.allSatisfy { $0.contains(" info http [request=") })
        #expect(try server.log.allSatisfy { $0.wholeMatch(of: /\d{4}-\d\d-\d\dT[0-9:.]+Z [a-z]+ [a-z.]+ .*/) != nil })
    }

    @Test func `lines of JSON, from a level on`() async throws {
        let home = try TemporaryFolder()
        let server = try ServerProcess(home: home.path, ["--log-level", "notice", "--log-format", "json"])
        let client = try ServerFixture.makeClient()
        for (path, status) in [("/settings", 200), ("/nothing", 404)] {
            let url = try #require(URL(string: server.address + path))
            #expect(try await client.send(.init(.get, url)).status == status)
        }
        #expect(server.stop() == 0)
        struct Line: Decodable {
            let time: String
            let level: String
            let category: String
            let message: String
        }
        let lines = try server.log.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        // Besides the requests, a slow machine has connections whose time is up.
        #expect(lines.allSatisfy { ["notice", "warning", "error"].contains($0.level) }, "\(lines)")
        let requests = lines.filter { $0.message.hasPrefix("GET ") }
        #expect(requests.map(\.level) == ["notice"] && requests.map(\.category) == ["http"], "\(lines)")
        #expect(requests.allSatisfy { $0.message.hasPrefix("GET (none) 404 in ") }, "\(requests)")
    }

    @Test func `under systemd the journal gets fields`() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        var status = stat()
        try #require(fstat(descriptor, &status) == 0)
        let environment = ["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"]
        let journal = try DatagramSocket()
        var log = ServerLog()
        func write(_ path: String) {
            Logger(
                category: "mail",
                sink: log.sink(environment: environment, fileDescriptor: descriptor, journal: path)
            ).with("request", "7").error("not sent")
        }
        write(journal.path)
        #expect(
            journal.receive()
                == "MESSAGE=not sent\nPRIORITY=3\nSYSLOG_IDENTIFIER=parley-server\nPARLEY_CATEGORY=mail\nREQUEST=7\n")
        log.format = .json
        write(journal.path)
        log.format = nil
        write("/nowhere")
        try pipe.fileHandleForWriting.close()
        let lines = try pipe.fileHandleForReading.readToEnd().map { String(decoding: $0, as: UTF8.self) } ?? ""
        #expect(lines.split(separator: "\n").count == 2, "who asks for lines, or has no journal, gets lines")
    }
}

/// A journal of our own.
private final class DatagramSocket {
    private let folder: TemporaryFolder
    var path: String { folder.file("journal") }
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

    init() throws {
        folder = try TemporaryFolder()
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    deinit { close(descriptor) }

    /// The next datagram, which is there already.
    func receive() -> String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}

// SPDX-License-Identifier: MIT

import Glibc
import TestKit
import Testing

/// What a service manager hears (sd_notify(3)).
@Suite(.timeLimit(.minutes(5))) struct ServiceManagerTests {
    @Test(arguments: [false, true]) func `a manager hears of readiness, reloads and the end`(isAbstract: Bool)
        throws
    {
        let (folder, home) = (try TemporaryFolder(), try TemporaryFolder())
        let manager = try Manager(isAbstract ? "@" + folder.path : folder.path + "/notify")
        let server = try ServerProcess(home: home.path, environment: ["NOTIFY_SOCKET": manager.path])
        #expect(manager.next() == "READY=1")
        server.hangUp()
        #expect(manager.next() == "READY=1")
        #expect(server.stop() == 0)
        #expect(manager.next() == "STOPPING=1")
    }

    @Test(arguments: ["", "@", "/nowhere/notify", String(repeating: "x", count: 200)])
    func `a manager that is not there is no fault`(path: String) throws {
        let folder = try TemporaryFolder()
        let server = try ServerProcess(home: folder.path, environment: ["NOTIFY_SOCKET": path])
        #expect(server.stop() == 0)
    }
}

/// A datagram socket of the local domain.
private final class Manager {
    let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path.first == "@" ? [0] + Array(path.utf8.dropFirst()) : Array(path.utf8)
        try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let bound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(bound == 0)
    }

    deinit { close(descriptor) }

    /// The next message; waits for it.
    func next() -> String {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

// SPDX-License-Identifier: MIT

import Concurrency
import Glibc
import NetworkingTestSupport

@testable import Networking

/// A name server on port 53 of 127.0.0.1 that hears every question and answers none.
final class SilentNameServer: Sendable {
    private let first = AsyncStream.makeStream(of: Void.self)

    /// Binds the port, which takes the rights of a system's administrator, or a network namespace of one's own.
    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw CommandFailure(description: "no port 53: \(String(cString: strerror(errno)))") }
        let heard = first.continuation
        let isRunning = DetachedThread.start {
            var question: UInt8 = 0
            // The socket stays open, or the system would answer that nobody listens.
            while recv(descriptor, &question, 1, 0) >= 0 { heard.yield() }
        }
        guard isRunning else { throw CommandFailure(description: "no thread") }
    }

    /// Waits until someone has asked.
    func waitForQuestion() async {
        for await _ in first.stream { return }
    }
}

// SPDX-License-Identifier: MIT

import Diagnostics
import Glibc
import Testing

@testable import HTTPServer

/// The limit of connections counts what one household can change at will as one.
@Suite struct ClientNetworkTests {
    private func core(limit: Int) throws -> ServerCore {
        var configuration = HTTPServerConfiguration()
        configuration.maximumConnectionsPerAddress = limit
        return try ServerCore(
            configuration: configuration, logger: .disabled, metrics: ServerMetrics(), handler: { _ in .noContent })
    }

    private func address(_ host: String) -> SocketAddress { SocketAddress(host: host, port: 1) }

    @Test func `addresses of one IPv6 network share the limit`() throws {
        let core = try core(limit: 2)
        defer { core.watch.stop() }
        var pair: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { for socket in pair { close(socket) } }
        let first = core.accepted(socket: pair[0], address("2001:db8:1:2::1"))
        #expect(core.mayConnect(from: address("2001:db8:1:2:ffff::9")))
        let second = core.accepted(socket: pair[1], address("2001:db8:1:2:ffff::9"))
        #expect(!core.mayConnect(from: address("2001:db8:1:2:3::4")), "a third address of the same /64")
        #expect(core.mayConnect(from: address("2001:db8:1:3::1")), "the next /64")
        core.closed(first)
        #expect(core.mayConnect(from: address("2001:db8:1:2:3::4")))
        core.closed(second)
    }

    @Test func `each IPv4 address has a limit of its own`() throws {
        let core = try core(limit: 1)
        defer { core.watch.stop() }
        var pair: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { for socket in pair { close(socket) } }
        let first = core.accepted(socket: pair[0], address("192.0.2.1"))
        #expect(!core.mayConnect(from: address("192.0.2.1")))
        #expect(core.mayConnect(from: address("192.0.2.2")))
        #expect(core.mayConnect(from: nil), "what has no address is not counted")
        core.closed(first)
    }
}

// SPDX-License-Identifier: MIT

import AuthServer
import HTTPServer
import Networking
import Testing

@testable import ParleyServer

/// The network that limits count by, behind the operator's proxies.
@Suite struct ClientAddressTests {
    private func prefix(_ lines: [String], proxies: Int, from remote: String = "127.0.0.1") -> String {
        var headers = HTTPHeaders()
        for line in lines { headers.add(name: "X-Forwarded-For", value: line) }
        let request = ServerRequest(headers: headers, remoteAddress: SocketAddress(host: remote, port: 1))
        return ClientAddress(proxyCount: proxies).prefix(of: request).value
    }

    @Test(arguments: [
        // nginx appends to the client's line, HAProxy adds a line of its own.
        (["198.51.100.9, 192.0.2.1"], 1, "192.0.2.0/24"), (["198.51.100.9", "192.0.2.1"], 1, "192.0.2.0/24"),
        (["198.51.100.9", "203.0.113.1, 192.0.2.1", "10.0.0.1"], 2, "192.0.2.0/24"),
        (["198.51.100.9", "203.0.113.1", "192.0.2.1,10.0.0.1"], 3, "203.0.113.0/24"),
        // Spaces, tabs and empty elements are not counted.
        (["198.51.100.9,, ,\t", " \t192.0.2.1 \t,"], 1, "192.0.2.0/24"),
        (["2001:db8:1:200::5"], 1, "2001:db8:1:200::/56"), (["::ffff:192.0.2.1"], 1, "192.0.2.0/24"),
    ]) func `the outermost proxy's word counts, from the end`(_ lines: [String], proxies: Int, expected: String) {
        #expect(prefix(lines, proxies: proxies) == expected)
    }

    @Test(arguments: [
        [], [""], ["unknown"], ["192.0.2.1:80"], ["[2001:db8::1]"], ["[2001:db8::1]:80"], ["fe80::1%eth0"], ["192.0.2"],
        ["localhost"], ["192.0.2.1 evil"], ["_hidden"], ["192.0.2.1", "secret"], ["\"192.0.2.1\""], ["0x7f.1"],
        ["１92.0.2.1"],
    ]) func `what is no address counts as the proxy`(_ lines: [String]) {
        #expect(prefix(lines, proxies: 1, from: "203.0.113.7") == "203.0.113.0/24")
    }

    @Test func `too few addresses count as the proxy`() {
        #expect(prefix(["192.0.2.1"], proxies: 2, from: "203.0.113.7") == "203.0.113.0/24")
        #expect(
            prefix(["192.0.2.1"], proxies: 0, from: "203.0.113.7") == "203.0.113.0/24", "without a proxy it is not read"
        )
    }

    /// A client that sends a line of its own shares the limits of its network all the same.
    @Test func `no line of a client's escapes the limit`() async throws {
        let fixture = try await ServerFixture { $0.proxyCount = 1 }
        for number in 0..<70 {
            var headers: HTTPHeaders = [:]
            headers.add(name: "X-Forwarded-For", value: "10.1.\(number).1")
            headers.add(name: "X-Forwarded-For", value: "192.0.2.1")
            let response = try await fixture.post(
                "/verify", ["type": "magiclink", "token_hash": "nonsense"], headers: headers)
            #expect(response.status == (number < 60 ? 403 : 429), "\(number)")
        }
        await fixture.stop()
    }
}

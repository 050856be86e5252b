// SPDX-License-Identifier: MIT

import Glibc

/// The unit of the limit on connections: a whole IPv4 address, or the first 64 bits of an IPv6 address, since a single host
/// can use all addresses of its /64 (RFC 4291 §2.5.4).
struct ClientNetwork: Sendable, Hashable {
    private let bytes: UInt64
    private let isVersion6: Bool

    /// Nil for an invalid address.
    init?(_ address: SocketAddress) {
        isVersion6 = address.isVersion6
        if address.isVersion6 {
            var six = in6_addr()
            guard inet_pton(AF_INET6, address.host, &six) == 1 else { return nil }
            bytes = withUnsafeBytes(of: six) { $0.loadUnaligned(as: UInt64.self) }
        } else {
            var four = in_addr()
            guard inet_pton(AF_INET, address.host, &four) == 1 else { return nil }
            bytes = UInt64(four.s_addr)
        }
    }
}

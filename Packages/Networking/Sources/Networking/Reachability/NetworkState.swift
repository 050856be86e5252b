// SPDX-License-Identifier: MIT

/// The kernel's view of the routes out of this machine. It does not show if a server answers.
public struct NetworkState: Hashable, Sendable {
    /// True if some interface besides loopback is up, has carrier and a default route for IPv4.
    public var hasIPv4: Bool
    /// True if some interface besides loopback is up, has carrier and a default route for IPv6.
    public var hasIPv6: Bool
    /// The interfaces of the default routes, sorted.
    public var interfaces: [String]

    /// A state.
    public init(hasIPv4: Bool, hasIPv6: Bool, interfaces: [String]) {
        self.hasIPv4 = hasIPv4
        self.hasIPv6 = hasIPv6
        self.interfaces = interfaces
    }

    /// True if there is a default route of either kind.
    public var isReachable: Bool { hasIPv4 || hasIPv6 }
}

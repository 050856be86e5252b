// SPDX-License-Identifier: MIT

/// Folds netlink messages into the state.
struct ReachabilityStateMachine {
    private var links: [Int32: (name: String, isUsable: Bool)] = [:]
    private var routes: Set<NetlinkMessage.DefaultRoute> = []

    mutating func apply(_ message: NetlinkMessage) {
        switch message {
        case .link(let index, let name, let isUp, let isUsable):
            links[index] = (name.isEmpty ? links[index]?.name ?? "" : name, isUsable)
            // The kernel drops the IPv4 routes of an interface that goes down, without a message for each. It keeps
            // those of one that has only lost its carrier.
            if !isUp { routes = routes.filter { $0.interface != index || $0.isIPv6 } }
        case .linkGone(let index):
            links[index] = nil
            routes = routes.filter { $0.interface != index }
        case .defaultRoute(let route, let isNew):
            if isNew { routes.insert(route) } else { routes.remove(route) }
        case .done, .error, .other:
            break
        }
    }

    var state: NetworkState {
        let usable = routes.filter { links[$0.interface]?.isUsable ?? false }
        return NetworkState(
            hasIPv4: usable.contains { !$0.isIPv6 }, hasIPv6: usable.contains(where: \.isIPv6),
            interfaces: Set(usable.compactMap { links[$0.interface]?.name }).sorted())
    }
}

// SPDX-License-Identifier: MIT

import Glibc

/// A message of rtnetlink (RFC 3549; linux/rtnetlink.h), as far as reachability needs it.
enum NetlinkMessage: Equatable {
    /// An interface appeared or changed.
    case link(index: Int32, name: String, isUp: Bool, isUsable: Bool)
    /// An interface disappeared.
    case linkGone(index: Int32)
    /// A default route of the main table appeared or disappeared.
    case defaultRoute(DefaultRoute, isNew: Bool)
    /// The end of a dump.
    case done
    /// The kernel refused a request, with the number of the error.
    case error(Int32)
    /// Anything else, addresses included: they change the state only through routes.
    case other

    /// Identifies a default route.
    struct DefaultRoute: Hashable {
        var isIPv6: Bool
        var interface: Int32
        var metric: UInt32
    }

    /// The messages of one datagram. A truncated or inconsistent message ends the reading: the kernel does not send it.
    static func parse(_ bytes: UnsafeRawBufferPointer) -> [NetlinkMessage] {
        var messages: [NetlinkMessage] = []
        var rest = NetlinkReader(bytes)
        while let length = rest.peek32(at: 0), length >= 16, let message = rest.take(Int(length), aligned: true) {
            messages.append(one(message))
        }
        return messages
    }

    private static func one(_ message: NetlinkReader) -> NetlinkMessage {
        guard let type = message.peek16(at: 4), let body = message.dropping(16) else { return .other }
        switch Int32(type) {
        case 3: return .done
        case 2: return .error(-(Int32(bitPattern: body.peek32(at: 0) ?? 0)))
        case 16: return link(body) ?? .other
        case 17: return body.peek32(at: 4).map { .linkGone(index: Int32(bitPattern: $0)) } ?? .other
        case 24: return route(body, isNew: true) ?? .other
        case 25: return route(body, isNew: false) ?? .other
        default: return .other
        }
    }

    /// struct ifinfomsg: family, padding, type, index, flags, change; then attributes.
    private static func link(_ body: NetlinkReader) -> NetlinkMessage? {
        guard let index = body.peek32(at: 4), let flags = body.peek32(at: 8), let attributes = body.dropping(16) else {
            return nil
        }
        var name = ""
        attributes.forEachAttribute { type, value in
            if type == 3 { name = value.text }
        }
        // Up, running (which means carrier), and not loopback.
        let isUsable = flags & 0x1 != 0 && flags & 0x40 != 0 && flags & 0x8 == 0
        return .link(index: Int32(bitPattern: index), name: name, isUp: flags & 0x1 != 0, isUsable: isUsable)
    }

    /// struct rtmsg: family, lengths of destination and source, TOS, table, protocol, scope, type, flags.
    private static func route(_ body: NetlinkReader, isNew: Bool) -> NetlinkMessage? {
        guard let family = body.peek8(at: 0), let destinationLength = body.peek8(at: 1),
            let shortTable = body.peek8(at: 4),
            let type = body.peek8(at: 7), let attributes = body.dropping(12)
        else { return nil }
        guard family == 2 || family == 10, destinationLength == 0, type == 1 else { return .other }
        var route = DefaultRoute(isIPv6: family == 10, interface: 0, metric: 0)
        var table = UInt32(shortTable)
        attributes.forEachAttribute { type, value in
            switch type {
            case 4: route.interface = Int32(bitPattern: value.peek32(at: 0) ?? 0)
            case 6: route.metric = value.peek32(at: 0) ?? 0
            case 15: table = value.peek32(at: 0) ?? table
            // Several next hops: the first interface stands for them.
            case 9: route.interface = Int32(bitPattern: value.peek32(at: 4) ?? 0)
            default: break
            }
        }
        return table == 254 && route.interface > 0 ? .defaultRoute(route, isNew: isNew) : .other
    }
}

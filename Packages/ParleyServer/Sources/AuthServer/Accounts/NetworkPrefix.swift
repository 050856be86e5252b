// SPDX-License-Identifier: MIT

import Glibc

/// The part of an IP address that identifies one household or company: the first 24 bits of IPv4, the first 56 of IPv6
/// (the size that RFC 6177 expects providers to give a home). Limits count by it, since a single host can change the
/// rest at will.
public struct NetworkPrefix: Sendable, Hashable, CustomStringConvertible {
    /// In CIDR notation, for example `192.0.2.0/24`.
    public let value: String

    /// The prefix of an address in text form. All invalid addresses share one prefix.
    public init(address: String) {
        // An interface's name may follow a link-local address.
        self = NetworkPrefix(literal: String(address.prefix { $0 != "%" })) ?? NetworkPrefix(value: "unknown")
    }

    private init(value: String) { self.value = value }

    /// The prefix of a plain IP address: no port, no brackets, no interface, no name.
    public init?(literal text: String) {
        var four = in_addr()
        var six = in6_addr()
        guard !text.utf8.contains(0) else { return nil }
        if inet_pton(AF_INET, text, &four) == 1 {
            value = Self.four(withUnsafeBytes(of: four) { Array($0) })
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            let bytes = withUnsafeBytes(of: six) { Array($0) }
            // RFC 4291 §2.5.5.2: an IPv4 address as a socket for both families reports it.
            if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
                value = Self.four(Array(bytes[12...]))
            } else {
                value = Self.six(bytes)
            }
        } else {
            return nil
        }
    }

    private static func four(_ bytes: [UInt8]) -> String { "\(bytes[0]).\(bytes[1]).\(bytes[2]).0/24" }

    private static func six(_ bytes: [UInt8]) -> String {
        let kept = bytes.prefix(7) + [0]
        let groups = stride(from: 0, to: 8, by: 2).map { index in
            String(UInt16(kept[kept.startIndex + index]) << 8 | UInt16(kept[kept.startIndex + index + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "::/56"
    }

    /// The CIDR notation.
    public var description: String { value }
}

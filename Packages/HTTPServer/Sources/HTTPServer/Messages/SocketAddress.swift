// SPDX-License-Identifier: MIT

import Concurrency
import Glibc

/// An address of IPv4 or IPv6 with a port.
public struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address in its usual form, such as `127.0.0.1` or `::1`; an IPv4 address that arrived over IPv6 is written
    /// as IPv4.
    public let host: String
    /// The port.
    public let port: Int
    /// True if the address is one of IPv6.
    public var isVersion6: Bool { host.contains(":") }

    /// An address.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The address in the form of a URL.
    public var description: String { isVersion6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The address of a socket that listens; nil for one in the file system.
    init?(_ address: ListeningSocket.Address) {
        guard case .tcp(let host, let port) = address else { return nil }
        self.init(host: host, port: port)
    }

    /// Reads an address from the system; `nil` for another family than IPv4 and IPv6.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case SocketConstants.ipv4:
            // SAFETY: the family says that it is a sockaddr_in; it is read at any alignment.
            var value = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
            host = Self.text(SocketConstants.ipv4, &value.sin_addr)
            port = Int(UInt16(bigEndian: value.sin_port))
        case SocketConstants.ipv6:
            // SAFETY: as above, for a sockaddr_in6.
            var value = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
            let text = Self.text(SocketConstants.ipv6, &value.sin6_addr)
            let mapped = "::ffff:"
            host = text.hasPrefix(mapped) && text.contains(".") ? String(text.dropFirst(mapped.utf8.count)) : text
            port = Int(UInt16(bigEndian: value.sin6_port))
        default:
            return nil
        }
    }

    private static func text(_ family: Int32, _ address: UnsafeRawPointer) -> String {
        String(unsafeUninitializedCapacity: 46) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                guard inet_ntop(family, address, characters.baseAddress, 46) != nil else { return 0 }
                return characters.firstIndex(of: 0) ?? 0
            }
        }
    }
}

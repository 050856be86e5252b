// SPDX-License-Identifier: MIT

import Glibc

/// A port of 127.0.0.1 that refuses connections. The process keeps it bound, so that no server gets it.
public let refusingPort = boundPort.number

private let boundPort = BoundPort()

/// A port that was free.
private final class BoundPort: Sendable {
    let number: Int
    private let descriptor: Int32

    init() {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = bind(descriptor, pointer, length)
                _ = getsockname(descriptor, pointer, &length)
            }
        }
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }
}

/// Ports of 127.0.0.1 that nobody listens on at the moment, for a server that takes no port 0. Another one may be faster.
public func freePorts(_ count: Int) -> [Int] {
    let ports = (0..<count).map { _ in BoundPort() }
    return withExtendedLifetime(ports) { ports.map(\.number) }
}

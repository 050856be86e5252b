// SPDX-License-Identifier: MIT

import Concurrency
import Glibc

/// Sockets of the loopback interface.
enum ProxySocket {
    /// Listens on a port that the system chooses.
    static func listen() -> (socket: ListeningSocket, port: UInt16)? {
        guard let socket = try? ListeningSocket(.tcp(host: "127.0.0.1", port: 0)),
            case .tcp(_, let port) = socket.address
        else { return nil }
        return (socket, UInt16(port))
    }

    /// Begins to connect to a port of 127.0.0.1.
    static func connect(port: UInt16) -> Int32 {
        let descriptor = make()
        guard descriptor >= 0 else { return -1 }
        var address = address(port: port)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }

    /// Closes so that the peer gets a reset instead of an end.
    static func reset(_ descriptor: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close(descriptor)
    }

    private static func make() -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, type, 0)
        if descriptor >= 0 { ListeningSocket.sendAtOnce(descriptor) }
        return descriptor
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

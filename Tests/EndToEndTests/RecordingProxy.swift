// SPDX-License-Identifier: MIT

import Concurrency
import Glibc

/// A port of 127.0.0.1 that passes everything on to another one, and keeps a copy of all bytes.
final class RecordingProxy: Sendable {
    private let listener: Int32
    private let target: UInt16
    /// The address for clients, without a path.
    let address: String
    private let copy = Guarded<[UInt8]>([])

    /// All bytes so far, those of both directions.
    var bytes: [UInt8] { copy.withLock { $0 } }

    struct NoPort: Error {}

    init(to target: UInt16) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0, Self.withAddress(0, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 64) == 0
        else { throw NoPort() }
        var (bound, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let isNamed = withUnsafeMutablePointer(to: &bound) { bound in
            bound.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) == 0 }
        }
        guard isNamed else { throw NoPort() }
        (self.target, listener) = (target, descriptor)
        address = "http://127.0.0.1:\(UInt16(bigEndian: bound.sin_port))"
        _ = DetachedThread.start { [self] in accept() }
    }

    /// Takes no more connections.
    func close() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func accept() {
        while case let client = Glibc.accept(listener, nil, nil), client >= 0 {
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
                Glibc.close(client)
                Glibc.close(server)
                continue
            }
            let ends = Guarded(2)
            for (from, to) in [(client, server), (server, client)] {
                _ = DetachedThread.start { [self] in
                    pass(from, to)
                    shutdown(to, Int32(SHUT_WR))
                    let isLast = ends.withLock { count in
                        count -= 1
                        return count == 0
                    }
                    guard isLast else { return }
                    Glibc.close(client)
                    Glibc.close(server)
                }
            }
        }
        Glibc.close(listener)
    }

    private func pass(_ from: Int32, _ to: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(from, &buffer, buffer.count, 0), count > 0 {
            copy.withLock { $0 += buffer[..<count] }
            var sent = 0
            while sent < count {
                let written = buffer[sent..<count].withUnsafeBytes {
                    send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { return }
                sent += written
            }
        }
    }

    private static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation

/// A wire that can be watched: it passes bytes between a client and a server on, and notes when they were there, which is
/// after they were read from the client, and before they are written to it. What the server and this take on the other
/// side is thereby no part of the client's time.
final class Tap: Sendable {
    let port: UInt16
    private let listener: Int32

    init(to server: UInt16, _ journal: Journal) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw Failure("the tap cannot listen: \(errno)") }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        let thread = Thread {
            var link = 0
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let far = Self.connect(to: server) else {
                    close(client)
                    continue
                }
                link += 1
                Self.join(client, far, link: link, journal)
            }
        }
        thread.start()
    }

    private static func join(_ client: Int32, _ server: Int32, link: Int, _ journal: Journal) {
        for socket in [client, server] {
            var one: Int32 = 1
            setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        }
        Thread { pass(from: client, to: server) { journal.note(link: link, isFromClient: true, $0, at: $1) } }.start()
        Thread { pass(from: server, to: client) { journal.note(link: link, isFromClient: false, $0, at: $1) } }.start()
    }

    /// The sockets stay open until the process ends: each belongs to two threads.
    private static func pass(from source: Int32, to target: Int32, _ note: (Data, UInt64) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while case let count = recv(source, &buffer, buffer.count, 0), count > 0 {
            let moment = Journal.now
            var sent = 0
            while sent < count {
                let more = buffer.withUnsafeBytes { bytes in
                    send(target, bytes.baseAddress?.advanced(by: sent), count - sent, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { break }
                sent += more
            }
            note(Data(buffer[..<count]), moment)
        }
        shutdown(target, Int32(SHUT_WR))
    }

    private static func connect(to port: UInt16) -> Int32? {
        let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(far)
            return nil
        }
        return far
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }
}

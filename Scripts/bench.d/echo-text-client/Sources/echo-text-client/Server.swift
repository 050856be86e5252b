// SPDX-License-Identifier: MIT

import Foundation

/// A server of one stream: it answers whatever is asked with the events that it is told to write.
final class Server: Sendable {
    let port: UInt16

    /// - Parameter write: Writes the body, on a thread of its own: `send` takes the text of one or more events.
    init(_ write: @escaping @Sendable (_ send: (String) -> Void) -> Void) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                precondition(bind(listener, address, length) == 0 && listen(listener, 8) == 0)
                precondition(getsockname(listener, address, &length) == 0)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        let thread = Thread {
            let connection = accept(listener, nil, nil)
            var one: Int32 = 1
            setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            var request = [UInt8](repeating: 0, count: 64 << 10)
            _ = recv(connection, &request, request.count, 0)
            func send(_ text: String) {
                var rest = Array(text.utf8)[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes {
                        Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard count > 0 else { return }
                    rest = rest.dropFirst(count)
                }
            }
            send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
            write(send)
            // Closing with something unread would be a reset, which throws away what the client has not read.
            shutdown(connection, Int32(SHUT_WR))
            while recv(connection, &request, request.count, 0) > 0 {}
            close(connection)
            close(listener)
        }
        thread.start()
    }
}

// SPDX-License-Identifier: MIT

import Foundation

/// A socket to a port of this machine that sends exactly what a test says.
final class RawConnection: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let socket: Int32

    /// - Parameter waits: How many seconds a call waits for the server, at most.
    init(port: Int, waits: Int = 60) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var timeout = timeval(tv_sec: waits, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "connect: \(String(cString: strerror(errno)))") }
    }

    deinit {
        close(socket)
    }

    /// Whether all of it was taken.
    @discardableResult func send(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Whether the server closes the connection, or has something to say, within some milliseconds.
    func isReadable(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) == 1
    }

    /// Everything until the server closes the connection.
    func readToEnd() throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count == 0 || (count < 0 && errno == ECONNRESET) { return String(decoding: bytes, as: UTF8.self) }
            guard count > 0 else { throw Failure(description: "recv: \(String(cString: strerror(errno)))") }
            bytes += buffer.prefix(count)
        }
    }

    /// What the server says to some bytes until it closes the connection.
    static func answer(to text: String, port: Int) async throws -> String {
        try await onThread {
            let connection = try RawConnection(port: port)
            connection.send(text.utf8)
            return try connection.readToEnd()
        }
    }

    /// Runs what blocks on a thread of its own.
    static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}

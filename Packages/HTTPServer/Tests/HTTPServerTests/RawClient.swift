// SPDX-License-Identifier: MIT

import Glibc
import Networking

/// A socket that sends exactly what a test says, and reads until a condition holds. Its calls wait on a thread of their
/// own, at most 100 seconds, so that a server that says nothing fails the test instead of holding it up.
final class RawClient: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// One answer.
    struct Answer: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let socket: Int32

    /// Connects to a port of this machine.
    init(port: Int, version6: Bool = false) throws {
        socket = Glibc.socket(
            version6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var timeout = timeval(tv_sec: 100, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var noDelay: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, socklen_t(MemoryLayout<Int32>.size))
        let result: Int32
        if version6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = UInt16(port).bigEndian
            address.sin6_addr = in6addr_loopback
            result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        guard result == 0 else { throw Failure(description: "connect: \(String(cString: strerror(errno)))") }
    }

    deinit {
        close(socket)
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "send: \(String(cString: strerror(errno)))") }
            sent += count
        }
    }

    /// Sends nothing more.
    func finish() {
        shutdown(socket, Int32(SHUT_WR))
    }

    /// Resets the connection.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Goes away.
    func hangUp() {
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Whether the server has said something, or has closed the connection, within ten milliseconds.
    var hasSomethingToRead: Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 10) == 1
    }

    /// The next bytes; empty at the end.
    private func receive() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(socket, &buffer, buffer.count, 0)
        if count < 0, errno == ECONNRESET { return [] }
        guard count >= 0 else { throw Failure(description: "recv: \(String(cString: strerror(errno)))") }
        return Array(buffer.prefix(count))
    }

    /// Everything until the server closes the connection.
    func readToEnd() async throws -> [UInt8] {
        try await onThread {
            var bytes: [UInt8] = []
            while true {
                let chunk = try self.receive()
                if chunk.isEmpty { return bytes }
                bytes += chunk
            }
        }
    }

    /// How many bytes come until the server closes the connection.
    func countToEnd() async throws -> Int {
        try await onThread {
            var count = 0
            while true {
                let chunk = try self.receive()
                if chunk.isEmpty { return count }
                count += chunk.count
            }
        }
    }

    /// Bytes until they have this text in them.
    func read(until text: String) async throws -> String {
        try await onThread {
            var bytes: [UInt8] = []
            while true {
                let chunk = try self.receive()
                bytes += chunk
                let all = String(decoding: bytes, as: UTF8.self)
                if all.contains(text) { return all }
                if chunk.isEmpty { throw Failure(description: "the end came before \(text); there was: \(all)") }
            }
        }
    }

    /// One answer with a length, byte by byte, so that what follows it stays unread.
    func readAnswer(hasBody: Bool = true) async throws -> Answer {
        try await onThread {
            var head: [UInt8] = []
            while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
                var byte: UInt8 = 0
                guard recv(self.socket, &byte, 1, 0) == 1 else {
                    throw Failure(description: "no answer, but: \(String(decoding: head, as: UTF8.self))")
                }
                head.append(byte)
            }
            var answer = try Self.parse(head)
            guard hasBody, let length = answer.headers["Content-Length"].flatMap({ Int($0) }) else { return answer }
            answer.body = [UInt8](repeating: 0, count: length)
            var count = 0
            while count < length {
                let part = answer.body.withUnsafeMutableBytes {
                    recv(self.socket, $0.baseAddress.map { $0 + count }, length - count, 0)
                }
                guard part > 0 else { throw Failure(description: "the body broke off") }
                count += part
            }
            return answer
        }
    }

    private static func parse(_ head: [UInt8]) throws -> Answer {
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw Failure(description: "no status line: \(lines.first ?? "")")
        }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw Failure(description: "no field: \(line)") }
            headers.add(name: String(parts[0]), value: String(parts[1].drop { $0 == " " }))
        }
        return Answer(status: status, headers: headers, body: [])
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await TestThread.run(body)
    }
}

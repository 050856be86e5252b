// SPDX-License-Identifier: MIT

import Glibc

/// A socket that accepts connections.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    let address: SocketAddress

    /// Opens, binds and listens.
    init(host: String, port: Int) throws(HTTPServerError) {
        let found = try Self.resolve(host: host, port: port)
        defer { freeaddrinfo(found) }
        let descriptor = socket(
            found.pointee.ai_family,
            found.pointee.ai_socktype | SocketConstants.closeOnExec | SocketConstants.nonBlocking,
            0)
        guard descriptor >= 0 else {
            throw HTTPServerError(code: .resources, message: "The system has no more sockets: \(Self.errorText).")
        }
        do throws(HTTPServerError) {
            Self.set(descriptor, SocketConstants.socketLevel, SocketConstants.reuseAddress, 1)
            if found.pointee.ai_family == SocketConstants.ipv6 {
                // `::` means every address of both families; any other address means itself.
                Self.set(descriptor, SocketConstants.ipv6Level, SocketConstants.ipv6Only, host == "::" ? 0 : 1)
            }
            guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
                listen(descriptor, SocketConstants.longestBacklog) == 0
            else { throw Self.bindError(host: host, port: port) }
            guard let address = Self.localAddress(of: descriptor) else {
                throw HTTPServerError(code: .resources, message: "The socket has no address: \(Self.errorText).")
            }
            self.address = address
            self.descriptor = descriptor
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    /// Accepts no more connections; those in the queue are reset.
    func shutDown() {
        _ = shutdown(descriptor, SocketConstants.shutBoth)
    }

    func close() {
        Glibc.close(descriptor)
    }

    private static func resolve(host: String, port: Int) throws(HTTPServerError) -> UnsafeMutablePointer<addrinfo> {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_family = SocketConstants.anyFamily
        hints.ai_socktype = SocketConstants.stream
        var found: UnsafeMutablePointer<addrinfo>?
        guard (0...65535).contains(port), getaddrinfo(host, "\(port)", &hints, &found) == 0, let found else {
            throw HTTPServerError(
                code: .addressUnavailable,
                message: "\(host):\(port) is not an address. Give an IPv4 or IPv6 address and a port from 0 to 65535.")
        }
        return found
    }

    private static func localAddress(of descriptor: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &length) == 0 ? SocketAddress(address) : nil
            }
        }
    }

    static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func bindError(host: String, port: Int) -> HTTPServerError {
        let place = SocketAddress(host: host, port: port)
        if errno == EADDRINUSE {
            return HTTPServerError(
                code: .addressInUse, message: "Another program listens on \(place). End it, or use port 0.")
        }
        return HTTPServerError(
            code: .addressUnavailable,
            message: "Listening on \(place) is not possible: \(errorText). Ports below 1024 need a privilege.")
    }

    private static var errorText: String { String(cString: strerror(errno)) }
}

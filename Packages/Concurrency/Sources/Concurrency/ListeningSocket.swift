// SPDX-License-Identifier: MIT

public import Glibc

/// A socket that accepts connections, over TCP or at a path of this machine. It never blocks.
public final class ListeningSocket: Sendable {
    /// The place to listen at.
    public enum Address: Sendable, Hashable, CustomStringConvertible {
        /// An IPv4 or IPv6 address without brackets, and a port; with port 0 the system chooses one. `::` means every
        /// address of both families.
        case tcp(host: String, port: Int)
        /// The path of a socket, which only the owner can connect to (mode 0600, and the peer's user is asked for). Its folder
        /// must exist.
        case path(String)

        /// The address as people write it.
        public var description: String {
            switch self {
            case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
            case .path(let path): path
            }
        }
    }

    /// The socket; −1 once it is closed.
    public var descriptor: Int32 { current.withLock { $0 } }
    /// The place, with the port that the system has chosen.
    public let address: Address
    /// The inode of the socket at its path.
    private let node: ino_t?
    private let current: Guarded<Int32>

    /// Opens a socket and listens.
    ///
    /// A path that a killed program has left behind is taken over.
    ///
    /// - Parameter backlog: The most connections that wait to be accepted; the system may have a lower limit.
    public init(_ address: Address, backlog: Int32 = 4_096) throws(SocketError) {
        switch address {
        case .tcp(let host, let port):
            let descriptor = try Self.listen(host, port, backlog)
            self.address = .tcp(host: host, port: Self.port(of: descriptor) ?? port)
            node = nil
            current = Guarded(descriptor)
        case .path(let path):
            let (descriptor, node) = try Self.listen(at: path, backlog)
            (self.address, self.node) = (address, node)
            current = Guarded(descriptor)
        }
    }

    /// The next connection, which closes with exec; nil if none waits, the one that waited has gone, or it is of another user
    /// at a path.
    ///
    /// - Parameter isBlocking: True for a connection whose calls block.
    /// - Throws: ``SocketError`` with `outOfResources`: the connection still waits.
    public func accept(isBlocking: Bool = false) throws(SocketError) -> Int32? {
        let connection = Glibc.accept(descriptor, nil, nil)
        guard connection >= 0 else {
            guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) else { return nil }
            throw SocketError(.outOfResources, "No more connections can be accepted: \(Self.reason).")
        }
        if case .path = address, !Self.isOwn(connection) {
            Glibc.close(connection)
            return nil
        }
        if !isBlocking { _ = fcntl(connection, F_SETFL, O_NONBLOCK) }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        if case .tcp = address { Self.sendAtOnce(connection) }
        return connection
    }

    /// True if the peer's program runs as this process's user (SO_PEERCRED, unix(7)).
    private static func isOwn(_ connection: Int32) -> Bool {
        // struct ucred, which Glibc shows to GNU programs alone: process, user, group.
        var peer: [UInt32] = [0, .max, .max]
        var length = socklen_t(MemoryLayout<UInt32>.stride * peer.count)
        return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer[1] == geteuid()
    }

    /// Accepts no more connections; those that wait are reset.
    public func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Closes the socket and removes its path. Calling it again does nothing.
    public func close() {
        current.withLock { descriptor in
            guard descriptor >= 0 else { return }
            // While it is open, no other program takes the path over.
            if case .path(let path) = address, node != nil, Self.node(at: path) == node { unlink(path) }
            Glibc.close(descriptor)
            descriptor = -1
        }
    }

    /// Sends small pieces over TCP at once, instead of waiting for the acknowledgement of the ones before.
    public static func sendAtOnce(_ connection: Int32) {
        set(connection, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    }

    private static func listen(_ host: String, _ port: Int, _ backlog: Int32) throws(SocketError) -> Int32 {
        let place = Address.tcp(host: host, port: port)
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard (0...65_535).contains(port), getaddrinfo(host, "\(port)", &hints, &found) == 0, let found else {
            throw SocketError(
                .invalidAddress,
                "\(place) is not an address. Give an IPv4 or IPv6 address and a port from 0 to 65535.")
        }
        defer { freeaddrinfo(found) }
        let descriptor = try open(found.pointee.ai_family)
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if found.pointee.ai_family == AF_INET6 {
            set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, host == "::" ? 0 : 1)
        }
        guard bind(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
            Glibc.listen(descriptor, backlog) == 0
        else {
            defer { Glibc.close(descriptor) }
            throw failure(at: place)
        }
        return descriptor
    }

    private static func listen(at path: String, _ backlog: Int32) throws(SocketError) -> (Int32, ino_t?) {
        let descriptor = try open(AF_UNIX)
        // The path appears when the socket listens already. A program that sees it earlier is refused, and takes it for abandoned.
        let hidden = "\(path).\(getpid()).\(descriptor)"
        unlink(hidden)
        let isListening =
            LocalSocketAddress.use(hidden) { bind(descriptor, $0, $1) } == 0 && chmod(hidden, 0o600) == 0
            && Glibc.listen(descriptor, backlog) == 0
        let node = isListening ? node(at: hidden) : nil
        var isThere = isListening && link(hidden, path) == 0
        if isListening, !isThere, errno == EEXIST {
            let isSocket = Self.node(at: path) != nil
            // If another program has just removed it, the path is free, too.
            removeAbandoned(path)
            isThere = link(hidden, path) == 0
            errno = isSocket ? EADDRINUSE : EEXIST
        }
        let error = errno
        unlink(hidden)
        guard isThere else {
            Glibc.close(descriptor)
            errno = error
            throw failure(at: .path(path))
        }
        return (descriptor, node)
    }

    /// The inode of the socket at a path; nil for another file or a link, which must not be replaced.
    private static func node(at path: String) -> ino_t? {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK ? status.st_ino : nil
    }

    /// Removes the socket at a path if no program listens at it any more. False if another program has replaced it
    /// meanwhile: its socket is put back.
    @discardableResult
    package static func removeAbandoned(_ path: String) -> Bool {
        guard let node = node(at: path), let probe = try? open(AF_UNIX) else { return false }
        defer { Glibc.close(probe) }
        let aside = "\(path).\(getpid()).\(probe).old"
        guard LocalSocketAddress.use(path, { connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED,
            rename(path, aside) == 0
        else { return false }
        defer { unlink(aside) }
        guard Self.node(at: aside) == node else {
            _ = link(aside, path)
            return false
        }
        return true
    }

    private static func open(_ family: Int32) throws(SocketError) -> Int32 {
        let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(family, Int32(type), 0)
        guard descriptor >= 0 else {
            throw SocketError(.outOfResources, "The system has no more sockets: \(reason).")
        }
        return descriptor
    }

    private static func port(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            // SAFETY: the storage is large and aligned enough for every family, and both begin with family and port.
            guard let start = bytes.baseAddress,
                getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &length) == 0
            else { return nil }
            return Int(UInt16(bigEndian: start.load(fromByteOffset: 2, as: UInt16.self)))
        }
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func failure(at place: Address) -> SocketError {
        if errno == EADDRINUSE {
            return SocketError(
                .addressInUse,
                "Another program listens on \(place). End it, or choose another \(place.isPath ? "path" : "port").")
        }
        if errno == EEXIST {
            return SocketError(
                .addressUnavailable, "\(place) is there, and is no socket. Remove it, or choose another path.")
        }
        return SocketError(
            .addressUnavailable,
            "Listening on \(place) is not possible: \(reason)."
                + (place.isPath ? "" : " Ports below 1024 need a privilege."))
    }

    private static var reason: String { String(cString: strerror(errno)) }
}

extension ListeningSocket.Address {
    fileprivate var isPath: Bool { if case .path = self { true } else { false } }
}

/// The address of a socket in the file system.
public enum LocalSocketAddress {
    /// Calls `body` with the address of a path of any length, for `bind` and `connect`; −1 with `errno` if the folder
    /// is missing or the name is too long.
    ///
    /// An address holds 107 bytes and a path may be longer, so the folder is identified by its descriptor (proc(5)).
    public static func use(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let parent = parts.dropLast().joined(separator: "/")
        let folder = open(
            parts.count == 1 ? "." : parent.isEmpty ? "/" : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return -1 }
        defer {
            let error = errno
            Glibc.close(folder)
            errno = error
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array("/proc/self/fd/\(folder)/\(parts.last ?? "")".utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return -1
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

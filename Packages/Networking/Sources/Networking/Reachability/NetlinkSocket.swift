// SPDX-License-Identifier: MIT

import Concurrency
import Glibc

/// A socket of rtnetlink that receives links and routes, and an event that wakes its waiting thread.
final class NetlinkSocket: Sendable {
    private let descriptor: Int32
    /// Ends `receive`.
    private let end = WakePipe()

    /// Opens the socket.
    ///
    /// - Throws: `NetworkError` with the code `other` if the system forbids it.
    init() throws(NetworkError) {
        // NETLINK_ROUTE is 0; Glibc's module lacks netlink's headers, so the address is laid out by hand.
        descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0, end.isOpen, Self.bindToGroups(descriptor) else { throw Self.failure("opened") }
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// struct sockaddr_nl: family and padding of 16 bits, port and groups of 32.
    private static func bindToGroups(_ descriptor: Int32) -> Bool {
        // RTMGRP_LINK, IPV4_IFADDR, IPV4_ROUTE, IPV6_IFADDR, IPV6_ROUTE
        let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
        var address = [UInt8](repeating: 0, count: 12)
        return address.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: UInt16(AF_NETLINK), as: UInt16.self)
            bytes.storeBytes(of: groups, toByteOffset: 8, as: UInt32.self)
            guard let start = bytes.baseAddress else { return false }
            return bind(descriptor, start.assumingMemoryBound(to: sockaddr.self), 12) == 0
        }
    }

    /// Requests everything of a kind: links (18) or routes (26), each in one dump that ends with `done`.
    func requestDump(_ type: UInt16) throws(NetworkError) {
        // nlmsghdr of 16 bytes, then rtgenmsg: family 0, which means all. NLM_F_REQUEST | NLM_F_DUMP.
        var request = [UInt8](repeating: 0, count: 20)
        request.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: 20, as: UInt32.self)
            bytes.storeBytes(of: type, toByteOffset: 4, as: UInt16.self)
            bytes.storeBytes(of: 0x1 | 0x300, toByteOffset: 6, as: UInt16.self)
        }
        guard Glibc.send(descriptor, request, request.count, 0) == request.count else { throw Self.failure("asked") }
    }

    /// Waits for a datagram; blocks the thread.
    ///
    /// - Returns: Its messages; empty if the kernel had to drop some, so that everything must be requested again; `nil`
    ///   after `interrupt`.
    func receive() throws(NetworkError) -> [NetlinkMessage]? {
        while end.wait(for: descriptor) == .ready {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                if errno == ENOBUFS { return [] }
                throw Self.failure("read")
            }
            return buffer.withUnsafeBytes { NetlinkMessage.parse(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        return nil
    }

    /// Makes `receive` return, from any thread.
    func interrupt() { end.wake() }

    private static func failure(_ what: String) -> NetworkError {
        let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        return NetworkError(
            code: .other,
            message:
                "The kernel's network state cannot be \(what) (\(reason)). Allow AF_NETLINK sockets in the sandbox.")
    }
}

// SPDX-License-Identifier: MIT

import CMicroHTTPD

/// The constants of sys/socket.h, netinet/in.h and netinet/tcp.h that the server uses.
///
/// Swift finds the originals through whichever clang module included the headers first, so that a file compiles or
/// fails by the order in which the compiler loads modules. These come from this package's own shim.
enum SocketConstants {
    // The family of an address.
    static let anyFamily = cmhd_AF_UNSPEC
    static let local = cmhd_AF_UNIX
    static let ipv4 = cmhd_AF_INET
    static let ipv6 = cmhd_AF_INET6

    // The type of a socket and its flags.
    static let stream = cmhd_SOCK_STREAM
    static let closeOnExec = cmhd_SOCK_CLOEXEC
    static let nonBlocking = cmhd_SOCK_NONBLOCK

    // The level of an option.
    static let socketLevel = cmhd_SOL_SOCKET
    static let ipv6Level = cmhd_IPPROTO_IPV6
    static let tcpLevel = cmhd_IPPROTO_TCP

    // Options.
    static let reuseAddress = cmhd_SO_REUSEADDR
    static let ipv6Only = cmhd_IPV6_V6ONLY
    static let noDelay = cmhd_TCP_NODELAY

    // Flags of sending and receiving.
    static let noSignal = cmhd_MSG_NOSIGNAL
    static let dontWait = cmhd_MSG_DONTWAIT

    // The directions that `shutdown` ends.
    static let shutReading = cmhd_SHUT_RD
    static let shutWriting = cmhd_SHUT_WR
    static let shutBoth = cmhd_SHUT_RDWR

    // The longest queue of connections that wait to be accepted.
    static let longestBacklog = cmhd_SOMAXCONN
}

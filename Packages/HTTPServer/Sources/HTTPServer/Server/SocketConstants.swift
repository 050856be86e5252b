// SPDX-License-Identifier: MIT

import CMicroHTTPD

/// The constants of sys/socket.h and netinet/in.h that the server uses.
///
/// Swift finds the originals through whichever clang module included the headers first, so that a file compiles or
/// fails by the order in which the compiler loads modules. These come from this package's own shim.
enum SocketConstants {
    // The family of an address.
    static let local = cmhd_AF_UNIX
    static let ipv4 = cmhd_AF_INET
    static let ipv6 = cmhd_AF_INET6

    // The type of a socket and its flags.
    static let stream = cmhd_SOCK_STREAM
    static let closeOnExec = cmhd_SOCK_CLOEXEC
    static let nonBlocking = cmhd_SOCK_NONBLOCK

    // Flags of sending and receiving.
    static let noSignal = cmhd_MSG_NOSIGNAL
    static let dontWait = cmhd_MSG_DONTWAIT

    // The directions that `shutdown` ends.
    static let shutReading = cmhd_SHUT_RD
    static let shutWriting = cmhd_SHUT_WR
    static let shutBoth = cmhd_SHUT_RDWR
}

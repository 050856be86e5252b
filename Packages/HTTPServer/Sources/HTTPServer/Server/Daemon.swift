// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Concurrency
import Glibc

/// libmicrohttpd, running: one ``DaemonThread`` for each thread that serves connections, all on one listening socket.
final class Daemon: Sendable {
    private let threads: [DaemonThread]

    /// TLS 1.2 and 1.3 with the library's ordinary choice of ciphers, for GnuTLS.
    private static let tlsPriorities = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

    /// Starts the threads.
    ///
    /// - Parameter tls: The certificate; nil for plain HTTP.
    init(_ core: ServerCore, socket: ListeningSocket, tls: HTTPServerConfiguration.TLS?) throws(HTTPServerError) {
        let count = max(1, core.configuration.threads)
        var texts: [(option: MHD_OPTION, text: String)] = []
        if let tls {
            texts = [
                (.HTTPS_MEM_CERT, tls.certificateChain), (.HTTPS_MEM_KEY, tls.privateKey),
                (.HTTPS_PRIORITIES, Self.tlsPriorities),
            ]
        }
        var threads: [DaemonThread] = []
        do throws(HTTPServerError) {
            for _ in 0..<count {
                threads.append(
                    try DaemonThread(
                        core, socket: socket, options: Self.options(core.configuration, threads: count), texts: texts))
            }
        } catch {
            for thread in threads { thread.stop() }
            throw error
        }
        self.threads = threads
    }

    /// Accepts no more connections, from some moment after this returns.
    func quiesce() {
        for thread in threads { thread.quiesce() }
    }

    /// True once no connection is open and none will be.
    var isFinished: Bool { threads.allSatisfy(\.isFinished) }

    /// Closes every connection and joins the threads; blocks. No connection may be suspended, and nothing may be called
    /// afterwards.
    func stop() {
        for thread in threads { thread.stop() }
    }

    private static func options(_ configuration: HTTPServerConfiguration, threads: Int) -> [MHD_OptionItem] {
        let connections = max(1, (configuration.maximumConnections + threads - 1) / threads)
        var options = [
            option(.CONNECTION_MEMORY_LIMIT, max(16 << 10, 2 * configuration.maximumHeaderBytes)),
            option(.CONNECTION_LIMIT, connections),
            // The watch has every deadline; the library's own would count a byte now and then as activity.
            option(.CONNECTION_TIMEOUT, 0),
        ]
        // Up to 0.9.75 this makes the library close connections without an answer for the faults that `RequestHead`
        // answers with problem details; later versions accept bare LF and folded lines without it.
        if isNewer(String(cString: MHD_get_version()), than: [0, 9, 75]) {
            options.append(option(.STRICT_FOR_CLIENT, 1))
        }
        return options
    }

    /// Compares dotted numbers. The library's version is that of the machine, not of the headers: both have one soname.
    static func isNewer(_ version: String, than other: [Int]) -> Bool {
        let numbers = version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
        return other.lexicographicallyPrecedes(numbers)
    }

    static func option(_ option: MHD_OPTION, _ value: Int) -> MHD_OptionItem {
        MHD_OptionItem(option: option, value: value, ptr_value: nil)
    }
}

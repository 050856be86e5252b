// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Glibc

/// A running libmicrohttpd.
// SAFETY: the pointers are set once; the library locks for itself; `stop` is called once, by the server.
final class Daemon: @unchecked Sendable {
    private let daemon: OpaquePointer
    private let context: Unmanaged<ServerCore>
    /// Texts that the library keeps pointers to.
    private let texts: [UnsafeMutablePointer<CChar>]

    /// TLS 1.2 and 1.3 with the library's ordinary choice of ciphers, for GnuTLS.
    private static let tlsPriorities = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

    /// Starts the threads.
    init(_ core: ServerCore, socket: ListeningSocket) throws(HTTPServerError) {
        let configuration = core.configuration
        var texts: [UnsafeMutablePointer<CChar>] = []
        var options = [
            Self.option(.LISTEN_SOCKET, Int(socket.descriptor)),
            Self.option(.CONNECTION_MEMORY_LIMIT, max(16 << 10, 2 * configuration.maximumHeaderBytes)),
            Self.option(.CONNECTION_LIMIT, max(1, configuration.maximumConnections)),
            Self.option(.PER_IP_CONNECTION_LIMIT, max(0, configuration.maximumConnectionsPerAddress)),
            // The watch has every deadline; the library's own would count a byte now and then as life.
            Self.option(.CONNECTION_TIMEOUT, 0),
        ]
        if configuration.threads > 1 { options.append(Self.option(.THREAD_POOL_SIZE, configuration.threads)) }
        if let tls = configuration.tls {
            let pairs: [(MHD_OPTION, String)] = [
                (.HTTPS_MEM_CERT, tls.certificateChain), (.HTTPS_MEM_KEY, tls.privateKey),
                (.HTTPS_PRIORITIES, Self.tlsPriorities),
            ]
            for (option, text) in pairs {
                guard let copy = strdup(text) else { continue }
                texts.append(copy)
                options.append(MHD_OptionItem(option: option, value: 0, ptr_value: copy))
            }
        }
        options.append(Self.option(.END, 0))
        let context = Unmanaged.passRetained(core)
        let started = cmhd_start(
            cmhd_flags(configuration.tls == nil ? 0 : 1), context.toOpaque(), DaemonCallbacks.access,
            DaemonCallbacks.completed, DaemonCallbacks.connection, DaemonCallbacks.target, DaemonCallbacks.unescape,
            options)
        guard let started else {
            context.release()
            for text in texts { free(text) }
            throw configuration.tls == nil
                ? HTTPServerError(
                    code: .resources, message: "The server does not start: \(String(cString: strerror(errno))).")
                : HTTPServerError(
                    code: .certificate,
                    message: "The server does not start: the certificate and the key must be PEM, and belong together.")
        }
        daemon = started
        self.context = context
        self.texts = texts
    }

    /// Takes no more connections.
    func quiesce() {
        MHD_quiesce_daemon(daemon)
    }

    /// Closes every connection and joins the threads; blocks. Nothing may be suspended, and nothing be called after it.
    func stop() {
        MHD_stop_daemon(daemon)
        for text in texts { free(text) }
        context.release()
    }

    private static func option(_ option: MHD_OPTION, _ value: Int) -> MHD_OptionItem {
        MHD_OptionItem(option: option, value: value, ptr_value: nil)
    }
}

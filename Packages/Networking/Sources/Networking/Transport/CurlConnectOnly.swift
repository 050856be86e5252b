// SPDX-License-Identifier: MIT

import CCurl
import Concurrency
import FoundationEssentials

/// Receives the events of a `CurlConnectOnly` for a protocol of our own. Every call is on the loop's thread and must
/// not block; `connectionDidEnd` is called exactly once and last.
protocol CurlConnectOnlyHandler: AnyObject, Sendable {
    /// Proxy, TCP and TLS are connected, and the pins were checked. The handler may send and receive.
    func connectionDidOpen(_ connection: CurlConnectOnly)
    /// There may be bytes to read: call `receive` until it returns `nil`, or set `isReading` to false first.
    func connectionIsReadable(_ connection: CurlConnectOnly)
    /// Bytes that did not fit before may fit now. Called only while `wantsToWrite` is true.
    func connectionIsWritable(_ connection: CurlConnectOnly)
    /// The connection failed or could not be made. Not called after `close()`.
    func connectionDidEnd(_ connection: CurlConnectOnly, error: NetworkError)
}

/// A connection that libcurl opens (name, proxy, TLS, pins, connect time-out as for requests) and hands over for a
/// protocol of our own, in the transport's own loop.
///
/// Everything but `perform` and `close` belongs on the loop's thread: inside the handler's calls, or inside `perform`.
///
/// SAFETY: the mutable fields are touched on the loop's thread only.
final class CurlConnectOnly: @unchecked Sendable, CurlLoopMember {
    let url: URL
    private let configuration: CurlTransport.Configuration
    private let route: ProxyRoute
    private let connectTimeout: Duration?
    private let recordsCertificate: Bool
    private let loop: CurlEventLoop
    private let handler: any CurlConnectOnlyHandler

    private var easy: CurlEasy?
    private var core: CurlLoopCore?
    private var socket: curl_socket_t = -1
    private var isOpen = false
    private var mayHoldBytes = false
    private var connectDeadline: MonotonicTime?

    /// True to get `connectionIsWritable`; set it after `send` took less than everything.
    var wantsToWrite = false

    /// True to get `connectionIsReadable`; false holds the peer back. Setting it to true looks for bytes that TLS has
    /// decrypted already before it polls.
    var isReading = true {
        didSet { if isReading, !oldValue { mayHoldBytes = true } }
    }

    /// A connection; `open` starts it.
    ///
    /// - Parameters:
    ///   - url: An `https` or `http` address; host, port and scheme matter.
    ///   - configuration: The transport's: TLS, pins, hosts for plain `http`.
    ///   - route: The proxy to go through. It is asked for a tunnel, also for plain `http`.
    ///   - connectTimeout: From `open` until `connectionDidOpen`.
    ///   - recordsCertificate: True to have `certificate` once the connection is open.
    init(
        url: URL, configuration: CurlTransport.Configuration, route: ProxyRoute,
        connectTimeout: Duration?,
        recordsCertificate: Bool = false, loop: CurlEventLoop, handler: any CurlConnectOnlyHandler
    ) {
        self.url = url
        self.configuration = configuration
        self.route = route
        self.connectTimeout = connectTimeout
        self.recordsCertificate = recordsCertificate
        self.loop = loop
        self.handler = handler
    }

    /// Starts connecting. The loop keeps the connection alive until it ends.
    ///
    /// - Throws: `NetworkError` (`invalidRequest`, `insecure`, `closed`) before anything is sent.
    func open() throws {
        try HTTPRequest(.get, url).validate()
        try configuration.checkSecurity(of: url)
        guard loop.submit(.start(self)) else {
            throw NetworkError(code: .closed, message: "The transport was closed. Make a new one.")
        }
    }

    /// Runs `body` on the loop's thread, soon; not if the connection has ended meanwhile.
    ///
    /// - Returns: False if the loop was closed.
    @discardableResult
    func perform(_ body: @escaping @Sendable (CurlConnectOnly) -> Void) -> Bool {
        loop.submit(.run { [self] in if isOpen { body(self) } })
    }

    /// Closes the socket, from any thread. The handler gets no more calls once this is carried out.
    func close() {
        loop.submit(.cancel(self))
    }

    /// Reads the received bytes.
    ///
    /// - Returns: The number of bytes, zero at the peer's end, or `nil` if there are none at the moment.
    /// - Throws: `NetworkError` with the code `connectionLost`.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        guard let easy, isOpen else { throw Self.lost("The connection is closed.") }
        var count = 0
        let result = curl_easy_recv(easy.handle, buffer.baseAddress, buffer.count, &count)
        switch result {
        case CURLE_OK: return count
        case CURLE_AGAIN:
            mayHoldBytes = false
            return nil
        default: throw Self.lost(easy.message(for: result))
        }
    }

    /// Writes as much as the system takes now. If that is less than all, set `wantsToWrite` and call again.
    ///
    /// - Returns: The number of bytes that were taken; zero is possible.
    /// - Throws: `NetworkError` with the code `connectionLost`.
    func send(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        guard let easy, isOpen else { throw Self.lost("The connection is closed.") }
        guard !bytes.isEmpty else { return 0 }
        var count = 0
        let result = curl_easy_send(easy.handle, bytes.baseAddress, bytes.count, &count)
        switch result {
        case CURLE_OK: return count
        case CURLE_AGAIN: return 0
        default: throw Self.lost(easy.message(for: result))
        }
    }

    /// The certificate that the server presented; nil if it was not recorded or cannot be read.
    var certificate: PresentedCertificate? {
        easy.flatMap { PresentedCertificate(lines: $0.certificateLines) }
    }

    private static func lost(_ detail: String) -> NetworkError {
        NetworkError(code: .connectionLost, message: "\(detail) Connect again.")
    }

    // MARK: The loop's side

    var deadline: MonotonicTime? { connectDeadline }

    func start(_ easy: CurlEasy, in core: CurlLoopCore) throws {
        self.easy = easy
        self.core = core
        connectDeadline = connectTimeout.map { MonotonicTime.now.advanced(by: $0) }
        easy.set(CURLOPT_URL, url.absoluteString)
        easy.setConnection(
            configuration, route: route, host: url.host(percentEncoded: false) ?? "",
            timeout: connectTimeout)
        if recordsCertificate { easy.set(CURLOPT_CERTINFO, 1) }
        easy.set(CURLOPT_CONNECT_ONLY, 1)
        easy.set(CURLOPT_HTTPPROXYTUNNEL, 1)
        easy.set(CURLOPT_FRESH_CONNECT, 1)
        // Not FORBID_REUSE, which closes the connection as soon as it is open. No other transfer gets it anyway, and it
        // is closed when the handle leaves the multi handle.
        easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    }

    func complete(_ result: CURLcode) -> Bool {
        guard let easy else { return true }
        connectDeadline = nil
        var descriptor: curl_socket_t = -1
        guard result == CURLE_OK, ccurl_get_socket(easy.handle, &descriptor) == CURLE_OK,
            descriptor >= 0
        else {
            handler.connectionDidEnd(
                self,
                error: NetworkError(
                    curl: result, on: easy, timeouts: nil, host: url.host(percentEncoded: false),
                    route: route,
                    configuration: configuration))
            return true
        }
        socket = descriptor
        isOpen = true
        mayHoldBytes = true
        core?.watch(self)
        handler.connectionDidOpen(self)
        return false
    }

    func flush() {}

    func expire(at now: MonotonicTime) -> NetworkError? {
        guard let connectDeadline, connectDeadline <= now else { return nil }
        return .connectTimeout(connectTimeout)
    }

    func fail(_ error: any Error) {
        isOpen = false
        handler.connectionDidEnd(self, error: error as? NetworkError ?? Self.lost("\(error)"))
    }

    func release() -> CurlEasy? {
        isOpen = false
        core = nil
        defer { easy = nil }
        return easy
    }

    var watched: CurlWatchedSocket? {
        guard isOpen else { return nil }
        return CurlWatchedSocket(
            descriptor: socket, reads: isReading, writes: wantsToWrite, isKnownReadable: isReading && mayHoldBytes)
    }

    func socketIsReady(readable: Bool, writable: Bool) {
        if writable, wantsToWrite { handler.connectionIsWritable(self) }
        if readable, isOpen, isReading {
            mayHoldBytes = false
            handler.connectionIsReadable(self)
        }
    }
}

// SPDX-License-Identifier: MIT

import Concurrency
import Glibc

/// One connection through the proxy.
struct FaultProxyConnection {
    let client: Int32
    /// The server's descriptor; -1 if the proxy itself answers.
    let server: Int32
    private let response: [UInt8]
    private let fault: Fault?

    private var toServer: [UInt8] = []
    private var toClient: [UInt8] = []
    /// The response's beginning, up to the end of its header.
    private var header: [UInt8] = []
    private var headerLength: Int?
    private var bodyLength: Int?
    private var sent = 0
    private var serverHasEnded = false
    private var isStalled = false
    private var nextPiece = 0
    private var hasRequest = false

    init(client: Int32, upstream: FaultProxy.Upstream, fault: Fault?) {
        self.client = client
        self.fault = fault
        switch upstream {
        case .port(let port): (server, response) = (ProxySocket.connect(port: port), [])
        case .response(let bytes): (server, response) = (-1, bytes)
        }
    }

    /// The events to poll for.
    var clientEvents: Int16 {
        (toServer.count < 1 << 20 ? Int16(POLLIN) : 0) | (canSend && delay == nil ? Int16(POLLOUT) : 0)
    }

    var serverEvents: Int16 {
        (toClient.count < 1 << 20 && !serverHasEnded ? Int16(POLLIN) : 0) | (toServer.isEmpty ? 0 : Int16(POLLOUT))
    }

    private var canSend: Bool {
        !isStalled && hasRequest
            && (!toClient.isEmpty || serverHasEnded || limit.map { sent >= $0 } == true)
    }

    /// The position at which the fault begins, as far as it is known.
    private var limit: Int? {
        switch fault?.place {
        case nil: nil
        case .beforeResponse: 0
        case .afterBytes(let count): count
        case .inHeader: 12
        case .afterHeader: headerLength
        case .inBody(let count): headerLength.map { $0 + count }
        case .afterBody: headerLength.flatMap { header in bodyLength.map { header + $0 } }
        }
    }

    private var isSlow: (bytes: Int, milliseconds: Int)? {
        guard case .slow(let bytes, let milliseconds) = fault?.action, let limit, sent >= limit else { return nil }
        return (bytes, milliseconds)
    }

    /// Milliseconds until the next slow piece, if it is not due yet.
    var delay: Int? {
        guard isSlow != nil else { return nil }
        let rest = nextPiece - Self.milliseconds()
        return rest > 0 ? rest : nil
    }

    /// - Returns: True if the connection stays open.
    mutating func clientIsReadable() -> Bool {
        guard let bytes = Self.read(client) else { return true }
        guard !bytes.isEmpty else { return false }
        hasRequest = true
        guard server < 0 else {
            toServer += bytes
            return true
        }
        toServer += bytes
        // A request's header is over; its body is not looked at.
        if Self.endOfHeader(toServer) != nil {
            toServer = []
            receive(response)
        }
        return true
    }

    /// - Returns: True if the connection stays open.
    mutating func serverIsReadable() -> Bool {
        guard let bytes = Self.read(server) else { return true }
        if bytes.isEmpty { serverHasEnded = true } else { receive(bytes) }
        return true
    }

    mutating func serverIsWritable() {
        let count = toServer.withUnsafeBytes { Glibc.send(server, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count > 0 { toServer.removeFirst(count) }
    }

    /// - Returns: True if the connection stays open.
    mutating func clientIsWritable() -> Bool {
        if let limit, sent >= limit, let fault {
            switch fault.action {
            case .reset:
                return false
            case .close:
                return false
            case .stall:
                isStalled = true
                return true
            case .garbage(let bytes):
                _ = bytes.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                return false
            case .slow(let bytes, let milliseconds):
                nextPiece = Self.milliseconds() + milliseconds
                return send(upTo: bytes)
            }
        }
        return send(upTo: limit.map { $0 - sent } ?? .max)
    }

    /// Closes both sides, the client's as the fault demands.
    func close() {
        if fault?.action == .reset, let limit, sent >= limit { ProxySocket.reset(client) } else { Glibc.close(client) }
        if server >= 0 { Glibc.close(server) }
    }

    private mutating func send(upTo maximum: Int) -> Bool {
        if toClient.isEmpty { return !serverHasEnded }
        let count = toClient.withUnsafeBytes {
            Glibc.send(client, $0.baseAddress, min($0.count, maximum), Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return errno == EAGAIN }
        sent += count
        toClient.removeFirst(count)
        return true
    }

    private mutating func receive(_ bytes: [UInt8]) {
        toClient += bytes
        guard headerLength == nil, header.count < 1 << 16 else { return }
        header += bytes
        guard let end = Self.endOfHeader(header) else { return }
        headerLength = end
        let text = String(decoding: header[..<end], as: UTF8.self).lowercased()
        let line = text.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        bodyLength = line.flatMap { Int($0.dropFirst(15).filter { $0 != " " }) }
    }

    private static func endOfHeader(_ bytes: [UInt8]) -> Int? {
        let mark: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= mark.count else { return nil }
        return (0...(bytes.count - mark.count)).first { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
            .map { $0 + mark.count }
    }

    /// - Returns: `nil` if there is nothing at the moment; empty at the end or on an error.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var wouldBlock = false
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
            let result = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            wouldBlock = result < 0 && (errno == EAGAIN || errno == EINTR || errno == ENOTCONN)
            count = max(result, 0)
        }
        return wouldBlock ? nil : bytes
    }

    private static func milliseconds() -> Int {
        Int(MonotonicTime.now.nanoseconds / 1_000_000)
    }
}

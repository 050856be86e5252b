// SPDX-License-Identifier: MIT

import FoundationEssentials

extension WebSocketConnection {
    /// Connects, performs the opening handshake (RFC 6455 §4.1) and starts the connection.
    ///
    /// - Parameters:
    ///   - request: The address, fields and subprotocols.
    ///   - connector: Opens the stream: a `CurlTransport`, for its TLS, pins, proxy and connect time-out.
    ///   - configuration: The behaviour.
    ///   - clock: The clock of time-outs and pings.
    /// - Throws: `NetworkError`: the errors of connecting, `connectTimeout` after the handshake time-out, and
    ///   `webSocketHandshake` if the server declines. Redirects are not followed (§4.1 lets a client choose).
    public static func open(
        _ request: WebSocketRequest, over connector: any ByteStreamConnector,
        configuration: WebSocketConfiguration = WebSocketConfiguration(), clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> WebSocketConnection {
        let accepted = try await withThrowingTaskGroup(of: Accepted.self) { group in
            group.addTask { try await connect(request, connector) }
            group.addTask {
                try await clock.sleep(for: configuration.handshakeTimeout)
                throw NetworkError(
                    code: .connectTimeout,
                    message: "The WebSocket was not open within \(configuration.handshakeTimeout). Try again later.")
            }
            do {
                defer { group.cancelAll() }
                guard let accepted = try await group.next() else { throw CancellationError() }
                return accepted
            } catch {
                // The handshake may have ended just then.
                while let late = await group.nextResult() { (try? late.get())?.stream.close() }
                throw error
            }
        }
        let connection = WebSocketConnection(
            stream: accepted.stream, role: .client, subprotocol: accepted.subprotocol, configuration: configuration,
            clock: clock)
        await connection.start(after: accepted.rest)
        return connection
    }

    /// A stream after the handshake.
    private struct Accepted {
        let stream: any ByteStream
        let subprotocol: String?
        /// The bytes that were read behind the handshake.
        let rest: [UInt8]
    }

    private static func connect(
        _ request: WebSocketRequest, _ connector: any ByteStreamConnector
    ) async throws -> Accepted {
        // A value without a size has no address of its own, and the thread sanitizer takes it for a shared one.
        var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
        let handshake = WebSocketHandshake(subprotocols: request.subprotocols, random: &random)
        let http = try request.httpRequest(handshake)
        let stream = try await connector.connect(to: http.url)
        do {
            // Writing cannot be cancelled, so the stream is closed instead.
            let (response, rest) = try await withTaskCancellationHandler {
                try await stream.write(head(of: http))
                return try await readAnswer(from: stream)
            } onCancel: {
                stream.close()
            }
            return Accepted(stream: stream, subprotocol: try handshake.validate(response), rest: rest)
        } catch {
            stream.close()
            try Task.checkCancellation()
            throw error
        }
    }

    private static func readAnswer(
        from stream: any ByteStream
    ) async throws -> (response: WebSocketHandshakeResponse, rest: [UInt8]) {
        var reader = WebSocketHandshakeReader()
        while true {
            let bytes = try await stream.read()
            guard !bytes.isEmpty else {
                throw NetworkError(
                    code: .connectionLost, message: "The server broke off during the WebSocket handshake. Try again.")
            }
            if let answer = try reader.read(bytes) { return answer }
        }
    }

    /// The request line and the fields (RFC 9112 §3).
    static func head(of request: HTTPRequest) -> [UInt8] {
        let url = request.url
        let path = url.path(percentEncoded: true)
        let query = url.query(percentEncoded: true).map { "?" + $0 } ?? ""
        var host = url.host(percentEncoded: true) ?? ""
        if host.contains(":"), !host.hasPrefix("[") { host = "[\(host)]" }
        let port = url.port.map { ":\($0)" } ?? ""
        var head = "\(request.method) \(path.isEmpty ? "/" : path)\(query) HTTP/1.1\r\n"
        if !request.headers.contains(name: "Host") { head += "Host: \(host)\(port)\r\n" }
        for field in request.headers { head += "\(field.name): \(field.value)\r\n" }
        return Array((head + "\r\n").utf8)
    }
}

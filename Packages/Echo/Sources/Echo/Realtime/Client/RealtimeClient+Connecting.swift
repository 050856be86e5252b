// SPDX-License-Identifier: MIT

import FoundationEssentials
import Networking

extension RealtimeClient {
    /// Opens a session, and returns when it is as was asked for.
    ///
    /// - Parameters:
    ///   - api: The server, the model, and the transport: a `CurlTransport`, or anything that opens byte streams; with
    ///     any other, a `CurlTransport` is made.
    ///   - session: The settings of the session.
    ///   - timeout: The time limit of connecting, of the handshake and of the session's confirmation, each.
    ///   - closing: The time limit of the closing handshake.
    ///   - clock: The clock of the time-out, the pings and the closing handshake.
    /// - Throws: `EchoError`: what is wrong with the configuration, before anything is sent; what the server refuses;
    ///   `EchoError.connectionFailed(_:)`; `EchoError.timedOut(_:)`. `CancellationError`.
    static func connect(
        _ api: APIConnection, session: RealtimeSessionConfiguration, timeout: Duration = .seconds(15),
        closing: Duration = .seconds(5), clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> RealtimeClient {
        try api.configuration.endpoint.validate(api.configuration.realtimeModel)
        try session.validate(for: api.configuration.endpoint)
        let request = try request(api)
        var socket = WebSocketConfiguration()
        // The API's messages have up to 20 MB.
        socket.maximumMessageSize = 20 << 20
        socket.handshakeTimeout = timeout
        socket.closeTimeout = closing
        let connection: WebSocketConnection
        do {
            connection = try await WebSocketConnection.open(
                request, over: try connector(api), configuration: socket, clock: clock)
        } catch {
            throw map(error, api)
        }
        do {
            let (confirmed, early) = try await handshake(connection, session, timeout, clock, api)
            return RealtimeClient(connection: connection, api: api, session: confirmed, early: early)
        } catch {
            await connection.close(.normal)
            throw map(error, api)
        }
    }

    private static func request(_ api: APIConnection) throws -> WebSocketRequest {
        let model = api.configuration.realtimeModel.rawValue
        let allowed = model.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-._~:/".utf8.contains(byte)
        }
        guard allowed else { throw EchoError.unsupportedModel(model) }
        let http = try api.request(.get, "/realtime", query: "model=\(model)")
        var parts = URLComponents(url: http.url, resolvingAgainstBaseURL: true)
        parts?.scheme = http.url.scheme == "http" ? "ws" : "wss"
        guard let url = parts?.url else {
            throw EchoError.invalidConfiguration("EchoEndpoint.baseURL is no address. Give one with https.")
        }
        var headers = http.headers
        headers["Accept"] = nil
        return WebSocketRequest(url, headers: headers)
    }

    private static func connector(_ api: APIConnection) throws -> any ByteStreamConnector {
        if let connector = api.transport as? any ByteStreamConnector { return connector }
        return try APIConnection.curl(for: api.configuration.endpoint)
    }

    /// Waits for `session.created`, sends the configuration, and waits for `session.updated`.
    private static func handshake(
        _ connection: WebSocketConnection, _ session: RealtimeSessionConfiguration, _ timeout: Duration,
        _ clock: any Clock<Duration>, _ api: APIConnection
    ) async throws -> (RealtimeSession, ArraySlice<ServerEvent>) {
        try await withThrowingTaskGroup(of: (RealtimeSession, ArraySlice<ServerEvent>).self) { group in
            group.addTask { try await confirm(connection, session, api) }
            group.addTask {
                try await clock.sleep(for: timeout)
                throw EchoError.timedOut("The server did not confirm the session within \(timeout). Try again later.")
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    private static func confirm(
        _ connection: WebSocketConnection, _ session: RealtimeSessionConfiguration, _ api: APIConnection
    ) async throws -> (RealtimeSession, ArraySlice<ServerEvent>) {
        let update = ClientEvent(.sessionUpdate(session), id: "echo-session")
        var early: ArraySlice<ServerEvent> = []
        while let message = try await connection.receive() {
            let event = try event(message)
            switch event.detail {
            case .sessionCreated: try await connection.send(.text(update.json.text))
            case .sessionUpdated(let confirmed): return (confirmed, early)
            case .error(let failure, let id) where id == nil || id == update.id: throw EchoError(api.redact(failure))
            default: break
            }
            early.append(event)
            guard early.count < 1_000 else {
                throw EchoError.malformedResponse(
                    "The server says all kinds of things and confirms no session.", requestID: nil)
            }
        }
        let closure = await connection.closure
        let words = api.redact(APIFailure(message: closure?.reason ?? "")).message
        throw EchoError.connectionFailed(
            "The server closed the session before it began (\(closure.map { "\($0.code)" } ?? "no code")). \(words)")
    }

    /// The event in a message.
    static func event(_ message: WebSocketMessage) throws(EchoError) -> ServerEvent {
        guard case .text(let text) = message else {
            throw .malformedResponse("The server sent bytes where events are text.", requestID: nil)
        }
        let json: JSONValue
        do throws(JSONParsingError) {
            json = try JSONValue(parsing: text)
        } catch {
            throw .malformedResponse("An event is no JSON: \(error)", requestID: nil)
        }
        do throws(WireError) {
            return try ServerEvent(json: json)
        } catch {
            return ServerEvent(unknown: json)
        }
    }

    /// Translates a connection's failure into this module's error.
    static func map(_ error: any Error, _ api: APIConnection) -> any Error {
        if let network = error as? NetworkError, let status = network.status, network.code == .webSocketHandshake {
            return EchoError(api.redact(APIFailure(status: status, message: network.message)))
        }
        return api.map(error)
    }
}

// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import FoundationEssentials
import Networking

extension StreamableHTTPTransport {
    /// Reads the answer to a request, and the server's messages before it.
    func readAnswer(_ response: HTTPResponse, to id: JSONRPCID) async throws {
        let type = response.headers["Content-Type"]?.lowercased() ?? ""
        if type.hasPrefix("text/event-stream") { return try await readStream(response, to: id) }
        guard type.hasPrefix("application/json") else {
            throw MCPError(
                .http, "The server answered \(response.status) without JSON or an event stream. Check its address.",
                status: response.status)
        }
        let bytes: [UInt8]
        do {
            bytes = try await response.body.collect(upTo: maximumMessageBytes)
        } catch let error as NetworkError {
            guard error.code == .responseTooLarge else { throw Self.translate(error) }
            await receive(.oversized)
            throw Self.tooLong
        }
        var isAnswered = false
        for reading in JSONRPCMessage.read(bytes) where await hand(reading, answering: id) { isAnswered = true }
        guard isAnswered else {
            throw MCPError(.invalidAnswer, "The server's answer is not one to the request. Report it to its maker.")
        }
    }

    static var tooLong: MCPError {
        MCPError(
            .invalidAnswer, "The server's answer is longer than maximumMessageBytes allows. Raise it, or ask for less.")
    }

    private func readStream(_ response: HTTPResponse, to id: JSONRPCID) async throws {
        var parser = ServerSentEventParser(maximumEventSize: maximumMessageBytes)
        do {
            for try await bytes in response.body {
                for event in try parser.parse(bytes) where await take(event, answering: id) { return }
            }
        } catch let error as NetworkError {
            if error.code == .eventTooLarge {
                await receive(.oversized)
                throw Self.tooLong
            }
            // A broken stream is resumed like one that the server has closed.
        }
        try await resume(after: parser.lastEventID, wait: parser.reconnectionTime ?? .seconds(1), answering: id)
    }

    /// Resumes a stream that ended before the answer, by its last event.
    private func resume(after lastEventID: String, wait: Duration, answering id: JSONRPCID) async throws {
        guard !lastEventID.isEmpty else { throw Self.interrupted }
        var configuration = EventSource.Configuration()
        configuration.lastEventID = lastEventID
        configuration.maximumEventSize = maximumMessageBytes
        configuration.idleTimeout = nil
        configuration.reconnectionTime = wait
        configuration.maximumFailures = 5
        try await clock.sleep(min(wait, .seconds(60)))
        do {
            for try await event in EventSource(request(.get), transport: http, configuration: configuration)
            where await take(event, answering: id) { return }
        } catch let error as NetworkError {
            if error.status == 404 { await receive(.ended(Self.sessionExpired)) }
            throw error.status == nil ? Self.translate(error) : Self.interrupted
        }
        throw Self.interrupted
    }

    static var interrupted: MCPError {
        MCPError(
            .interrupted,
            "The connection broke before the server's answer, and the server cannot send it again. "
                + "What was asked for may have been done.")
    }

    /// Hands on the messages in an event.
    ///
    /// - Returns: True if the answer to `id` was among them.
    func take(_ event: ServerSentEvent, answering id: JSONRPCID?) async -> Bool {
        // An event without data only sets the id to resume from.
        guard event.type == "message", !event.data.isEmpty else { return false }
        var isAnswered = false
        for reading in JSONRPCMessage.read(Array(event.data.utf8)) where await hand(reading, answering: id) {
            isAnswered = true
        }
        return isAnswered
    }

    private func hand(_ reading: JSONRPCMessage.Reading, answering id: JSONRPCID?) async -> Bool {
        if case .message(.failure(nil, let fault)) = reading, let id {
            // The server could not read the identifier, but the exchange implies it.
            await receive(.reading(.message(.failure(id: id, fault))))
            return true
        }
        await receive(.reading(reading))
        guard let id, case .message(let message) = reading else { return false }
        return message.answeredID == id
    }

    /// The error for an unsuccessful status. A JSON-RPC error in the body is handed on as the answer.
    func failure(_ response: HTTPResponse, to message: JSONRPCMessage) async throws -> any Error {
        let hasSession = state.withLock { $0.sessionID != nil }
        let body = try? await response.body.collect(upTo: 1 << 20)
        if response.status == 404, hasSession, message.method != "initialize" { return Self.sessionExpired }
        if response.status == 401 || response.status == 403 {
            return MCPError(
                .unauthorized,
                "The server answered \(response.status): it requires other credentials. Give it an Authorization header.",
                status: response.status)
        }
        if let body, case .message(.failure(_, let fault))? = JSONRPCMessage.read(body).first {
            return MCPError(fault, to: message.method ?? "a message", status: response.status)
        }
        return MCPError(
            .http, "The server answered with status \(response.status). Check its address, and whether it is well.",
            status: response.status)
    }
}

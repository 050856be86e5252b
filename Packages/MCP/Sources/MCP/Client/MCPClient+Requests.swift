// SPDX-License-Identifier: MIT

import Concurrency
import Networking
public import StructuredJSON

/// The limits and extras of one request.
struct RequestOptions: Sendable {
    var idle: Duration?
    var longest: Duration?
    var isCancellable = true
    /// True to ask the server for progress.
    var wantsProgress = false
    var onProgress: (@Sendable (MCPProgress) -> Void)?
    var headers: HTTPHeaders = [:]
}

extension MCPClient {
    /// Sends any request that has no method of its own here.
    ///
    /// - Parameters:
    ///   - method: Such as `completion/complete`.
    ///   - parameters: The request's parameters; `_meta` is filled in as the revision has it.
    ///   - onProgress: Called for each report of progress, in order.
    /// - Returns: The result, unchanged.
    /// - Throws: `MCPError`; `CancellationError` when the task is cancelled, which the server then learns.
    public func request(
        _ method: String, _ parameters: JSONObject = [:], onProgress: (@Sendable (MCPProgress) -> Void)? = nil
    ) async throws -> JSONValue {
        var options = defaultOptions
        options.wantsProgress = onProgress != nil
        options.onProgress = onProgress
        return try await request(method, parameters, options) { _ in true }
    }

    var defaultOptions: RequestOptions {
        var options = RequestOptions()
        options.idle = server.timeouts.request
        options.longest = server.timeouts.longestRequest
        return options
    }

    /// Sends a request over the connection that exists or is made. Repeats it when the server has forgotten the
    /// session, and with our answers when the server asks questions.
    func request(
        _ method: String, _ parameters: JSONObject, _ options: RequestOptions,
        isOffered: (MCPServerInformation) -> Bool
    ) async throws -> JSONValue {
        var parameters = parameters
        var hasBegunAnew = false
        var rounds = 0
        while true {
            try Task.checkCancellation()
            let connection = try await connection()
            guard isOffered(connection.information) else {
                throw MCPError(.notOffered, "The server \(server.name) does not offer \(method).")
            }
            do {
                let result = try await perform(
                    method, parameters, on: connection.transport, number: connection.number,
                    stateless: connection.isStateless ? connection.information.version : nil, options)
                guard connection.isStateless, let type = result["resultType"]?.string, type != "complete" else {
                    return result
                }
                guard type == "input_required", rounds < 10 else {
                    throw MCPError(
                        .invalidAnswer, "The server answered \(method) with the unknown result \(type.prefix(40)).")
                }
                rounds += 1
                try await answerQuestions(in: result, into: &parameters, round: rounds)
            } catch let error as MCPError where error.code == .sessionExpired && !hasBegunAnew {
                hasBegunAnew = true
                ended(connection.number, error)
            }
        }
    }

    /// Sends one request on one connection, and waits for its end.
    func perform(
        _ method: String, _ parameters: JSONObject, on transport: any MCPTransport, number: Int,
        stateless: MCPProtocolVersion?, _ options: RequestOptions
    ) async throws -> JSONValue {
        let request = try prepare(method, parameters, number: number, stateless: stateless, options)
        defer { waiters[request.id] = nil }
        do {
            let outcome = try await request.exchange(on: transport) { [weak self] in
                try await self?.watch(request.id, method)
            }
            switch outcome {
            case .result(let result): return result
            case .fault(let fault): throw MCPError(fault, to: method)
            }
        } catch {
            giveUp(request.id, error, on: transport)
            throw error
        }
    }

    /// Registers a request, which is then to be exchanged, and forgotten at its end.
    func prepare(
        _ method: String, _ parameters: JSONObject, number: Int, stateless: MCPProtocolVersion?,
        _ options: RequestOptions
    ) throws -> PreparedRequest {
        guard current?.number == number else { throw lostConnection }
        let id = session.begin(
            now: clock.now(), idle: options.idle, longest: options.longest, isCancellable: options.isCancellable)
        let answer = Promise<JSONRPCSession.Outcome>()
        waiters[id] = Waiter(answer: answer, onProgress: options.onProgress)
        var headers = options.headers
        let stamped = stamp(method, parameters, id, stateless, wantsProgress: options.wantsProgress, &headers)
        return PreparedRequest(
            id: id, message: .request(id: id, method: method, parameters: stamped), headers: headers, answer: answer)
    }

    /// Throws when the request has waited for too long; returns when it has ended.
    private func watch(_ id: JSONRPCID, _ method: String) async throws {
        while let deadline = session.deadline(of: id) {
            let rest = deadline - clock.now()
            guard rest > .zero else {
                throw MCPError(
                    .timeout, "The server \(server.name) did not answer \(method) in time. Allow more in timeouts.")
            }
            try await clock.sleep(rest)
        }
        // Ended, or without limits; the answer itself ends the wait for it.
    }

    /// Forgets a request, and informs the server if that makes sense.
    func giveUp(_ id: JSONRPCID, _ error: any Error, on transport: any MCPTransport) {
        let code = (error as? MCPError)?.code
        guard error is CancellationError || code == .timeout, !transport.endsExchanges || !isStateless else {
            session.forget(id)
            return
        }
        for case .send(let message) in session.abandon(id, reason: code == .timeout ? "timed out" : "cancelled") {
            tasks.add { try? await transport.send(message, headers: [:]) }
        }
    }

    var isStateless: Bool {
        if case .connected(let connection) = state { connection.isStateless } else { false }
    }

    var lostConnection: MCPError {
        MCPError(.serverEnded, "The connection to \(server.name) was lost. Ask again.")
    }

    /// Puts into the parameters, and over HTTP into the header, the fields that the revision demands in each request.
    private func stamp(
        _ method: String, _ parameters: JSONObject, _ id: JSONRPCID, _ stateless: MCPProtocolVersion?,
        wantsProgress: Bool, _ headers: inout HTTPHeaders
    ) -> JSONObject {
        var meta = parameters["_meta"]?.object ?? [:]
        if wantsProgress { meta["progressToken"] = id.json }
        if let stateless {
            meta["io.modelcontextprotocol/protocolVersion"] = .string(stateless.rawValue)
            meta["io.modelcontextprotocol/clientInfo"] = information.json
            meta["io.modelcontextprotocol/clientCapabilities"] = Self.capabilities
            if let logLevel { meta["io.modelcontextprotocol/logLevel"] = .string(logLevel) }
            headers["MCP-Protocol-Version"] = stateless.rawValue
            headers["Mcp-Method"] = method
            let named = ["tools/call": "name", "prompts/get": "name", "resources/read": "uri"]
            if let name = named[method].flatMap({ parameters[$0]?.string }) {
                headers["Mcp-Name"] = MCPHeaderValue.encode(name)
            }
        }
        var result = parameters
        if !meta.isEmpty { result["_meta"] = .object(meta) }
        return result
    }
}

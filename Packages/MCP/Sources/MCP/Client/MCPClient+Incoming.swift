// SPDX-License-Identifier: MIT

import Concurrency
import Networking
import StructuredJSON

extension MCPClient {
    /// Handles an event of a connection.
    func received(_ event: MCPTransportEvent, on number: Int) {
        guard let current, current.number == number else { return }
        switch event {
        case .ended(let error): ended(number, error)
        case .oversized: broadcast.send(.violation(.oversized))
        case .reading(let reading):
            for action in session.received(reading, now: clock.now()) { take(action, on: current) }
        }
    }

    private func take(_ action: JSONRPCSession.Action, on connection: (number: Int, transport: any MCPTransport)) {
        switch action {
        case .finish(let id, let outcome): waiters[id]?.answer.resolve(.success(outcome))
        case .progress(let id, let progress): waiters[id]?.onProgress?(progress)
        case .notify(let method, let parameters): notified(method, parameters)
        case .complain(let violation): broadcast.send(.violation(violation))
        case .serve(let id, let method, let parameters): serve(id, method, parameters, on: connection)
        case .send(let message): reply(message, on: connection.transport)
        case .stopServing: break
        }
    }

    /// Handles the end of a connection: waiting requests fail, and the next request makes a new one.
    func ended(_ number: Int, _ error: MCPError) {
        guard let gone = current, gone.number == number else { return }
        let transport = gone.transport
        // Only the request that was rejected with the session is known not to have been carried out.
        failAll(error.code == .sessionExpired ? StreamableHTTPTransport.interrupted : error)
        guard case .connected(let connection) = state, connection.number == number else {
            // While the connection is being made, its failure reaches the caller by the request that has failed, or by
            // `establish` if all are answered. An expired session needs neither: the next request starts another.
            if error.code != .sessionExpired { earlyEnd = (number, error) }
            return
        }
        current = nil
        state = .idle
        if case .stdio = server.connection { restarts.ended(now: clock.now()) }
        stopListening()
        broadcast.send(.disconnected(error))
        tasks.add { await transport.close() }
    }

    func failAll(_ error: MCPError) {
        _ = session.reset()
        for waiter in waiters.values { waiter.answer.resolve(.failure(error)) }
        listening?.acknowledged.resolve(.failure(error))
    }

    private func notified(_ method: String, _ parameters: JSONObject) {
        switch method {
        case "notifications/tools/list_changed": broadcast.send(.toolsChanged)
        case "notifications/prompts/list_changed": broadcast.send(.promptsChanged)
        case "notifications/resources/list_changed": broadcast.send(.resourcesChanged)
        case "notifications/resources/updated":
            if let uri = parameters["uri"]?.string { broadcast.send(.resourceUpdated(uri: uri)) }
        case "notifications/message":
            broadcast.send(
                .log(
                    level: parameters["level"]?.string ?? "info", logger: parameters["logger"]?.string,
                    parameters["data"] ?? .null))
        case "notifications/subscriptions/acknowledged": acknowledged(parameters)
        default: broadcast.send(.unknown(method: method, parameters))
        }
    }

    /// The limit of open elicitations. One beyond it is answered with an error at once.
    private static let maximumElicitations = 256
    /// The limit of replies that wait to be written, without those to elicitations. A server that sends requests and
    /// reads no replies gets none beyond it.
    private static let maximumReplies = 256

    private func serve(
        _ id: JSONRPCID, _ method: String, _ parameters: JSONObject,
        on connection: (number: Int, transport: any MCPTransport)
    ) {
        let transport = connection.transport
        switch method {
        case "ping": answer(id, .result([:]), on: transport)
        case "elicitation/create":
            guard let onElicitation else {
                return answer(id, .result(MCPElicitation.Answer.decline.json), on: transport)
            }
            guard elicitationCount < Self.maximumElicitations else {
                return answer(id, .fault(Self.tooManyElicitations), on: transport)
            }
            elicitationCount += 1
            tasks.add { [weak self] in
                let outcome = await onElicitation(MCPElicitation(json: .object(parameters))).json
                await self?.finishElicitation(id, .result(outcome), on: connection)
            }
        default:
            answer(id, .fault(Self.refusal(of: method)), on: transport)
        }
    }

    static func refusal(of method: String) -> JSONRPCFault {
        let what =
            switch method {
            case "sampling/createMessage": "answers of its model"
            case "roots/list": "its folders"
            default: "\(method.prefix(60))"
            }
        return JSONRPCFault(code: JSONRPCFault.methodNotFound, message: "This client does not offer \(what).")
    }

    private static let tooManyElicitations = JSONRPCFault(
        code: JSONRPCFault.internalError,
        message: "Too many questions to the person are open (limit: \(maximumElicitations)). "
            + "Ask again when one of them is answered.")

    /// Sends the answer of an elicitation, which is open until then.
    private func finishElicitation(
        _ id: JSONRPCID, _ outcome: JSONRPCSession.Outcome, on connection: (number: Int, transport: any MCPTransport)
    ) async {
        defer { elicitationCount -= 1 }
        // On a later connection the id may be that of another question.
        guard current?.number == connection.number else { return }
        for case .send(let message) in session.answered(id, outcome) {
            try? await connection.transport.send(message, headers: [:])
        }
    }

    private func answer(_ id: JSONRPCID, _ outcome: JSONRPCSession.Outcome, on transport: any MCPTransport) {
        for case .send(let message) in session.answered(id, outcome) { reply(message, on: transport) }
    }

    private func reply(_ message: JSONRPCMessage, on transport: any MCPTransport) {
        guard replyCount < Self.maximumReplies else { return }
        replyCount += 1
        tasks.add { [weak self] in
            try? await transport.send(message, headers: [:])
            await self?.finishReply()
        }
    }

    private func finishReply() { replyCount -= 1 }

    /// Answers the questions that a stateless server sends in place of a result; the request is then repeated with
    /// them.
    func answerQuestions(in result: JSONValue, into parameters: inout JSONObject, round: Int) async throws {
        var answers: JSONObject = [:]
        for (name, question) in result["inputRequests"]?.object ?? [:] {
            let method = question["method"]?.string ?? ""
            guard method == "elicitation/create" else {
                throw MCPError(
                    .refused,
                    "The server \(server.name) asks this client for \(method.prefix(60)), which it does not offer.",
                    fault: Self.refusal(of: method))
            }
            let elicitation = MCPElicitation(json: question["params"])
            answers[name] = (await onElicitation?(elicitation) ?? .decline).json
        }
        if answers.isEmpty {
            // The server only asks for a repetition. The wait grows with each.
            try await clock.sleep(.milliseconds(min(50 << (round - 1), 250)))
        }
        parameters["inputResponses"] = answers.isEmpty ? nil : .object(answers)
        parameters["requestState"] = result["requestState"]
    }
}

// SPDX-License-Identifier: MIT

public import StructuredJSON

/// The duties of both sides of JSON-RPC: identifiers, pending requests, progress, time-outs and cancellation.
///
/// Pure: messages and times go in, actions come out. Whatever the other side sends, each request of ours ends exactly
/// once, and each request of theirs is answered at most once.
public struct JSONRPCSession: Sendable {
    /// The outcome of a request of ours.
    public enum Outcome: Sendable, Hashable {
        /// With a result.
        case result(JSONValue)
        /// With an error.
        case fault(JSONRPCFault)
    }

    /// An action of the driver.
    public enum Action: Sendable, Hashable {
        /// Send the message.
        case send(JSONRPCMessage)
        /// Return the outcome to the caller of the request.
        case finish(JSONRPCID, Outcome)
        /// Report progress to the caller of the request.
        case progress(JSONRPCID, MCPProgress)
        /// Serve the request, then call ``answered(_:_:)``.
        case serve(JSONRPCID, method: String, parameters: JSONObject)
        /// The other side no longer wants the answer.
        case stopServing(JSONRPCID)
        /// Publish the notification.
        case notify(method: String, parameters: JSONObject)
        /// Report that the other side broke the protocol; its message had no effect.
        case complain(Violation)
    }

    /// A message that the other side should not have sent.
    public enum Violation: Sendable, Hashable {
        /// Not a message.
        case invalid(String)
        /// A line or event over the limit.
        case oversized
        /// An answer to a request that was never sent, or has ended.
        case unknownAnswer(JSONRPCID?)
        /// A request with the identifier of one that is being served.
        case repeatedRequest(JSONRPCID)
        /// Progress that does not grow, or of a request that is not pending.
        case unexpectedProgress
    }

    struct Pending: Sendable {
        var started: Duration
        var lastHeard: Duration
        var progress: Double?
        let idle: Duration?
        let longest: Duration?
        let isCancellable: Bool
    }

    private var nextID = 1
    private var pending: [JSONRPCID: Pending] = [:]
    private var serving: Set<JSONRPCID> = []

    /// A session without messages.
    public init() {}

    /// The identifiers of our requests that have not ended.
    public var pendingIDs: Set<JSONRPCID> { Set(pending.keys) }

    /// Begins a request; the driver sends it.
    ///
    /// - Parameters:
    ///   - now: The time on the driver's clock.
    ///   - idle: The time limit for an answer or for progress.
    ///   - longest: The time limit for the answer, whatever progress arrives.
    ///   - isCancellable: True if the other side may learn that the answer is no longer wanted. Not for the handshake.
    /// - Returns: The identifier, unique for the session; also the progress token.
    public mutating func begin(now: Duration, idle: Duration?, longest: Duration?, isCancellable: Bool = true)
        -> JSONRPCID
    {
        let id = JSONRPCID.integer(nextID)
        nextID += 1
        pending[id] = Pending(
            started: now, lastHeard: now, idle: idle, longest: longest, isCancellable: isCancellable)
        return id
    }

    /// The time at which the request has waited for too long; `nil` if it has ended or waits for ever.
    public func deadline(of id: JSONRPCID) -> Duration? {
        guard let request = pending[id] else { return nil }
        let limits = [request.idle.map { request.lastHeard + $0 }, request.longest.map { request.started + $0 }]
        return limits.compactMap { $0 }.min()
    }

    /// Forgets a request that its caller no longer waits for, and informs the other side.
    public mutating func abandon(_ id: JSONRPCID, reason: String) -> [Action] {
        guard let request = pending.removeValue(forKey: id), request.isCancellable else { return [] }
        return [
            .send(
                .notification(
                    method: "notifications/cancelled",
                    parameters: ["requestId": id.json, "reason": .string(reason)]))
        ]
    }

    /// Forgets a request that has ended otherwise.
    ///
    /// - Returns: True if it was pending.
    @discardableResult
    public mutating func forget(_ id: JSONRPCID) -> Bool { pending.removeValue(forKey: id) != nil }

    /// Forgets everything after the connection has ended; identifiers are not reused.
    ///
    /// - Returns: The requests that were pending.
    public mutating func reset() -> Set<JSONRPCID> {
        defer {
            pending = [:]
            serving = []
        }
        return pendingIDs
    }

    /// Ends the serving of a request. Returns its answer, or nothing if the other side has cancelled it.
    public mutating func answered(_ id: JSONRPCID, _ outcome: Outcome) -> [Action] {
        guard serving.remove(id) != nil else { return [] }
        switch outcome {
        case .result(let result): return [.send(.result(id: id, result))]
        case .fault(let fault): return [.send(.failure(id: id, fault))]
        }
    }

    /// Handles a message or invalid bytes.
    public mutating func received(_ reading: JSONRPCMessage.Reading, now: Duration) -> [Action] {
        switch reading {
        case .message(.result(let id, let result)): return ended(id, .result(result))
        case .message(.failure(let id, let fault)): return ended(id, .fault(fault))
        case .message(.request(let id, let method, let parameters)):
            guard serving.insert(id).inserted else { return [.complain(.repeatedRequest(id))] }
            return [.serve(id, method: method, parameters: parameters)]
        case .message(.notification("notifications/progress", let parameters)): return progressed(parameters, now)
        case .message(.notification("notifications/cancelled", let parameters)):
            guard let id = JSONRPCID(parameters["requestId"]), serving.remove(id) != nil else { return [] }
            return [.stopServing(id)]
        case .message(.notification(let method, let parameters)):
            return [.notify(method: method, parameters: parameters)]
        case .invalid(let invalid):
            let complaint = Action.complain(.invalid(invalid.reason))
            // Answering an invalid message that is not a request would make two such programs talk for ever.
            guard let id = invalid.requestID, !serving.contains(id) else { return [complaint] }
            return [
                complaint,
                .send(.failure(id: id, JSONRPCFault(code: JSONRPCFault.invalidRequest, message: invalid.reason))),
            ]
        }
    }

    private mutating func ended(_ id: JSONRPCID?, _ outcome: Outcome) -> [Action] {
        guard let id, pending.removeValue(forKey: id) != nil else { return [.complain(.unknownAnswer(id))] }
        return [.finish(id, outcome)]
    }

    private mutating func progressed(_ parameters: JSONObject, _ now: Duration) -> [Action] {
        guard let id = JSONRPCID(parameters["progressToken"]), var request = pending[id],
            let progress = MCPProgress(json: parameters), progress.value > request.progress ?? -.infinity
        else { return [.complain(.unexpectedProgress)] }
        request.progress = progress.value
        request.lastHeard = now
        pending[id] = request
        return [.progress(id, progress)]
    }
}

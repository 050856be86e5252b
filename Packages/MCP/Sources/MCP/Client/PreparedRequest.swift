// SPDX-License-Identifier: MIT

import Concurrency
import Networking

/// A request that the session has registered, to be put on the wire. It holds on to no client.
struct PreparedRequest: Sendable {
    let id: JSONRPCID
    let message: JSONRPCMessage
    let headers: HTTPHeaders
    let answer: Promise<JSONRPCSession.Outcome>

    /// Sends the request, and waits for its answer, or for the first failure of the transport or of `watch`.
    func exchange(
        on transport: any MCPTransport, watch: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> JSONRPCSession.Outcome {
        try await withThrowingTaskGroup(of: JSONRPCSession.Outcome?.self) { group in
            group.addTask {
                try await transport.send(message, headers: headers)
                return nil
            }
            group.addTask { try await answer.value() }
            group.addTask {
                try await watch()
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() { if let outcome { return outcome } }
            throw CancellationError()
        }
    }
}

// SPDX-License-Identifier: MIT

import Diagnostics
import Networking

/// What runs in the handler's task.
extension Exchange {
    func run(_ request: ServerRequest) async {
        let response = await core.answer(request, since: started)
        update { $0.respond(response, &$1) }
        if case .webSocket(let webSocket) = response.body { return await serve(webSocket) }
        guard case .stream(_, let write) = response.body, response.hasBody(for: request.method) else { return }
        do {
            try await write(ResponseWriter(self))
            update { $0.finishWriting(succeeded: true, &$1) }
        } catch {
            if !(error is CancellationError) {
                core.logger.with("request", "\(request.id, privacy: .public)").error("a body broke off: \(error)")
            }
            update { $0.finishWriting(succeeded: false, &$1) }
            // The client has left: what still waits for it would only wait for the deadline.
            if Task.isCancelled { connection.cut() }
        }
    }

    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                update { $0.read(continuation, &$1) }
                // The handler below may have come before the continuation.
                if Task.isCancelled { update { $0.cancelRead(&$1) } }
            }
        } onCancel: {
            update { $0.cancelRead(&$1) }
        }
    }

    func write(_ bytes: [UInt8]) async throws {
        try Task.checkCancellation()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                update { $0.write(bytes, continuation, &$1) }
                if Task.isCancelled { update { $0.cancelWrite(&$1) } }
            }
        } onCancel: {
            update { $0.cancelWrite(&$1) }
        }
    }
}

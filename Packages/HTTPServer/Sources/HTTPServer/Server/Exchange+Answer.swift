// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Concurrency
import Diagnostics
import FoundationEssentials
import Networking

/// Sending an answer, on the library's thread.
extension Exchange {
    func queue(_ response: ServerResponse, _ handle: Handle) -> MHD_Result {
        var response = response
        if core.isDraining, response.status != 101 { response.headers["Connection"] = "close" }
        let method = state.withLock { $0.request?.method }
        guard let message = DaemonResponse(response, to: method, for: self) else {
            core.logger.error("libmicrohttpd takes no answer; the connection is closed")
            return .NO
        }
        core.watch.setDeadline(of: connection, in: writeAllowance(for: response), .write)
        return message.queue(on: handle.pointer)
    }

    private func writeAllowance(for response: ServerResponse) -> Duration {
        let limits = core.configuration
        guard case .bytes(let bytes) = response.body else { return limits.writeTimeout }
        return limits.writeTimeout + .forTransfer(of: bytes.count, at: limits.minimumBytesPerSecond)
    }

    func answerEarly(_ response: ServerResponse) {
        let method = state.withLock { $0.request?.method } ?? .get
        guard connection.sendNow(EarlyAnswer.bytes(of: response, to: method)) else { return connection.cut() }
        connection.finishSending()
        core.watch.setDeadline(of: connection, in: core.configuration.lingerTimeout, .linger)
    }

    /// Fills the library's buffer with the next part of the answer's body.
    func pull(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var effects = ExchangeState.Effects()
        let piece = state.withLock { state in
            let (piece, suspends) = state.machine.pull(limit: buffer.count, &effects)
            if suspends, let handle = state.handle { MHD_suspend_connection(handle.pointer) }
            return piece
        }
        perform(effects)
        switch piece {
        case .bytes(let bytes):
            core.watch.setDeadline(of: connection, in: core.configuration.writeTimeout, .write)
            buffer.copyBytes(from: bytes)
            return bytes.count
        case .nothing:
            connection.clearDeadline()
            return 0
        case .end: return cmhd_end_of_stream()
        case .failed: return cmhd_end_with_error()
        }
    }
}

/// An answer in its bytes on the network, for the one case in which libmicrohttpd cannot send it: before the end of a
/// body that is still arriving.
enum EarlyAnswer {
    static func bytes(of response: ServerResponse, to method: HTTPMethod) -> [UInt8] {
        guard case .bytes(let body) = response.body else { return [] }
        var text = "HTTP/1.1 \(response.status) \(StatusNames.name(of: response.status))\r\n"
        if let date = HTTPDate(Date()) { text += "Date: \(date)\r\n" }
        for field in response.headers where !ResponseRules.isWrittenByServer(field.name) {
            text += "\(field.name): \(field.value)\r\n"
        }
        text += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        return Array(text.utf8) + (response.hasBody(for: method) ? body : [])
    }
}

/// The work of the handler's task.
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
            // The client has left: anything that still waits for it would only wait for the deadline.
            if Task.isCancelled { connection.cut() }
        }
    }

    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                update { $0.read(continuation, &$1) }
                // The handler below may have run before the continuation was stored.
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

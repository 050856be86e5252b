// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Concurrency
import Diagnostics
import Networking

/// How an answer leaves, on the library's thread.
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

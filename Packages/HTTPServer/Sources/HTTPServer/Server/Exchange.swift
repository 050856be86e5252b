// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Concurrency
import Diagnostics
import Networking

/// One request and its answer: the link between libmicrohttpd's thread and the handler's task.
final class Exchange: RequestBodySource, ResponseSink {
    // SAFETY: only passed to the library's functions, which lock for themselves; and only under the exchange's lock and
    // before the library has reported the end of the request, so that the connection exists.
    struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    struct State {
        var machine: ExchangeState
        var handle: Handle?
        var meter = TransferMeter()
        var hasBegun = false
        var task: Task<Void, Never>?
        var request: ServerRequest?
    }

    let core: ServerCore
    let connection: ServerConnection
    let started = MonotonicTime.now
    let upgrade = PendingUpgrade()
    private let target: [UInt8]
    private let targetAddress: UInt
    let state: Guarded<State>

    init(_ core: ServerCore, _ connection: ServerConnection, target: [UInt8], targetAddress: UInt) {
        self.core = core
        self.connection = connection
        self.target = target
        self.targetAddress = targetAddress
        state = Guarded(
            State(
                machine: ExchangeState(
                    canAnswerEarly: core.configuration.tls == nil,
                    maximumDiscarded: core.configuration.maximumDiscardedBytes)))
    }

    // MARK: On the library's thread

    /// Called when the header is complete, or the request is, or the connection has been resumed.
    func called(
        _ handle: Handle, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    ) -> MHD_Result {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            state.handle = handle
            return !state.hasBegun
        }
        return isFirst
            ? begin(handle, method: method, version: version) : step(handle) { $0.called(&$1) }
    }

    private func begin(
        _ handle: Handle, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>
    ) -> MHD_Result {
        let raw = RawHead(
            handle.pointer, method: method, target: target, targetAddress: targetAddress, version: version)
        let identifier = core.makeRequestID(for: raw)
        let head: RequestHead
        do throws(ServerProblem) {
            head = try RequestHead(raw, limits: core.configuration)
        } catch {
            core.refused(error, requestID: identifier, by: connection)
            var response = error.response(requestID: identifier)
            core.finish(&response, requestID: identifier)
            return queue(response, handle)
        }
        let length: Int? = if case .length(let length) = head.framing { length } else { nil }
        let request = ServerRequest(
            id: identifier, method: head.method, path: head.target.path, isAsterisk: head.target.isAsterisk,
            query: head.target.query, headers: head.headers, host: head.host,
            remoteAddress: connection.remoteAddress,
            body: RequestBody(
                length: head.framing == .none ? 0 : length, limit: core.configuration.maximumBodyBytes, source: self))
        state.withLock { $0.request = request }
        return step(handle) { machine, _ in
            machine.begin(head.framing, expectsContinue: head.expectsContinue)
        }
    }

    /// Takes a part of the body.
    func received(_ bytes: UnsafeRawBufferPointer, _ handle: Handle) -> MHD_Result {
        state.withLock { $0.meter.add(bytes.count) }
        let copy = [UInt8](bytes)
        return step(handle) { $0.received(copy, count: copy.count, &$1) }
    }

    /// Asks the state machine and passes its step to the library.
    private func step(
        _ handle: Handle,
        _ event: (inout ExchangeState, inout ExchangeState.Effects) -> ExchangeState.Step
    ) -> MHD_Result {
        var effects = ExchangeState.Effects()
        let (step, isReceiving, allowance) = state.withLock { state in
            let step = event(&state.machine, &effects)
            switch step {
            case .suspend:
                MHD_suspend_connection(handle.pointer)
            case .start:
                MHD_suspend_connection(handle.pointer)
                if let request = state.request { state.task = Task { await self.run(request) } }
            case .proceed, .answer, .answerEarly, .close: break
            }
            state.meter.setRunning(state.machine.isReceiving, at: .now)
            let allowance = state.meter.allowance(core.configuration)
            return (
                step, state.machine.isReceiving,
                state.machine.hasHungUp ? min(allowance, ConnectionWatch.lastBytesGrace) : allowance
            )
        }
        perform(effects)
        if effects.cancelsTask { cancel() }
        if isReceiving {
            core.watch.setDeadline(of: connection, in: allowance, .body)
        } else if connection.deadlineKind != .linger {
            connection.clearDeadline()
        }
        switch step {
        case .start:
            if connection.begin(self) { hungUp() }
            return .YES
        case .proceed, .suspend: return .YES
        case .answer(let response): return queue(response, handle)
        case .answerEarly(let response):
            answerEarly(response)
            return .YES
        case .close: return .NO
        }
    }

    /// The library no longer uses the request.
    func completed(normally: Bool) {
        let hasHungUp = connection.end(self)
        var effects = ExchangeState.Effects()
        let task = state.withLock { state in
            state.machine.completed(&effects)
            state.handle = nil
            // Its body refers to this object.
            state.request = nil
            defer { state.task = nil }
            return state.task
        }
        if !normally { task?.cancel() }
        perform(effects)
        upgrade.close()
        let idle = core.configuration.idleTimeout
        core.watch.setDeadline(
            of: connection, in: hasHungUp ? min(idle, ConnectionWatch.hangUpGrace) : idle, .idle)
        core.ended(self)
    }

    // MARK: From any thread

    /// The client seems to be gone: once its bytes have been read, the handler may stop. An answer that it still gives is
    /// sent.
    func hungUp() {
        let isReceiving = state.withLock { $0.machine.isReceiving }
        update { $0.hungUp(&$1) }
        if isReceiving { core.watch.setDeadline(of: connection, in: ConnectionWatch.lastBytesGrace, .body) }
    }

    private func cancel() {
        state.withLock { $0.task }?.cancel()
    }

    /// The server is about to stop: an endless answer may end now.
    func goAway() {
        if state.withLock({ $0.machine.isEndless }) { cancel() }
        upgrade.goAway()
    }

    /// Ends the request at once.
    func close() {
        update { $0.breakOff(&$1) }
        upgrade.close()
    }

    func update(_ event: (inout ExchangeState, inout ExchangeState.Effects) -> Void) {
        var effects = ExchangeState.Effects()
        let task = state.withLock { state in
            event(&state.machine, &effects)
            if effects.resumesConnection, let handle = state.handle { MHD_resume_connection(handle.pointer) }
            return state.task
        }
        if effects.cancelsTask { task?.cancel() }
        perform(effects)
    }

    func perform(_ effects: ExchangeState.Effects) {
        if let (continuation, result) = effects.body { continuation.resume(with: result) }
        if let (continuation, result) = effects.writer { continuation.resume(with: result) }
    }
}

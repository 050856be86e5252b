// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import Synchronization

/// The life of one stream's thread: a start with a result, a request to stop, and an end that can be awaited.
final class StreamSession: Sendable {
    private enum Phase {
        case idle
        case running(AudioThread)
        case ended
    }

    private struct State {
        var phase = Phase.idle
        var hasFinished = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    let wake: WakeSignal
    private let state = Guarded(State())
    private let stopWish = Atomic(false)

    init() throws(AudioError) { wake = try WakeSignal() }

    var mustStop: Bool { stopWish.load(ordering: .acquiring) }

    /// Starts the thread. It runs `open`, which makes the stream ready or throws, and then the closure that `open`
    /// returned. Returns, or throws `open`'s error, once `open` has ended.
    func start(
        name: String, _ open: @escaping @Sendable () throws(AudioError) -> () -> Void
    ) async throws(AudioError) {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Void, AudioError>, Never>) in
            do throws(AudioError) {
                let thread = try AudioThread(name: name) { [self] in
                    _ = ALSAMessages.gather { work(open, continuation) }
                    finish()
                }
                state.withLock { $0.phase = .running(thread) }
            } catch { continuation.resume(returning: .failure(error)) }
        }
        if case .failure = result { await stop() }
        try result.get()
    }

    /// Asks the thread to end, from anywhere, without waiting.
    func requestStop() {
        stopWish.store(true, ordering: .releasing)
        wake.signal()
    }

    /// Asks the thread to end and waits until it has.
    func stop() async {
        requestStop()
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if case .idle = state.phase { return true }
                if state.hasFinished { return true }
                state.waiters.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
        let thread = state.withLock { state -> AudioThread? in
            guard case .running(let thread) = state.phase else { return nil }
            state.phase = .ended
            return thread
        }
        // The body has done its last step, so this blocks for microseconds.
        thread?.join()
    }

    private func work(
        _ open: () throws(AudioError) -> () -> Void,
        _ continuation: CheckedContinuation<Result<Void, AudioError>, Never>
    ) {
        let run: () -> Void
        do throws(AudioError) {
            run = try open()
        } catch {
            continuation.resume(returning: .failure(error))
            return
        }
        continuation.resume(returning: .success(()))
        run()
    }

    private func finish() {
        let waiters = state.withLock { state in
            state.hasFinished = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

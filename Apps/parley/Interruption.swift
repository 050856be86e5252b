// SPDX-License-Identifier: MIT

import Glibc

/// Turns Ctrl-C, hang-up and termination into the cancellation of a task.
///
/// The signals are blocked in every thread and taken by one that waits for them, so no code runs in a signal handler.
/// The first one cancels, which closes devices and files in order; the second one ends the process at once.
struct Interruption {
    private let signals: sigset_t

    /// Blocks the signals; call it before any other thread is started, so that all inherit it.
    init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
        self.signals = signals
    }

    /// Calls `cancel` at the first signal, from a thread of its own.
    func whenItComes(_ cancel: @escaping @Sendable () -> Void) {
        let waiter = Unmanaged.passRetained(Waiter(signals: signals, cancel: cancel))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Waiter>.fromOpaque(context).takeRetainedValue().wait()
                return nil
            }, waiter.toOpaque())
        if result != 0 {
            waiter.release()
        } else {
            pthread_detach(thread)
        }
    }

    private final class Waiter: Sendable {
        let signals: sigset_t
        let cancel: @Sendable () -> Void

        init(signals: sigset_t, cancel: @escaping @Sendable () -> Void) {
            self.signals = signals
            self.cancel = cancel
        }

        func wait() {
            var signals = signals
            var signal: Int32 = 0
            sigwait(&signals, &signal)
            cancel()
            sigwait(&signals, &signal)
            _exit(128 + signal)
        }
    }
}

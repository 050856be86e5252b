// SPDX-License-Identifier: MIT

import Glibc

/// Turns Ctrl-C, hang-up and termination into a cancellation.
///
/// The signals are blocked in every thread and taken by the one that waits for them, so no code runs in a signal
/// handler. The first one cancels, which closes devices and files in order; the second one ends the process at once.
struct Interruption {
    private var signals = sigset_t()

    /// Blocks the signals; call it before any other thread is started, so that all inherit it.
    init() {
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for the signals on this thread; the process ends elsewhere, or at the second signal.
    func wait(_ cancel: () -> Void) -> Never {
        var signals = signals
        var signal: Int32 = 0
        sigwait(&signals, &signal)
        cancel()
        sigwait(&signals, &signal)
        _exit(128 + signal)
    }
}

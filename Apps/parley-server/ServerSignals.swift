// SPDX-License-Identifier: MIT

import Glibc

/// Ctrl-C, termination and hang-up as a stream.
///
/// All threads block the signals and the waiting thread takes them, so no code runs in a signal handler.
struct ServerSignals: Sendable {
    /// The signals as they arrive.
    let stream: AsyncStream<Int32>
    private let continuation: AsyncStream<Int32>.Continuation

    /// Blocks the signals; call it before any other thread is started, so that all inherit it.
    init() {
        (stream, continuation) = AsyncStream.makeStream()
        var signals = Self.set
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Takes the signals on this thread. The process ends on another thread, or at the second Ctrl-C or termination.
    func wait() -> Never {
        var signals = Self.set
        var endings = 0
        while true {
            var signal: Int32 = 0
            sigwait(&signals, &signal)
            if signal != SIGHUP { endings += 1 }
            if endings > 1 { _exit(128 + signal) }
            continuation.yield(signal)
        }
    }

    private static var set: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        return signals
    }
}

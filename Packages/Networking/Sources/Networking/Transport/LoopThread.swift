// SPDX-License-Identifier: MIT

import Glibc

/// A thread that runs one closure and ends. SIGPIPE is blocked in it.
package struct LoopThread {
    private final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private let body: @Sendable () -> Void

    /// A thread for this; `start` starts it.
    package init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// Starts the thread, detached.
    ///
    /// - Returns: Whether the system gave one.
    package func start() -> Bool {
        let box = Unmanaged.passRetained(Box(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                // OpenSSL writes to sockets that the peer has closed. Blocking the signal here leaves the process's
                // own handling of it alone.
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        if result != 0 { box.release() }
        return result == 0
    }
}

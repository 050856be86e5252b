// SPDX-License-Identifier: MIT

import Glibc

/// A thread that runs one closure and ends, for what blocks. SIGPIPE is blocked in it.
enum DetachedThread {
    private final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts the thread.
    ///
    /// - Returns: Whether the system gave one.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        // SAFETY: the thread takes the one reference that is retained here, or, if there is none, it is given back below.
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

// SPDX-License-Identifier: MIT

import CThread
import Glibc

/// A thread that runs one closure and ends, for loops that block: they must not run on Swift's cooperative pool.
public enum DetachedThread {
    private final class Start {
        let name: String?
        let body: @Sendable () -> Void

        init(_ name: String?, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts the thread. SIGPIPE is blocked in it, since libraries write to sockets whose peer has gone; it receives
    /// other signals as any thread does.
    ///
    /// - Parameters:
    ///   - name: Its name in `ps -L` and debuggers; the first 15 bytes are kept.
    ///   - body: The thread.
    /// - Returns: True if the system started one; otherwise `body` never runs.
    public static func start(name: String? = nil, _ body: @escaping @Sendable () -> Void) -> Bool {
        let start = Unmanaged.passRetained(Start(name, body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                // SAFETY: the one reference that is retained above; it is released there if no thread takes it.
                let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                if let name = start.name { cthread_set_name(String(decoding: name.utf8.prefix(15), as: UTF8.self)) }
                start.body()
                return nil
            }, start.toOpaque())
        if result == 0 { pthread_detach(thread) } else { start.release() }
        return result == 0
    }
}

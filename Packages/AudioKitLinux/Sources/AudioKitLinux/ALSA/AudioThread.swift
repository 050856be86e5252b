// SPDX-License-Identifier: MIT

internal import CALSA
import Concurrency
import Diagnostics
internal import Glibc

/// A dedicated thread for one stream, so that blocking calls stay off Swift's cooperative pool.
final class AudioThread: Sendable {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let thread: Guarded<pthread_t?>

    /// Starts a thread that runs `body` once. `name` (at most 15 bytes) shows in `top -H`.
    init(name: String, _ body: @escaping @Sendable () -> Void) throws(AudioError) {
        var thread = pthread_t()
        let retained = Unmanaged.passRetained(
            Body {
                parley_name_thread(name)
                body()
            })
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, retained.toOpaque())
        guard code == 0 else {
            retained.release()
            throw AudioError(
                .io, "The system cannot start another thread.", underlying: String(cString: strerror(code)))
        }
        self.thread = Guarded(thread)
    }

    deinit {
        if let left = take() { pthread_detach(left) }
    }

    /// Waits for the end of the body. Call it when the body is about to end, because it blocks.
    func join() {
        if let thread = take() { pthread_join(thread, nil) }
    }

    /// Asks for real-time scheduling of the calling thread. Without the permission nothing changes.
    static func raisePriority() {
        var parameters = sched_param()
        parameters.sched_priority = 10
        pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
    }

    /// Returns the calling thread to ordinary scheduling.
    static func dropPriority() {
        var parameters = sched_param()
        pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters)
    }

    private func take() -> pthread_t? {
        thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
    }
}

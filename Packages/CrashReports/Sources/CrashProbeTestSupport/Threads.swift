// SPDX-License-Identifier: MIT

import CCrashReports
import Concurrency
import CrashReports
import Diagnostics
import Glibc
import Synchronization

/// Crashes on threads other than the main one, which waits for the end.
enum Threads {
    static func crash(_ way: String) {
        switch way {
        case "deep-protected":
            start("deep") {
                try? CrashReporter.protectThread()
                _ = descends(0)
            }
        case "deep-unprotected": start("deep") { _ = descends(0) }
        case "real-time": start("audio") { crashesInRealTime() }
        case "two":
            let ready = Flag()
            for _ in 0..<2 {
                start("twin") {
                    ready.count.add(1, ordering: .acquiringAndReleasing)
                    while ready.count.load(ordering: .acquiring) < 2 {}
                    readsNothing()
                }
            }
        case "nested":
            // The handler itself will read what it may not.
            var size = 0
            mprotect(crash_log_memory(&size), size, PROT_NONE)
            return
        default: fatalError("unknown way \(way)")
        }
        while true { pause() }
    }

    /// Lets four threads log without end, and returns once each has filled the log.
    static func chat(in logger: Logger) {
        let lines = Flag()
        for letter in ["w", "x", "y", "z"] {
            start("chat") {
                let text = String(repeating: letter, count: 300)
                while true {
                    logger.info("\(text, privacy: .public)")
                    lines.count.add(1, ordering: .relaxed)
                }
            }
        }
        while lines.count.load(ordering: .relaxed) < 1_000 {}
    }

    private final class Flag: Sendable {
        let count = Atomic(0)
    }

    private static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        guard DetachedThread.start(name: name, body) else { fatalError("no thread") }
    }

    @inline(never)
    private static func crashesInRealTime() {
        var priority = sched_param()
        priority.sched_priority = 10
        let failure = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority)
        say(failure == 0 ? "fifo" : "refused")
        readsNothing()
    }
}

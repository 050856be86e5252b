// SPDX-License-Identifier: MIT

import Concurrency
import Glibc

/// Calls a closure when another process may have committed: inotify(7) on the file and its log, on a thread of its own.
///
/// A commit writes the log first and makes itself visible through shared memory a moment later, which the system does
/// not report. So each burst of writes is followed by calls after 2, 4, 8 … ms up to 16 seconds. While no process
/// writes, there is one call a minute: between writing the log and being visible, a commit waits for the disk, which
/// was seen to take longer than all that.
final class FileWatcher: Sendable {
    private static let firstDelay: Int32 = 2
    private static let lastDelay: Int32 = 16_000
    private static let idleDelay: Int32 = 60_000
    /// The interval of calls if the system has no watches left.
    private static let fallbackDelay: Int32 = 1_000

    private let executor: ThreadExecutor
    private let end = WakePipe()

    /// Starts to watch.
    init(_ paths: [String], call: @escaping @Sendable () -> Void) throws {
        executor = try ThreadExecutor(name: "db-watcher")
        guard end.isOpen else { throw DatabaseError(systemError: EMFILE, doing: "watch", path: paths.first ?? "") }
        // Made here and not on the thread, so that nothing is missed from now on.
        let watch = FileWatch(paths, for: .written)
        executor.call { [end] in Self.run(watch, until: end, call) }
    }

    deinit {
        // The thread's wait ends, and the thread with it.
        end.wake()
    }

    private static func run(_ watch: FileWatch, until end: WakePipe, _ call: () -> Void) {
        guard watch.count > 0 else {
            while end.wait(for: -1, timeout: fallbackDelay) == .timedOut { call() }
            return
        }
        while true {
            // Also at the start: a commit may have written its log just before, and be seen only once the disk has it.
            var delay = firstDelay
            while delay <= lastDelay {
                _ = watch.events()
                guard end.wait(for: -1, timeout: firstDelay) == .timedOut else { return }
                call()
                switch end.wait(for: watch.descriptor, timeout: delay) {
                case .timedOut: delay *= 2
                case .ready: delay = firstDelay
                case .woken: return
                }
            }
            var outcome: WakePipe.Outcome
            repeat {
                outcome = end.wait(for: watch.descriptor, timeout: idleDelay)
                if outcome == .timedOut { call() }
            } while outcome == .timedOut
            if outcome == .woken { return }
        }
    }
}

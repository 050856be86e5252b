// SPDX-License-Identifier: MIT

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
    private let stopper: Int32

    /// Starts to watch.
    init(_ paths: [String], call: @escaping @Sendable () -> Void) throws {
        executor = try ThreadExecutor(name: "db-watcher")
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw DatabaseError(systemError: errno, doing: "watch", path: paths.first ?? "")
        }
        // A child process that kept the other end would keep the thread alive.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopper = ends[1]
        let watch = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        // Set here and not on the thread, so that nothing is missed from now on.
        let watched = watch < 0 ? 0 : paths.filter { inotify_add_watch(watch, $0, UInt32(IN_MODIFY)) >= 0 }.count
        let stop = ends[0]
        executor.call {
            Self.run(watch: watched > 0 ? watch : nil, stop: stop, call)
            if watch >= 0 { close(watch) }
            close(stop)
        }
    }

    deinit {
        // The thread sees the end of the pipe, and ends.
        close(stopper)
    }

    private static func run(watch: Int32?, stop: Int32, _ call: () -> Void) {
        guard let watch else {
            while isQuiet([stop], fallbackDelay) { call() }
            return
        }
        while true {
            // Also at the start: a commit may have written its log just before, and be seen only once the disk has it.
            var delay = firstDelay
            while delay <= lastDelay {
                drain(watch)
                guard isQuiet([stop], firstDelay) else { return }
                call()
                if isQuiet([stop, watch], delay) {
                    delay *= 2
                } else {
                    if isReady(stop) { return }
                    delay = firstDelay
                }
            }
            while isQuiet([stop, watch], idleDelay) { call() }
            if isReady(stop) { return }
        }
    }

    /// Waits so many milliseconds, and returns true if no event arrived meanwhile.
    private static func isQuiet(_ descriptors: [Int32], _ milliseconds: Int32) -> Bool {
        var polls = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            let count = poll(&polls, nfds_t(polls.count), milliseconds)
            if count >= 0 { return count == 0 }
            // A signal; no other error is possible with descriptors that are ours.
            if errno != EINTR { return false }
        }
    }

    private static func isReady(_ descriptor: Int32) -> Bool { !isQuiet([descriptor], 0) }

    private static func drain(_ watch: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
            while Glibc.read(watch, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}

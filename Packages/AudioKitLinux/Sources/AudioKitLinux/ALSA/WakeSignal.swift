// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc
internal import Synchronization

/// Wakes a thread that blocks in `poll`, from any thread.
final class WakeSignal: Sendable {
    let descriptor: Int32
    /// The number of waits of a device's thread, for its device or for this signal.
    let waits = Atomic(0)

    init() throws(AudioError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        guard descriptor >= 0 else {
            throw AudioError(
                .io, "Too many files are open to start a sound stream.", underlying: String(cString: strerror(errno)))
        }
    }

    deinit { Glibc.close(descriptor) }

    func signal() {
        var one: UInt64 = 1
        // Fails only when the counter is full, and then the thread is awake already.
        _ = Glibc.write(descriptor, &one, 8)
    }

    func clear() {
        var count: UInt64 = 0
        _ = Glibc.read(descriptor, &count, 8)
    }

    /// Waits for the signal.
    func wait() {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, -1)
        clear()
    }

    /// Waits for `duration`, regardless of signals, unless `isOver` returns true.
    func wait(atMost duration: Duration, unless isOver: () -> Bool) {
        let end = ContinuousClock.now + duration
        while !isOver() {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return }
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, Int32(clamping: Int((left / .milliseconds(1)).rounded(.up))))
            clear()
        }
    }
}

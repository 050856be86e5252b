// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc
internal import Synchronization

/// Waits of a device's thread.
extension PCMHandle {
    /// Waits until `missing` frames more can be read, or for the wake signal, at most `timeout`.
    ///
    /// A device may be ready without end while it has less than a period: PulseAudio's plugin counts frames that were
    /// read already until the whole packet that the server sent is used up, and those packets are not periods. A
    /// real-time thread that trusts it keeps the processor from the server that it waits for. So after two false alarms
    /// the device is not polled before the next read: the thread sleeps for the time of the missing frames, an eighth
    /// of a period at least.
    func wait(forFrames missing: Int, timeout: Duration) {
        guard falseAlarms < 2 else {
            let nap = min(periodFrames, max(missing, periodFrames / 8, 1))
            return wait(wakeOnly: true, timeout: min(timeout, time(of: nap)))
        }
        wait(timeout: timeout)
        var index = 0
        // Without a sequence's iterator, because a debug build allocates one.
        while index < polled.count - 1, polled[index].revents == 0 { index += 1 }
        if index < polled.count - 1 { falseAlarms += 1 }
    }

    /// Notes that `frames` were read, which ends a series of false alarms.
    func noteRead(_ frames: Int) {
        if frames > 0 { falseAlarms = 0 }
    }

    /// Waits for the device (unless `wakeOnly`) or the wake signal, at most `timeout`.
    func wait(wakeOnly: Bool = false, timeout: Duration?) {
        let count = polled.count - 1
        guard let base = polled.baseAddress else { return }
        var milliseconds: Int32 = -1
        if let timeout {
            let (seconds, attoseconds) = max(.zero, timeout).components
            // Rounded up: a wait of a fraction must not become a busy loop.
            milliseconds = Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        }
        wake.waits.wrappingAdd(1, ordering: .relaxed)
        poll(wakeOnly ? base + count : base, wakeOnly ? 1 : nfds_t(count + 1), milliseconds)
        if !wakeOnly {
            // Lets a plugin clear its descriptor: without this call it would stay ready for ever.
            var events: UInt16 = 0
            snd_pcm_poll_descriptors_revents(pcm, base, UInt32(count), &events)
        }
    }

    /// True if the last `wait` saw the wake signal.
    var wasWoken: Bool { polled[polled.count - 1].revents != 0 }
}

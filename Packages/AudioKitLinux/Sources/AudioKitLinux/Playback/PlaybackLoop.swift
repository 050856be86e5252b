// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc
internal import Synchronization

/// The playback thread's loop while a device runs: moves frames from the ring to the device, obeys the commands, and
/// reports the progress of the sound.
///
/// It allocates nothing, takes no lock and logs nothing, as `AudioThreadTests` counts; its only system calls are
/// ALSA's, `poll`, and the write to an eventfd that wakes the service thread.
final class PlaybackLoop {
    let pcm: PCMHandle
    let link: PlaybackLink
    let history: PlaybackHistory
    let ready: WakeSignal
    let wake: WakeSignal
    let patience: Int64
    let isStopped: () -> Bool
    /// The next ring frame for the device. Smaller than the ring's own index while the history is played again.
    var written: Int
    /// The first ring frame since the device last started.
    var run: Int
    /// Ring frames before this one were heard, as last reported.
    var heard: Int
    /// True while the device empties itself: nothing is written until it has.
    var isDraining = false
    private var isRunningFree = false
    /// The number of starts in a row after which the device forgot its frames.
    private var falseStarts = 0
    private var progress = MonotonicTime.now()
    private let check: ClockCheck
    private let firstWritten: Int
    /// The value of `written` in the last report.
    private var toldWritten = 0
    /// The time when `heard` was last measured, as the device reported it.
    private var heardAt: Int64 = 0

    init(
        pcm: PCMHandle, link: PlaybackLink, history: PlaybackHistory, heard: Int, ready: WakeSignal, wake: WakeSignal,
        patience: Duration, isStopped: @escaping () -> Bool
    ) {
        self.pcm = pcm
        self.link = link
        self.history = history
        self.ready = ready
        self.wake = wake
        self.patience = Int64(patience / .nanoseconds(1))
        self.isStopped = isStopped
        self.heard = heard
        check = ClockCheck(began: MonotonicTime.now(), rate: pcm.frameRate, bufferFrames: pcm.bufferFrames)
        written = heard
        run = heard
        firstWritten = heard
        toldWritten = heard
    }

    /// Runs until the stream is stopped; throws the device's failure.
    func work() throws(AudioError) {
        defer {
            tell()
            guessHeard()
        }
        while !isStopped() {
            if let failure = pcm.deviceFailure { throw failure }
            if let wish = link.wantedFlush { try flush(wish.number, upTo: wish.target) }
            try feed()
            tell()
            try drainIfWanted()
            try watch()
            rest()
            wake.clear()
        }
    }

    /// True if the device has no frames of this stream.
    var isIdle: Bool { written == run }
    /// True if frames wait for the device.
    private var hasMore: Bool { written < link.ring.consumed || link.ring.count > 0 }

    /// Moves frames to the device until they are all there or it is full.
    private func feed() throws(AudioError) {
        if !isIdle, !isDraining, !hasMore {
            // Even without a frame to write, a stopped device must be noticed.
            let room = pcm.available()
            if room < 0 { try restart(after: room) }
        }
        let began = MonotonicTime.now()
        if isIdle, hasMore { try pcm.check(pcm.freshen()) }
        while !isDraining, hasMore {
            let room = pcm.available()
            if room < 0 {
                try restart(after: room)
                // A device that repeatedly fails at once must not keep a real-time thread on the processor.
                if MonotonicTime.now() - began > patience { throw stalled }
                continue
            }
            guard room > 0 else { break }
            let done = written < link.ring.consumed ? replay(room) : play(room)
            if done == 0 || done == -Int(EAGAIN) { break }
            if done < 0 {
                try restart(after: done)
                continue
            }
            written += done
        }
        if !isIdle, pcm.state == SND_PCM_STATE_PREPARED {
            let isHeldBack = heard == run && written - run > pcm.bufferFrames / 2
            let code = pcm.start()
            if code < 0 { try restart(after: Int(code)) }
            progress = MonotonicTime.now()
            if isHeldBack, pcm.hasForgotten, falseStarts < 10 {
                // Once more, from the history.
                falseStarts += 1
                try pcm.check(pcm.prepare())
                written = run
                try feed()
            } else {
                falseStarts = 0
            }
        }
    }

    /// Plays new frames from the ring.
    private func play(_ room: Int) -> Int {
        var done = 0
        let pcm = pcm
        _ = link.ring.peek(room) { source, frames, offset in
            if offset == 0 { done = pcm.write(source, frames: frames) }
        }
        guard done > 0 else { return done }
        let history = history
        _ = link.ring.peek(done) { source, frames, _ in history.append(source, frames: frames) }
        return link.ring.skip(done)
    }

    /// Plays frames that an earlier device, or this one before a suspend, never played.
    private func replay(_ room: Int) -> Int {
        guard let piece = history.piece(from: written, frames: room) else {
            // Too old for the history: lost.
            written = link.ring.consumed
            return 0
        }
        return pcm.write(piece.samples, frames: piece.frames)
    }

    private func restart(after code: Int) throws(AudioError) {
        let wasIdle = isIdle
        let isSuspend = code == -Int(ESTRPIPE)
        if isSuspend { tell() }
        guard try pcm.recover(from: code) else { return }
        if pcm.state == SND_PCM_STATE_PREPARED {
            // It ran dry, so everything written was heard. The frames in the device at a suspend are played again.
            if !isSuspend { heard = written }
            written = heard
            run = heard
            heardAt = 0
        }
        isDraining = false
        if !wasIdle { tell(isSuspend ? .afterSuspend : .afterXrun, at: MonotonicTime.now()) }
    }

    private func drainIfWanted() throws(AudioError) {
        let target = link.wantedDrain
        let isDue = target.map { !hasMore && written >= $0 } ?? false
        guard isDraining || isDue else { return }
        if !isIdle || isDraining {
            isDraining = true
            let step = pcm.drainStep()
            // A suspend, for one: the unheard frames are played, and drained, afterwards.
            if step < 0 { return try restart(after: step) }
            guard step > 0 else { return }
            if let failure = pcm.deviceFailure { throw failure }
            heard = written
            tell(.progress, at: MonotonicTime.now())
            isDraining = false
            try pcm.check(pcm.prepare())
            run = written
            // Frames that arrived meanwhile: this thread is not woken for them any more.
            try feed()
        }
        if isDue, let target { link.drained.store(target, ordering: .releasing) }
        ready.signal()
    }

    /// Asks the device for its position, and reports it.
    private func tell() {
        let state = pcm.state
        guard !isIdle, state == SND_PCM_STATE_RUNNING || state == SND_PCM_STATE_DRAINING else { return }
        let stamp = pcm.stamp()
        guard stamp.isKnown else { return }
        let now = max(heard, written - stamp.delay)
        guard now > heard || written != toldWritten else { return }
        heardAt = stamp.time
        if now > heard {
            heard = now
            progress = MonotonicTime.now()
        }
        tell(.progress, at: stamp.time)
    }

    /// A missing device cannot report its position: it played on until a moment ago. A virtual card can report it.
    private func guessHeard() {
        let stamp = pcm.stamp()
        guard !isIdle, pcm.state == SND_PCM_STATE_DISCONNECTED || !stamp.isKnown else { return }
        if pcm.isVirtual {
            heard = max(heard, written - stamp.delay)
        } else if heardAt > 0 {
            let since = Double(MonotonicTime.now() - heardAt) * 1e-9
            heard = max(heard, min(written, heard + Int(since * pcm.frameRate)))
        }
    }

    func tell(_ kind: PlaybackMark.Kind, at time: Int64, silentAt: Int64 = 0) {
        toldWritten = written
        link.tell(
            PlaybackMark(kind: kind, heard: heard, written: written, run: run, time: time, silentAt: silentAt))
        ready.signal()
    }

    private func watch() throws(AudioError) {
        let now = MonotonicTime.now()
        if isIdle, !isDraining { progress = now }
        guard now - progress < patience + pcm.nanoseconds(of: pcm.periodFrames) else { throw stalled }
        // A device without a clock would keep a real-time thread on the processor.
        if !isRunningFree, check.isRunningFree(after: written - firstWritten, at: now) {
            isRunningFree = true
            AudioThread.dropPriority()
        }
    }

    private var stalled: AudioError {
        AudioError(
            .stalled,
            "The loudspeaker \"\(pcm.name)\" takes no sound. Check that it is not suspended, or choose another device.")
    }

    /// Waits for the next event.
    private func rest() {
        if isIdle, !isDraining, !hasMore {
            pcm.wait(wakeOnly: true, timeout: nil)
        } else if isIdle || isDraining || !hasMore {
            // The device has room and would wake the thread at once: check again in half a period instead.
            pcm.wait(wakeOnly: true, timeout: pcm.time(of: pcm.periodFrames) / 2)
        } else {
            pcm.wait(timeout: min(.milliseconds(500), .nanoseconds(patience / 2)))
        }
    }
}

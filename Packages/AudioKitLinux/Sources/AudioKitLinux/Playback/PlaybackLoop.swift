// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

/// What the playback thread does: feeds the device from the queue, and tells how far the sound was heard.
final class PlaybackLoop {
    private let pcm: PCMHandle
    private let queue: PlaybackQueue
    private let wake: WakeSignal
    private let isStopped: () -> Bool
    private let samples: UnsafeMutablePointer<Float>
    /// The first frame since the device last started, and the next one for it.
    private var runStart = 0
    private var written = 0
    private var isDraining = false
    private var isRunningFree = false
    private var lastProgress = ContinuousClock.now
    private let began = ContinuousClock.now

    private static let patience = Duration.seconds(5)

    init(pcm: PCMHandle, queue: PlaybackQueue, wake: WakeSignal, isStopped: @escaping () -> Bool) {
        self.pcm = pcm
        self.queue = queue
        self.wake = wake
        self.isStopped = isStopped
        samples = .allocate(capacity: pcm.bufferFrames * pcm.format.channels)
    }

    deinit { samples.deallocate() }

    /// Runs until the stream is stopped or the device fails.
    func run() throws(AudioError) {
        defer {
            noteHeard()
            pcm.drop()
        }
        while !isStopped() {
            if let failure = pcm.deviceFailure { throw failure }
            if queue.read({ $0.wantsFlush }) { try flush() }
            try feed()
            noteHeard()
            try drainIfWanted()
            try watch()
            rest()
            wake.clear()
        }
    }

    private var isIdle: Bool { written == runStart }

    /// Moves frames from the queue to the device until one is empty or the other full.
    private func feed() throws(AudioError) {
        while !isDraining {
            let room = pcm.available()
            if room < 0 {
                try restart(after: room)
                continue
            }
            let ready = queue.read { $0.peek(samples, frames: min(room, pcm.bufferFrames)) }
            guard ready > 0 else { break }
            let done = pcm.write(samples, frames: ready)
            if done == -Int(EAGAIN) { break }
            if done < 0 {
                try restart(after: done)
                continue
            }
            queue.update { $0.take(done) }
            written += done
            lastProgress = .now
        }
        if !isIdle, pcm.state == SND_PCM_STATE_PREPARED {
            let code = pcm.start()
            if code < 0 { try restart(after: Int(code)) }
        }
    }

    private func restart(after code: Int) throws(AudioError) {
        let wasIdle = isIdle
        noteHeard()
        guard try pcm.recover(from: code) else { return }
        if pcm.state == SND_PCM_STATE_PREPARED {
            // It ran dry, so everything written was heard; after a suspend, nothing of it will be heard any more.
            noteHeard(upTo: written)
            runStart = written
        }
        if !wasIdle { queue.update { $0.xruns += 1 } }
    }

    private func flush() throws(AudioError) {
        noteHeard()
        pcm.drop()
        queue.update { $0.noteFlushed() }
        try beginRun(at: queue.read { $0.accepted })
    }

    private func beginRun(at frame: Int) throws(AudioError) {
        isDraining = false
        try pcm.check(pcm.prepare())
        runStart = frame
        written = frame
    }

    private func drainIfWanted() throws(AudioError) {
        let (isWanted, isEmpty) = queue.read { ($0.wantsDrain, $0.queued == 0) }
        // Frames that come while it drains wait for the next run.
        guard isDraining || (isWanted && isEmpty) else { return }
        if !isIdle {
            isDraining = true
            // Not blocking: it says "again" until the last frame is out.
            let code = pcm.drain()
            if code == -EAGAIN { return }
            if code != -EPIPE { try pcm.check(code) }
            if let failure = pcm.deviceFailure { throw failure }
            noteHeard(upTo: written)
            try beginRun(at: written)
        }
        let frame = written
        queue.update { $0.noteDrained(upTo: frame) }
    }

    private func noteHeard() {
        guard !isIdle else { return }
        let state = pcm.state
        guard state == SND_PCM_STATE_RUNNING || state == SND_PCM_STATE_DRAINING else { return }
        noteHeard(upTo: written - pcm.delay())
    }

    private func noteHeard(upTo frame: Int) {
        let now = ContinuousClock.now
        queue.update { state in
            guard frame > state.settled else { return }
            state.noteHeard(upTo: frame, run: runStart, rate: queue.rate, now: now)
        }
        if frame >= written { lastProgress = now }
    }

    private func watch() throws(AudioError) {
        if isIdle { lastProgress = .now }
        guard lastProgress.duration(to: .now) < Self.patience + pcm.time(of: pcm.bufferFrames) else {
            throw AudioError(
                .stalled,
                "The loudspeaker \"\(pcm.name)\" takes no sound. Check that it is not suspended, or choose another"
                    + " device.")
        }
        // A device without a clock would keep a real-time thread on the processor.
        if !isRunningFree, pcm.time(of: written) > began.duration(to: .now) + .seconds(2) {
            isRunningFree = true
            AudioThread.dropPriority()
        }
    }

    /// Waits for whatever comes next.
    private func rest() {
        if isIdle {
            pcm.wait(wakeOnly: true, timeout: nil)
        } else if isDraining || queue.read({ $0.queued == 0 }) {
            // The device has room and would wake the thread at once: look again in half a period instead.
            pcm.wait(wakeOnly: true, timeout: pcm.time(of: pcm.periodFrames) / 2)
        } else {
            pcm.wait(timeout: .milliseconds(500))
        }
    }
}

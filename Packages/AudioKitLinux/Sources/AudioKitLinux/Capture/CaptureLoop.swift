// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc
internal import Synchronization

/// The capture thread's loop while a device runs: waits for a period and moves it into the rings.
///
/// Between the device's start and its end it allocates nothing, takes no lock and logs nothing, as `AudioThreadTests`
/// counts; its only system calls are ALSA's, `poll`, and one write to an eventfd for each transfer, which wakes the
/// delivery thread. A transfer is one period, or several if `gather` asked for them.
struct CaptureLoop {
    let pcm: PCMHandle
    let link: CaptureLink
    let shared: CaptureShared
    let wake: WakeSignal
    let patience: Duration
    let isStopped: () -> Bool

    /// Runs until the device ends or the stream is stopped; throws the device's failure.
    func run(_ timeline: inout CaptureTimeline) throws(AudioError) {
        let limit = Int64(patience / .nanoseconds(1))
        let first = timeline.position
        var lastSound = MonotonicTime.now()
        let check = ClockCheck(began: lastSound, rate: pcm.frameRate, bufferFrames: pcm.bufferFrames)
        while !isStopped() {
            let wanted = wantedFrames
            if link.isPatient.load(ordering: .relaxed), !link.hasRoom(for: wanted) {
                waitForRoom(wanted)
                lastSound = MonotonicTime.now()
                continue
            }
            let available = pcm.available()
            if available < 0 {
                try restart(after: available, &timeline)
                // A device that repeatedly fails at once must not keep a real-time thread on the processor.
                if MonotonicTime.now() - lastSound > limit { throw stalled }
                continue
            }
            let isAtEnd = pcm.hasEnded
            if available >= wanted || (isAtEnd && available > 0) {
                let got = move(min(available, wanted), &timeline)
                if got < 0 { try restart(after: got, &timeline) }
                if got > 0 {
                    lastSound = MonotonicTime.now()
                    noticeFreeRunning(check, frames: timeline.position - first)
                }
                continue
            }
            if isAtEnd { return }
            if let failure = pcm.deviceFailure { throw failure }
            guard MonotonicTime.now() - lastSound < limit else { throw stalled }
            // Never longer than the limit of a stall, which would be noticed late.
            let longest = min(.milliseconds(500), patience / 2)
            if wanted > pcm.periodFrames {
                // The device would wake this thread with each period. A little longer, so that a slow clock costs no
                // second wait.
                let missing = wanted - available + pcm.periodFrames / 8
                pcm.wait(wakeOnly: true, timeout: min(longest, pcm.time(of: missing)))
            } else {
                pcm.wait(forFrames: wanted - available, timeout: longest)
            }
            wake.clear()
        }
    }

    /// The number of frames to transfer at once.
    private var wantedFrames: Int {
        let most = max(1, pcm.bufferFrames / pcm.periodFrames / 2)
        return min(shared.gathered.load(ordering: .relaxed), most) * pcm.periodFrames
    }

    private var stalled: AudioError {
        AudioError(
            .stalled,
            "The microphone \"\(pcm.name)\" delivers no sound. Check that it is not muted or suspended, or choose"
                + " another device.")
    }

    /// Moves frames from the device into the ring; returns their number or an error number.
    private func move(_ frames: Int, _ timeline: inout CaptureTimeline) -> Int {
        let stamp = pcm.stamp()
        let fits = link.hasRoom(for: frames)
        let got = fits ? pcm.read(into: link.samples, frames: frames) : pcm.discard(frames: frames)
        guard got > 0 else { return got }
        // Frames that still wait in the device were captured after the last frame of this transfer.
        let time = stamp.time - pcm.nanoseconds(of: stamp.delay - got)
        if fits { link.marks.push(CaptureMark(position: timeline.position, frames: got, time: time)) }
        timeline.advance(got, lastAt: time)
        shared.ready.signal()
        return got
    }

    private func restart(after code: Int, _ timeline: inout CaptureTimeline) throws(AudioError) {
        guard try pcm.recover(from: code) else { return }
        shared.xruns.wrappingAdd(1, ordering: .relaxed)
        if pcm.state == SND_PCM_STATE_PREPARED { try pcm.check(pcm.start()) }
        let lost = timeline.started(at: pcm.startTime(), tape: pcm.tapePosition)
        link.push(event: code == -Int(ESTRPIPE) ? .afterSuspend : .afterXrun, lost: lost)
        shared.ready.signal()
    }

    private func waitForRoom(_ frames: Int) {
        link.wantsRoom.store(true, ordering: .sequentiallyConsistent)
        if !link.hasRoom(for: frames) { pcm.wait(wakeOnly: true, timeout: .milliseconds(100)) }
        link.wantsRoom.store(false, ordering: .relaxed)
        wake.clear()
    }

    /// A device without a clock, as ALSA's `null` and `file`, would keep a real-time thread on the processor and
    /// overrun every consumer. Such a device can wait.
    private func noticeFreeRunning(_ check: ClockCheck, frames: Int) {
        guard !link.isPatient.load(ordering: .relaxed) else { return }
        guard check.isRunningFree(after: frames, at: MonotonicTime.now()) else { return }
        link.isPatient.store(true, ordering: .relaxed)
        AudioThread.dropPriority()
    }
}

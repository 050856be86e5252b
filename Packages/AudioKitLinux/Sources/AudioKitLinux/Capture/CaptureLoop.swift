// SPDX-License-Identifier: MIT
internal import CALSA

/// What the capture thread does: waits for a period, reads it, hands it to the queue.
struct CaptureLoop {
    let pcm: PCMHandle
    let queue: CaptureQueue
    let wake: WakeSignal
    let isStopped: () -> Bool

    /// A device that delivers nothing for so long is taken for dead: some never report an error (a suspended
    /// PulseAudio source does not), and the slowest first start measured takes 2 s.
    private static let patience = Duration.seconds(5)

    /// Runs until the device ends, fails or is stopped.
    func run() throws(AudioError) {
        let channels = pcm.format.channels
        let capacity = max(pcm.periodFrames, pcm.bufferFrames)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: capacity * channels)
        defer {
            samples.deallocate()
            pcm.drop()
        }
        var position = 0
        let began = ContinuousClock.now
        var lastSound = began
        var waitsForConsumer = pcm.isPatient
        while !isStopped() {
            if waitsForConsumer, queue.isFull {
                pcm.wait(wakeOnly: true, timeout: .milliseconds(100))
                wake.clear()
                lastSound = .now
                continue
            }
            let available = pcm.available()
            if available < 0 {
                try restart(after: available)
                continue
            }
            let isAtEnd = pcm.hasEnded
            if available >= pcm.periodFrames || (isAtEnd && available > 0) {
                let got = pcm.read(samples, frames: min(available, pcm.periodFrames))
                if got < 0 {
                    try restart(after: got)
                } else if got > 0 {
                    deliver(samples, frames: got, position: position)
                    position += got
                    lastSound = .now
                    if !waitsForConsumer, isRunningFree(position, since: began) {
                        waitsForConsumer = true
                        AudioThread.dropPriority()
                    }
                }
                continue
            }
            if isAtEnd { return }
            if let failure = pcm.deviceFailure { throw failure }
            guard lastSound.duration(to: .now) < Self.patience else {
                throw AudioError(
                    .stalled,
                    "The microphone \"\(pcm.name)\" delivers no sound. Check that it is not muted or suspended, or"
                        + " choose another device.")
            }
            pcm.wait(timeout: .milliseconds(500))
            wake.clear()
        }
    }

    private func restart(after code: Int) throws(AudioError) {
        guard try pcm.recover(from: code) else { return }
        queue.noteXrun()
        if pcm.state == SND_PCM_STATE_PREPARED { try pcm.check(pcm.start()) }
    }

    private func deliver(_ samples: UnsafeMutablePointer<Float>, frames: Int, position: Int) {
        let count = frames * pcm.format.channels
        let buffer = AudioBuffer(
            samples: Array(UnsafeBufferPointer(start: samples, count: count)), format: pcm.format)
        // What still waits in the device came after the last frame of this buffer.
        let last = ContinuousClock.now - pcm.time(of: pcm.delay())
        queue.push(CapturedBuffer(buffer: buffer, position: position, capturedAt: last))
    }

    /// Whether the device has no clock, as ALSA's `null` and `file`: it would keep a real-time thread on the processor
    /// and overrun every consumer. Such a device can wait.
    private func isRunningFree(_ frames: Int, since began: ContinuousClock.Instant) -> Bool {
        pcm.time(of: frames) > began.duration(to: .now) + pcm.time(of: pcm.bufferFrames) + .seconds(1)
    }
}

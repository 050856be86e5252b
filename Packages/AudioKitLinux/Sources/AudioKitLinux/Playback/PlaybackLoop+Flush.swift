// SPDX-License-Identifier: MIT
internal import CALSA
internal import Synchronization

extension PlaybackLoop {
    /// The length of the fade to silence in a flush, in nanoseconds.
    private static let fade = 5_000_000.0
    /// The sound that the device may be fetching at this moment and that must be left alone, in nanoseconds.
    private static let margin = 2_000_000.0

    /// Reaches silence in at most 7 ms of sound: takes back from the device as many frames as possible, fades the next
    /// 5 ms to zero, and skips the rest in the ring. A device that gives nothing back is stopped at once.
    func flush(_ number: Int, upTo target: Int) throws(AudioError) {
        let isRunning = pcm.state == SND_PCM_STATE_RUNNING && !isDraining
        let back = isRunning && !isIdle ? takeBack() : 0
        if back > 0 {
            written -= back
            fadeOut(back)
            heard = max(heard, written)
        } else {
            if !isIdle || isDraining {
                heard = max(heard, min(written, written - pcm.stamp().delay))
                pcm.drop()
                try pcm.check(pcm.prepare())
            }
            isDraining = false
        }
        link.ring.skip(max(0, target - link.ring.consumed))
        var end = PCMHandle.Stamp(delay: 0, time: MonotonicTime.now())
        if back > 0 { end = pcm.stamp() }
        tell(.flushed, at: MonotonicTime.now(), silentAt: end.time + pcm.nanoseconds(of: end.delay))
        written = link.ring.consumed
        run = written
        heard = written
        history.restart(at: written)
        link.flushesDone.store(number, ordering: .releasing)
        // Only the fade is left in the device: new sound follows it, or it empties itself.
        isDraining = back > 0 && link.ring.count == 0
        ready.signal()
    }

    /// Takes frames back from the device; returns their number.
    private func takeBack() -> Int {
        let perNanosecond = Double(pcm.format.sampleRate) * 1e-9
        let margin = min(pcm.periodFrames, Int(Self.margin * perNanosecond))
        let wish = min(pcm.stamp().delay - margin, pcm.rewindable(), written - run)
        return wish > 0 ? pcm.rewind(wish) : 0
    }

    /// Plays a fade of the next frames; the history has `back` of them.
    private func fadeOut(_ back: Int) {
        let frames = min(back, max(1, Int(Self.fade * 1e-9 * Double(pcm.format.sampleRate))))
        let end = written + frames
        history.fadeOut(from: written, frames: frames)
        while written < end {
            guard let piece = history.piece(from: written, frames: end - written) else { return }
            let done = pcm.write(piece.samples, frames: piece.frames)
            guard done > 0 else { return }
            written += done
        }
    }
}

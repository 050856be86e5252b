// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

/// Transfers sound through the device's own memory if it can be mapped, else by copies through ALSA.
extension PCMHandle {
    /// Reads at most `frames` (no more than the device's buffer) into a ring that has room for them. Returns the frames
    /// or an error number.
    func read(into ring: SPSCRing<Float>, frames: Int) -> Int {
        let channels = format.channels
        let type = sampleType
        let bytes = frameBytes
        return transfer(frames) { source, count in
            ring.fill(count) { target, piece, offset in
                type.toFloat(source + offset * bytes, target, count: piece * channels)
            }
        }
    }

    /// Reads at most `frames` and discards them.
    func discard(frames: Int) -> Int { transfer(frames) { _, count in count } }

    /// Writes at most `frames` of floats (no more than the device's buffer). Returns the frames or an error number.
    func write(_ source: UnsafePointer<Float>, frames: Int) -> Int {
        let channels = format.channels
        let count = min(frames, bufferFrames)
        guard isMapped else {
            sampleType.fromFloat(source, scratch, count: count * channels)
            return Int(snd_pcm_writei(pcm, scratch, snd_pcm_uframes_t(count)))
        }
        var done = 0
        while done < count {
            let written = mapped(count - done) { target, piece in
                sampleType.fromFloat(source + done * channels, target, count: piece * channels)
                return piece
            }
            guard written > 0 else { return done > 0 ? done : written }
            done += written
        }
        return done
    }

    private func transfer(_ frames: Int, _ take: (UnsafeRawPointer, Int) -> Int) -> Int {
        let count = min(frames, bufferFrames)
        guard isMapped else {
            let got = Int(snd_pcm_readi(pcm, scratch, snd_pcm_uframes_t(count)))
            noteRead(got)
            return got > 0 ? take(scratch, got) : got
        }
        var done = 0
        while done < count {
            let got = mapped(count - done) { take($0, $1) }
            guard got > 0 else { return done > 0 ? done : got }
            noteRead(got)
            done += got
        }
        return done
    }

    /// Passes one contiguous region of the device's memory, at most `frames`, to `body`, which returns the frames used.
    private func mapped(_ frames: Int, _ body: (UnsafeMutableRawPointer, Int) -> Int) -> Int {
        var areas: UnsafePointer<snd_pcm_channel_area_t>?
        var offset: snd_pcm_uframes_t = 0
        var count = snd_pcm_uframes_t(frames)
        let code = snd_pcm_mmap_begin(pcm, &areas, &offset, &count)
        guard code >= 0 else { return Int(code) }
        guard let area = areas?.pointee, let address = area.addr else { return -Int(EIO) }
        // Interleaved by constraint, so the first channel's area covers the whole frame.
        let start = address + (Int(area.first) + Int(offset) * Int(area.step)) / 8
        let used = count > 0 ? body(start, Int(count)) : 0
        return Int(snd_pcm_mmap_commit(pcm, offset, snd_pcm_uframes_t(used)))
    }

    /// Frames that can be taken back from the device at this moment.
    func rewindable() -> Int { max(0, Int(snd_pcm_rewindable(pcm))) }

    /// Takes back at most `frames` that were written and not played. Returns the frames taken back, 0 if it cannot.
    func rewind(_ frames: Int) -> Int { max(0, Int(snd_pcm_rewind(pcm, snd_pcm_uframes_t(frames)))) }

    /// Lets the device play its remaining sound, without waiting. Returns 1 once all of it was heard, 0 before that, or
    /// an error number.
    func drainStep() -> Int {
        guard snd_pcm_type(pcm) == SND_PCM_TYPE_IOPLUG else {
            // Non-blocking: it returns "again" until the last frame is out.
            let code = drain()
            if code == -EAGAIN { return 0 }
            return code < 0 && code != -EPIPE ? Int(code) : 1
        }
        let room = available()
        if room == -Int(EPIPE) { return 1 }
        if room < 0 { return room }
        // A plugin's drain may block (PulseAudio's does) or stop early: the device runs until its buffer is empty.
        guard plugin == nil else { return stamp().delay <= 0 ? 1 : 0 }
        // Sound that a sound server has taken is not heard yet, and the server discards it when the stream stops. So
        // silence follows the sound, and the sound is over when the server has taken four periods of silence:
        // PulseAudio was seen to have up to two more than its plugin reports, and to play one ahead.
        let missing = min(room, silentFrames - padding)
        if missing > 0 {
            let written = write(silence, frames: missing)
            if written < 0 { return written == -Int(EAGAIN) ? 0 : written }
            padding += written
        }
        let stamp = reportedStamp()
        return padding == silentFrames && stamp.isKnown && stamp.delay <= periodFrames ? 1 : 0
    }
}

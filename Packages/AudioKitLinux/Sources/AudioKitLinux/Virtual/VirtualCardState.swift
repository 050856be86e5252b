// SPDX-License-Identifier: MIT

/// The works of a virtual card: pure bookkeeping in frames of the card's clock. `now` is that clock's frame.
struct VirtualCardState {
    enum Sink {
        case none
        case discard
        case memory([Int16])
        case file(SoundFileWriter)
    }

    enum Source {
        case none
        case loopback
        case frames(any FrameSource)
    }

    let format: AudioFormat
    let timing: VirtualTiming
    var source: Source
    var sink: Sink
    var capture = VirtualTransport()
    var playback = VirtualTransport()
    var loop: LoopTimeline
    var isUnplugged = false
    var hasSourceEnded = false
    var failure: AudioError?

    subscript(direction: AudioDirection) -> VirtualTransport {
        get { direction == .capture ? capture : playback }
        set {
            if direction == .capture { capture = newValue } else { playback = newValue }
        }
    }

    /// Moves a direction on to `now`; afterwards `position` and `hasXrun` say where it is.
    mutating func advance(_ direction: AudioDirection, to now: Int) {
        switch direction {
        case .capture: advanceCapture(to: now)
        case .playback: advancePlayback(to: now)
        }
    }

    mutating func start(_ direction: AudioDirection, at now: Int) {
        if direction == .capture, case .loopback = source {
            advancePlayback(to: now)
            loop.seek(now)
        }
        self[direction].start(at: now, channels: format.channels, direction: direction)
    }

    mutating func inject(_ fault: VirtualFault) {
        switch fault {
        case .stall:
            if capture.isRunning { capture.hasXrun = true }
            if playback.isRunning {
                // The program slept: meanwhile everything that it had written was played.
                hear(playback.applied - playback.position)
                playback.hasXrun = true
            }
        case .suspend:
            capture.mustSuspend = capture.isRunning
            playback.mustSuspend = playback.isRunning
        case .unplug:
            isUnplugged = true
        }
    }

    private mutating func advanceCapture(to now: Int) {
        guard capture.isRunning, !capture.hasXrun, failure == nil else { return }
        var wanted = max(0, now - capture.origin - capture.position)
        let room = capture.bufferFrames - (capture.position - capture.applied)
        if wanted > room {
            switch timing {
            case .patient:
                capture.origin += wanted - room
                wanted = room
            case .strict:
                // As on hardware, the frames that found no place are gone.
                skip(wanted, now: now)
                capture.hasXrun = true
                return
            }
        }
        guard wanted > 0, !hasSourceEnded else { return }
        let frames = pull(wanted, now: now)
        capture.pending += frames
        capture.position += frames.count / format.channels
    }

    private mutating func pull(_ count: Int, now: Int) -> [Int16] {
        switch source {
        case .none:
            return []
        case .loopback:
            advancePlayback(to: now)
            return loop.next(count)
        case .frames(let frames):
            do throws(AudioError) {
                let samples = try frames.next(count)
                if samples.count < count * format.channels { hasSourceEnded = true }
                return samples
            } catch {
                failure = error
                return []
            }
        }
    }

    private mutating func skip(_ count: Int, now: Int) {
        guard case .frames(let frames) = source else {
            _ = pull(count, now: now)
            return
        }
        do throws(AudioError) { try frames.skip(count) } catch { failure = error }
    }

    private mutating func advancePlayback(to now: Int) {
        guard playback.isRunning, !playback.hasXrun, failure == nil else { return }
        let wanted = max(0, now - playback.origin - playback.position)
        let count = min(wanted, playback.applied - playback.position)
        if count > 0 { hear(count) }
        if wanted > count { playback.hasXrun = true }
    }

    private mutating func hear(_ count: Int) {
        let samples = playback.pending.prefix(count * format.channels)
        if case .loopback = source {
            let frame = playback.origin + playback.position
            loop.append(samples, at: frame)
            // Nobody listens: keep what a stream that starts now could still want, nothing more.
            if !capture.isRunning { loop.forget(before: frame) }
        }
        do throws(AudioError) {
            switch sink {
            case .none, .discard: break
            case .memory(var heard):
                sink = .discard
                heard += samples
                sink = .memory(heard)
            case .file(let writer):
                try writer.write(AudioBuffer(int16: samples, format: format))
            }
            playback.pending.removeFirst(samples.count)
            playback.position += count
        } catch {
            failure = error
        }
    }
}

// SPDX-License-Identifier: MIT

/// The state of a virtual card: pure bookkeeping in frames of the card's clock. `now` is that clock's frame.
struct VirtualCardState {
    enum Sink {
        case none
        case discard
        case memory([Int16])
        case consumer(@Sendable (AudioBuffer) -> Void)
        case file(PromisedSoundFile)
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
    /// The room between the loudspeaker and the microphone; nil for the plain loop.
    var room: VirtualRoom?
    var isUnplugged = false
    /// Frames of the source that were captured or skipped since the card was made, and the card's clock there.
    private(set) var tape = 0
    private(set) var tapeClock: Int?
    var hasSourceEnded = false
    var failure: AudioError?

    init(
        format: AudioFormat, timing: VirtualTiming, source: Source, sink: Sink, loop: LoopTimeline,
        room: VirtualRoom? = nil
    ) {
        self.format = format
        self.timing = timing
        self.source = source
        self.sink = sink
        self.loop = loop
        self.room = room
    }

    subscript(direction: AudioDirection) -> VirtualTransport {
        get { direction == .capture ? capture : playback }
        set {
            if direction == .capture { capture = newValue } else { playback = newValue }
        }
    }

    /// Advances a direction to `now`; afterwards `position` and `hasXrun` have the result.
    mutating func advance(_ direction: AudioDirection, to now: Int) {
        switch direction {
        case .capture: advanceCapture(to: now)
        case .playback: advancePlayback(to: now)
        }
    }

    mutating func start(_ direction: AudioDirection, at now: Int) {
        if direction == .capture {
            if case .loopback = source {
                advancePlayback(to: now)
                loop.seek(now)
            } else {
                passOver(until: now)
            }
        }
        self[direction].start(at: now, channels: format.channels, direction: direction)
    }

    /// The source's number of the next frame that the program reads.
    var tapePosition: Int {
        let next: Int
        if case .loopback = source { next = loop.cursor } else { next = tape }
        return next - capture.pending.count / format.channels
    }

    /// As with hardware, the sound continues while a strict card is stopped.
    mutating func passOver(until now: Int) {
        guard timing == .strict, case .frames = source else { return }
        if let tapeClock, now > tapeClock { skip(now - tapeClock, now: now) }
        tapeClock = now
    }

    mutating func inject(_ fault: VirtualFault) {
        switch fault {
        case .stall:
            if capture.isRunning { capture.hasXrun = true }
            if playback.isRunning {
                // The program slept: meanwhile all its written frames were played.
                hear(playback.applied - playback.position)
                playback.hasXrun = true
            }
        case .suspend:
            capture.mustSuspend = capture.isRunning
            playback.mustSuspend = playback.isRunning
        case .freeze:
            capture.isFrozen = capture.isRunning
            playback.isFrozen = playback.isRunning
        case .fail:
            capture.mustFail = capture.isRunning
            playback.mustFail = playback.isRunning
        case .unplug:
            isUnplugged = true
            capture.isCut = capture.isOpen
            playback.isCut = playback.isOpen
        }
    }

    private mutating func advanceCapture(to now: Int) {
        guard capture.isRunning, !capture.isFrozen, !capture.hasXrun, failure == nil else { return }
        var wanted = max(0, now - capture.origin - capture.position)
        let room = capture.bufferFrames - (capture.position - capture.applied)
        if wanted > room {
            switch timing {
            case .patient:
                capture.origin += wanted - room
                wanted = room
            case .strict:
                // As on hardware, the frames without room are lost.
                skip(wanted, now: now)
                tapeClock = now
                capture.hasXrun = true
                return
            }
        }
        guard wanted > 0, !hasSourceEnded else { return }
        let frames = pull(wanted, now: now)
        capture.pending += frames
        capture.position += frames.count / format.channels
        tape += frames.count / format.channels
        tapeClock = capture.origin + capture.position
    }

    private mutating func pull(_ count: Int, now: Int) -> [Int16] {
        switch source {
        case .none:
            return []
        case .loopback:
            advancePlayback(to: now)
            let played = loop.next(count)
            return room?.hear(played, channels: format.channels) ?? played
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
        tape += count
        do throws(AudioError) { try frames.skip(count) } catch { failure = error }
    }

    private mutating func advancePlayback(to now: Int) {
        guard playback.isRunning, !playback.isFrozen, !playback.hasXrun, failure == nil else { return }
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
            // No stream captures: keep only the sound that a stream started now could still need.
            if !capture.isRunning { loop.forget(before: frame) }
        }
        do throws(AudioError) {
            switch sink {
            case .none, .discard: break
            case .memory(var heard):
                sink = .discard
                heard += samples
                sink = .memory(heard)
            case .consumer(let hear): hear(AudioBuffer(int16: Array(samples), format: format))
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

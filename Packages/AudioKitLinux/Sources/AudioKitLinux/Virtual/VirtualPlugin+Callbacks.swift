// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

extension VirtualPlugin {
    /// The callbacks of ALSA. They hold the card's lock only while they move counters and samples.
    static func callbackTable(_ direction: AudioDirection) -> snd_pcm_ioplug_callback_t {
        var table = snd_pcm_ioplug_callback_t()
        table.prepare = { VirtualPlugin.from($0)?.prepare() ?? -ENODEV }
        table.start = { VirtualPlugin.from($0)?.start() ?? -ENODEV }
        table.stop = { VirtualPlugin.from($0)?.stop() ?? -ENODEV }
        table.resume = { VirtualPlugin.from($0)?.resume() ?? -ENODEV }
        table.pointer = { VirtualPlugin.from($0)?.pointer() ?? -Int(ENODEV) }
        table.transfer = { io, areas, offset, size in
            VirtualPlugin.from(io)?.transfer(areas, Int(offset), Int(size)) ?? -Int(ENODEV)
        }
        table.poll_revents = { io, descriptors, count, events in
            events?.pointee = VirtualPlugin.from(io)?.pollEvents() ?? 0
            return 0
        }
        return table
    }

    private func prepare() -> Int32 {
        setTimer(periodFrames: 0)
        let bufferFrames = Int(io.pointee.buffer_size)
        let periodFrames = Int(io.pointee.period_size)
        return card.withState { state, _ in
            guard !state[direction].isCut else { return -ENODEV }
            state[direction].prepare(keepsPending: direction == .capture && state.timing == .patient)
            state[direction].bufferFrames = bufferFrames
            state[direction].periodFrames = periodFrames
            return 0
        }
    }

    private func start() -> Int32 {
        let code: Int32 = card.withState { state, now in
            guard !state[direction].isCut else { return -ENODEV }
            state.start(direction, at: now)
            return 0
        }
        if code == 0 { setTimer(periodFrames: Int(io.pointee.period_size)) }
        return code
    }

    private func stop() -> Int32 {
        card.withState { state, now in
            // Frames up to this instant were heard; the rest never are.
            state.advance(direction, to: now)
            state[direction].isRunning = false
            if direction == .playback { state.playback.pending = [] }
        }
        setTimer(periodFrames: 0)
        return 0
    }

    private func resume() -> Int32 {
        let code: Int32 = card.withState { state, now in
            guard !state[direction].isCut else { return -ENODEV }
            state[direction].origin = now - state[direction].position
            state[direction].isRunning = true
            return 0
        }
        if code == 0 { snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING) }
        return code
    }

    private func pointer() -> snd_pcm_sframes_t {
        enum Event { case none, xrun, suspend, unplug }
        let applied = Int(io.pointee.appl_ptr)
        let (event, position) = card.withState { state, now -> (Event, Int) in
            if direction == .playback { state.playback.rewind(to: applied, channels: card.format.channels) }
            state.advance(direction, to: now)
            let position = state[direction].position
            if state[direction].isCut || state.failure != nil { return (.unplug, position) }
            if state[direction].mustSuspend {
                state[direction].mustSuspend = false
                state[direction].isRunning = false
                return (.suspend, position)
            }
            return (state[direction].hasXrun ? .xrun : .none, position)
        }
        switch event {
        case .none: return position
        case .xrun: return -Int(EPIPE)
        case .suspend: snd_pcm_ioplug_set_state(io, SND_PCM_STATE_SUSPENDED)
        // An error number here would show as an xrun.
        case .unplug: snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED)
        }
        return position
    }

    private func transfer(
        _ areas: UnsafePointer<snd_pcm_channel_area_t>?, _ offset: Int, _ count: Int
    ) -> snd_pcm_sframes_t {
        guard let area = areas?.pointee, let address = area.addr else { return -Int(EINVAL) }
        // Interleaved by constraint, so the first channel's area covers the whole frame.
        let start = address + (Int(area.first) + offset * Int(area.step)) / 8
        let channels = card.format.channels
        let type = sampleType
        let applied = Int(io.pointee.appl_ptr)
        // SAFETY: ALSA's memory, used only inside this call; the state is behind the card's lock.
        nonisolated(unsafe) let memory = start
        return card.withState { state, _ in
            if state[direction].mustFail {
                state[direction].mustFail = false
                state[direction].isRunning = false
                return -Int(EIO)
            }
            switch direction {
            case .playback where state.playback.hasXrun:
                // It ran dry since the program checked: frames written now would never be heard.
                return -Int(EPIPE)
            case .playback:
                state.playback.rewind(to: applied, channels: channels)
                state.playback.pending += type.int16(from: memory, count: count * channels)
                state.playback.applied += count
                return count
            case .capture:
                let got = min(count * channels, state.capture.pending.count)
                type.write(state.capture.pending.prefix(got), to: memory)
                state.capture.pending.removeFirst(got)
                state.capture.applied += got / channels
                return got / channels
            }
        }
    }

    /// The sample type that the stream chose.
    private var sampleType: PCMSampleType {
        PCMSampleType.allCases.first { $0.alsaFormat == io.pointee.format } ?? .int16
    }

    /// The card's clock at the last frame, and the program's distance from it.
    func stamp() -> PCMHandle.Stamp {
        let (delay, frame) = card.withState { state, now -> (Int, Int) in
            if direction == .playback {
                state.playback.rewind(to: Int(io.pointee.appl_ptr), channels: card.format.channels)
            }
            state.advance(direction, to: now)
            let transport = state[direction]
            let delay = abs(transport.position - transport.applied)
            return (delay, transport.isRunning ? transport.origin + transport.position : now)
        }
        return PCMHandle.Stamp(delay: delay, time: card.time(of: frame))
    }

    /// The source's number of the next frame that the program reads.
    var tapePosition: Int { card.withState { state, _ in state.tapePosition } }

    private func pollEvents() -> UInt16 {
        var ticks: UInt64 = 0
        _ = Glibc.read(timer, &ticks, 8)
        let ready = direction == .capture ? UInt16(POLLIN) : UInt16(POLLOUT)
        return card.withState { state, now in
            state.advance(direction, to: now)
            let transport = state[direction]
            guard !transport.isFrozen else { return 0 }
            let isTroubled =
                transport.mustFail || transport.hasXrun || transport.mustSuspend || transport.isCut
                || state.hasSourceEnded
            return isTroubled || transport.available(direction) >= transport.periodFrames ? ready : 0
        }
    }

    private func setTimer(periodFrames: Int) {
        let frameRate = Double(card.format.sampleRate) * card.speed
        let nanoseconds = periodFrames == 0 ? 0 : max(50_000, Int(Double(periodFrames) / frameRate * 1e9))
        let interval = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        var specification = itimerspec(it_interval: interval, it_value: interval)
        timerfd_settime(timer, 0, &specification, nil)
    }
}

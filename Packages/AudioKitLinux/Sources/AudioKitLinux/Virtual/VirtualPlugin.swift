// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

/// One open direction of a virtual card as ALSA sees it: an I/O plugin whose clock is the card's and whose poll
/// descriptor is a timer. ALSA calls back on the thread that uses the PCM.
final class VirtualPlugin {
    let card: VirtualCard
    let direction: AudioDirection
    let timer: Int32
    let io: UnsafeMutablePointer<snd_pcm_ioplug_t>
    private let callbacks: UnsafeMutablePointer<snd_pcm_ioplug_callback_t>
    private let title: UnsafeMutablePointer<CChar>?

    /// Valid until `closed()`.
    var pcm: OpaquePointer { io.pointee.pcm }

    /// Opens the card's direction. Throws `deviceNotFound` if it is missing or the card is unplugged, `deviceBusy`.
    init(_ card: VirtualCard, _ direction: AudioDirection) throws(AudioError) {
        if let refusal = card.withState({ state, _ in state.refusal(of: direction) }) { throw refusal }
        self.card = card
        self.direction = direction
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        title = strdup("parley virtual card")
        io = .allocate(capacity: 1)
        callbacks = .allocate(capacity: 1)
        callbacks.initialize(to: Self.callbackTable(direction))
        io.initialize(to: snd_pcm_ioplug_t())
        io.pointee.version = 1 << 16 | 2
        io.pointee.name = UnsafePointer(title)
        io.pointee.flags = UInt32(SND_PCM_IOPLUG_FLAG_BOUNDARY_WA | SND_PCM_IOPLUG_FLAG_MONOTONIC)
        io.pointee.poll_fd = timer
        io.pointee.poll_events = UInt32(POLLIN)
        io.pointee.callback = UnsafePointer(callbacks)
        io.pointee.private_data = Unmanaged.passUnretained(self).toOpaque()
        let stream = direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
        let code = snd_pcm_ioplug_create(io, "parley", stream, Int32(SND_PCM_NONBLOCK))
        guard timer >= 0, code == 0, io.pointee.pcm != nil else {
            let failure = AudioError(
                .io, "The virtual sound card cannot be opened; too many files may be open.",
                underlying: String(cString: strerror(timer < 0 ? errno : -code)))
            closed()
            throw failure
        }
        constrain()
    }

    deinit {
        io.deallocate()
        callbacks.deallocate()
        free(title)
        if timer >= 0 { Glibc.close(timer) }
    }

    /// Frees the card for the next stream; after `snd_pcm_close`.
    func closed() {
        card.withState { state, _ in
            state[direction].prepare(keepsPending: direction == .capture)
            state[direction].isOpen = false
            state[direction].isFrozen = false
            state[direction].mustFail = false
            state[direction].isCut = false
            state[direction].mustSuspend = false
        }
    }

    static func from(_ io: UnsafeMutablePointer<snd_pcm_ioplug_t>?) -> VirtualPlugin? {
        guard let data = io?.pointee.private_data else { return nil }
        return Unmanaged<VirtualPlugin>.fromOpaque(data).takeUnretainedValue()
    }

    private func constrain() {
        let format = card.format
        let widths = card.sampleTypes.map { UInt32($0.byteCount * format.channels) }
        let (least, most) = (widths.min() ?? 2, widths.max() ?? 2)
        let access = [SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED].map { UInt32($0.rawValue) }
        let samples = card.sampleTypes.map { UInt32(bitPattern: $0.alsaFormat.rawValue) }
        snd_pcm_ioplug_set_param_list(io, Int32(SND_PCM_IOPLUG_HW_ACCESS), 2, access)
        snd_pcm_ioplug_set_param_list(io, Int32(SND_PCM_IOPLUG_HW_FORMAT), UInt32(samples.count), samples)
        let limits: [(Int, UInt32, UInt32)] = [
            (Int(SND_PCM_IOPLUG_HW_CHANNELS), UInt32(format.channels), UInt32(format.channels)),
            (Int(SND_PCM_IOPLUG_HW_RATE), UInt32(format.sampleRate), UInt32(format.sampleRate)),
            (Int(SND_PCM_IOPLUG_HW_PERIOD_BYTES), least, most << 16),
            (Int(SND_PCM_IOPLUG_HW_BUFFER_BYTES), least * 2, most << 18),
            (Int(SND_PCM_IOPLUG_HW_PERIODS), 2, 1024),
        ]
        for (kind, low, high) in limits { snd_pcm_ioplug_set_param_minmax(io, Int32(kind), low, high) }
    }
}

extension VirtualCardState {
    /// Marks a direction as open; returns an error if it cannot be opened.
    fileprivate mutating func refusal(of direction: AudioDirection) -> AudioError? {
        let exists: Bool
        switch (direction, source, sink) {
        case (.capture, .none, _), (.playback, _, .none): exists = false
        default: exists = true
        }
        guard exists, !isUnplugged else {
            let part = direction == .capture ? "microphone" : "loudspeaker"
            return AudioError(
                .deviceNotFound,
                isUnplugged
                    ? "The virtual sound card was unplugged. Plug it in again."
                    : "The virtual sound card has no \(part). Give it one when making it.")
        }
        guard !self[direction].isOpen else {
            return AudioError(.deviceBusy, "Another stream uses the virtual sound card. Stop that stream first.")
        }
        if let failure { return failure }
        self[direction].isOpen = true
        return nil
    }
}

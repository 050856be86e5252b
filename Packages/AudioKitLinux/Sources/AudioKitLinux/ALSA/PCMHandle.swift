// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

/// An open, configured, non-blocking `snd_pcm_t`, with samples as floats on the program's side.
///
/// Belongs to one thread. Functions that return `Int32` or a negative count give ALSA's error numbers.
final class PCMHandle {
    let pcm: OpaquePointer
    let name: String
    let direction: AudioDirection
    let format: AudioFormat
    let sampleType: PCMSampleType
    let periodFrames: Int
    let bufferFrames: Int
    /// Frames per second of real time: the sample rate, times the speed of a virtual card.
    let frameRate: Double

    private let plugin: VirtualPlugin?
    private let scratch: UnsafeMutableRawPointer
    private let polled: UnsafeMutableBufferPointer<pollfd>

    init(
        _ device: AudioDevice, _ direction: AudioDirection, _ configuration: StreamConfiguration, wake: WakeSignal
    ) throws(AudioError) {
        let opened = try PCMOpening.open(device, direction)
        let parameters: PCMParameters
        do {
            parameters = try PCMParameters.negotiate(opened.pcm, device.name, configuration)
        } catch {
            snd_pcm_close(opened.pcm)
            opened.plugin?.closed()
            throw error
        }
        pcm = opened.pcm
        plugin = opened.plugin
        name = device.name
        self.direction = direction
        format = configuration.format
        sampleType = parameters.sampleType
        periodFrames = parameters.periodFrames
        bufferFrames = parameters.bufferFrames
        frameRate = Double(format.sampleRate) * (opened.plugin?.card.speed ?? 1)
        let byteCount = bufferFrames * format.channels * 4
        scratch = .allocate(byteCount: byteCount, alignment: 16)
        // ALSA's null device "reads" without touching the memory.
        scratch.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        let count = max(0, Int(snd_pcm_poll_descriptors_count(opened.pcm)))
        polled = .allocate(capacity: count + 1)
        polled.initialize(repeating: pollfd())
        snd_pcm_poll_descriptors(pcm, polled.baseAddress, UInt32(count))
        polled[count] = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
    }

    deinit {
        _ = ALSAMessages.gather { snd_pcm_close(pcm) }
        plugin?.closed()
        scratch.deallocate()
        polled.deallocate()
    }

    var isVirtual: Bool { plugin != nil }
    /// Whether the device waits for its reader instead of losing sound.
    var isPatient: Bool { plugin?.card.timing == .patient }
    /// Whether a virtual microphone has come to its end: no more than `available()` is left.
    var hasEnded: Bool { plugin?.card.hasCaptureEnded ?? false }
    /// What went wrong inside a virtual card.
    var deviceFailure: AudioError? { plugin?.card.failure }
    var state: snd_pcm_state_t { snd_pcm_state(pcm) }

    /// How long `count` frames last in real time.
    func time(of count: Int) -> Duration { .nanoseconds(Int64(Double(count) / frameRate * 1e9)) }

    /// Waits for the device (unless `wakeOnly`) or the wake signal, at most `timeout`.
    func wait(wakeOnly: Bool = false, timeout: Duration?) {
        let count = polled.count - 1
        guard let base = polled.baseAddress else { return }
        var milliseconds: Int32 = -1
        if let timeout {
            let (seconds, attoseconds) = max(.zero, timeout).components
            // Upwards: a wait of a fraction must not become a busy loop.
            milliseconds = Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        }
        poll(wakeOnly ? base + count : base, wakeOnly ? 1 : nfds_t(count + 1), milliseconds)
        if !wakeOnly {
            // Lets a plugin clear its descriptor: without it, it would stay ready for ever.
            var events: UInt16 = 0
            snd_pcm_poll_descriptors_revents(pcm, base, UInt32(count), &events)
        }
    }

    /// Frames that can be read or written now, or an error number; also for states that `snd_pcm_avail_update` keeps
    /// to itself.
    func available() -> Int {
        let count = snd_pcm_avail_update(pcm)
        guard count >= 0 else { return count }
        switch state {
        case SND_PCM_STATE_XRUN: return -Int(EPIPE)
        case SND_PCM_STATE_SUSPENDED: return -Int(ESTRPIPE)
        case SND_PCM_STATE_DISCONNECTED: return -Int(ENODEV)
        default: return count
        }
    }

    /// Frames between the program's end of the device's buffer and the air; 0 when the device cannot say.
    func delay() -> Int {
        var frames: snd_pcm_sframes_t = 0
        return snd_pcm_delay(pcm, &frames) == 0 ? max(0, frames) : 0
    }

    func start() -> Int32 { snd_pcm_start(pcm) }
    func prepare() -> Int32 { snd_pcm_prepare(pcm) }
    func drop() { snd_pcm_drop(pcm) }
    func drain() -> Int32 { snd_pcm_drain(pcm) }
    func resume() -> Int32 { snd_pcm_resume(pcm) }

    /// Reads at most `frames` (no more than the device's buffer) as floats.
    func read(_ target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let got = snd_pcm_readi(pcm, scratch, snd_pcm_uframes_t(min(frames, bufferFrames)))
        if got > 0 { sampleType.toFloat(scratch, target, count: got * format.channels) }
        return got
    }

    /// Writes at most `frames` (no more than the device's buffer).
    func write(_ source: UnsafePointer<Float>, frames: Int) -> Int {
        let count = min(frames, bufferFrames)
        sampleType.fromFloat(source, scratch, count: count * format.channels)
        return snd_pcm_writei(pcm, scratch, snd_pcm_uframes_t(count))
    }
}

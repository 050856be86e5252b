// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

/// An open, configured, non-blocking `snd_pcm_t`, with samples as floats on the program's side.
///
/// Belongs to one thread. Functions that return `Int32` or a negative count return ALSA's error numbers. After `init`
/// no member allocates, so that the audio thread may call all of them.
final class PCMHandle {
    let pcm: OpaquePointer
    let name: String
    let direction: AudioDirection
    /// The device's format, which may differ from the stream's.
    let format: AudioFormat
    let sampleType: PCMSampleType
    let isMapped: Bool
    let periodFrames: Int
    let bufferFrames: Int
    /// Frames per second of real time: the sample rate, times the speed of a virtual card.
    let frameRate: Double

    let plugin: VirtualPlugin?
    /// One device buffer of samples in the device's type.
    let scratch: UnsafeMutableRawPointer
    let frameBytes: Int
    /// Five periods of silence, for the end of a sound.
    let silence: UnsafeMutablePointer<Float>
    var silentFrames: Int { 5 * periodFrames }
    /// Frames of the buffer that are never filled. PulseAudio's plugin takes a buffer that is full when it starts for
    /// an empty one: it asks for as much again, or reports at once that everything was heard.
    private let spareFrames: Int
    /// Frames of silence that were written after the sound, so that its end is heard.
    var padding = 0
    private var isOpen = true
    private let status: OpaquePointer
    /// The device's descriptors, then the wake signal's.
    let polled: UnsafeMutableBufferPointer<pollfd>
    let wake: WakeSignal
    /// Wake-ups by the device in a row without a frame to read.
    var falseAlarms = 0

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
        var status: OpaquePointer?
        snd_pcm_status_malloc(&status)
        guard let status else {
            snd_pcm_close(opened.pcm)
            opened.plugin?.closed()
            throw AudioError(.io, "There is no memory left to open a sound device.")
        }
        self.status = status
        pcm = opened.pcm
        plugin = opened.plugin
        name = device.name
        self.direction = direction
        format = parameters.format
        sampleType = parameters.sampleType
        isMapped = parameters.isMapped
        periodFrames = parameters.periodFrames
        bufferFrames = parameters.bufferFrames
        frameRate = Double(format.sampleRate) * (opened.plugin?.card.speed ?? 1)
        frameBytes = format.channels * sampleType.byteCount
        let byteCount = bufferFrames * frameBytes
        scratch = .allocate(byteCount: byteCount, alignment: 16)
        // ALSA's null device "reads" without touching the memory.
        scratch.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        spareFrames = direction == .playback && plugin == nil && snd_pcm_type(pcm) == SND_PCM_TYPE_IOPLUG ? 1 : 0
        let silentSamples = 5 * periodFrames * format.channels
        silence = .allocate(capacity: silentSamples)
        silence.initialize(repeating: 0, count: silentSamples)
        let count = max(0, Int(snd_pcm_poll_descriptors_count(opened.pcm)))
        self.wake = wake
        polled = .allocate(capacity: count + 1)
        polled.initialize(repeating: pollfd())
        snd_pcm_poll_descriptors(pcm, polled.baseAddress, UInt32(count))
        polled[count] = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
    }

    deinit {
        close()
        snd_pcm_status_free(status)
        scratch.deallocate()
        silence.deallocate()
        polled.deallocate()
    }

    /// Closes the device, so that it can be opened again. Nothing else may be called afterwards.
    func close() {
        guard isOpen else { return }
        isOpen = false
        _ = ALSAMessages.gather { snd_pcm_close(pcm) }
        plugin?.closed()
    }

    var isVirtual: Bool { plugin != nil }
    /// True if the device waits for its reader instead of losing sound.
    var isPatient: Bool { plugin?.card.timing == .patient }
    /// True if a virtual microphone has reached its end: no more than `available()` is left.
    var hasEnded: Bool { plugin?.card.hasCaptureEnded ?? false }
    /// The failure inside a virtual card; nil without a failure or for other devices.
    var deviceFailure: AudioError? { plugin?.card.failure }
    var state: snd_pcm_state_t { snd_pcm_state(pcm) }

    /// The duration of `count` frames in real time.
    func time(of count: Int) -> Duration { .nanoseconds(nanoseconds(of: count)) }
    /// The duration of `count` frames in real time, in nanoseconds.
    func nanoseconds(of count: Int) -> Int64 { Int64(Double(count) / frameRate * 1e9) }

    /// Frames that can be read or written now, or an error number; also in states for which `snd_pcm_avail_update`
    /// reports nothing.
    func available() -> Int {
        let count = snd_pcm_avail_update(pcm)
        guard count >= 0 else { return count }
        switch state {
        case SND_PCM_STATE_XRUN: return -Int(EPIPE)
        case SND_PCM_STATE_SUSPENDED: return -Int(ESTRPIPE)
        case SND_PCM_STATE_DISCONNECTED: return -Int(ENODEV)
        default: return max(0, count - spareFrames)
        }
    }

    /// A reading of the device's clock.
    struct Stamp {
        /// Frames between the program's end of the device's buffer and the air.
        var delay: Int
        /// The time of the reading: monotonic nanoseconds.
        var time: Int64
        /// True if the device reported the time; false if it is only the time of the call.
        var isKnown = true
    }

    /// The delay and the instant at which the driver took it, as one reading; the present instant if the driver has no
    /// time stamps.
    ///
    /// The silence after the end of a sound is not counted.
    func stamp() -> Stamp {
        if let plugin { return plugin.stamp() }
        var stamp = reportedStamp()
        stamp.delay = max(0, stamp.delay - padding)
        return stamp
    }

    /// `stamp()` as the device reports it.
    func reportedStamp() -> Stamp {
        guard snd_pcm_status(pcm, status) == 0 else {
            return Stamp(delay: 0, time: MonotonicTime.now(), isKnown: false)
        }
        var time = snd_htimestamp_t()
        snd_pcm_status_get_htstamp(status, &time)
        let stamp = Self.nanoseconds(time)
        var delay = max(0, Int(snd_pcm_status_get_delay(status)))
        if direction == .playback {
            // PulseAudio's plugin guesses between the server's answers, and reports 0 before the first one: 80 ms too
            // little was seen on a busy machine. Frames that the buffer still holds cannot have been heard.
            delay = max(delay, bufferFrames - Int(snd_pcm_status_get_avail(status)))
        }
        return Stamp(delay: delay, time: stamp > 0 ? stamp : MonotonicTime.now())
    }

    /// The time of the device's last start: monotonic nanoseconds.
    func startTime() -> Int64 {
        guard plugin == nil, snd_pcm_status(pcm, status) == 0 else { return MonotonicTime.now() }
        var time = snd_htimestamp_t()
        snd_pcm_status_get_trigger_htstamp(status, &time)
        let stamp = Self.nanoseconds(time)
        return stamp > 0 ? stamp : MonotonicTime.now()
    }

    /// A virtual card's number of the next frame to be read, which includes unread frames; nil for hardware.
    var tapePosition: Int? { plugin?.tapePosition }

    func start() -> Int32 { snd_pcm_start(pcm) }

    /// True if a server's stream that was started just now, with more than half of its buffer full, reports that all of
    /// it was heard: PulseAudio's plugin does that at times, and the sound would be lost.
    var hasForgotten: Bool { spareFrames > 0 && available() >= bufferFrames - 4 }

    /// Prepares a sound server's stream once more when it may have been idle: PulseAudio's plugin takes the first sound
    /// after an idle second or so as heard already, and it is lost.
    func freshen() -> Int32 { spareFrames > 0 && state == SND_PCM_STATE_PREPARED ? prepare() : 0 }

    func prepare() -> Int32 {
        padding = 0
        return snd_pcm_prepare(pcm)
    }

    func drop() {
        padding = 0
        snd_pcm_drop(pcm)
    }

    func drain() -> Int32 { snd_pcm_drain(pcm) }
    func resume() -> Int32 { snd_pcm_resume(pcm) }

    private static func nanoseconds(_ time: snd_htimestamp_t) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

/// The parameters that a device agreed to.
struct PCMParameters {
    let format: AudioFormat
    let sampleType: PCMSampleType
    let isMapped: Bool
    let periodFrames: Int
    let bufferFrames: Int

    /// Requests the rate, the channels, the period and the buffer, takes the nearest that the device has, and leaves it
    /// prepared. This process converts the rest.
    static func negotiate(
        _ pcm: OpaquePointer, _ name: String, _ configuration: StreamConfiguration
    ) throws(AudioError) -> PCMParameters {
        var hardware: OpaquePointer?
        var software: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&hardware) == 0, snd_pcm_sw_params_malloc(&software) == 0,
            let hardware, let software
        else { throw AudioError(.io, "There is no memory left to open a sound device.") }
        defer {
            snd_pcm_hw_params_free(hardware)
            snd_pcm_sw_params_free(software)
        }
        let (result, text) = ALSAMessages.gather { () -> Result<PCMParameters, Refusal> in
            do throws(Refusal) {
                let parameters = try setHardware(pcm, hardware, configuration)
                try setSoftware(pcm, software, parameters)
                return .success(parameters)
            } catch { return .failure(error) }
        }
        switch result {
        case .success(let parameters): return parameters
        case .failure(let refusal): throw refusal.error(name, configuration.format, text)
        }
    }

    private static func setHardware(
        _ pcm: OpaquePointer, _ hardware: OpaquePointer, _ configuration: StreamConfiguration
    ) throws(Refusal) -> PCMParameters {
        try Refusal.check("configure", snd_pcm_hw_params_any(pcm, hardware))
        // A "plug" would resample by itself, and without its extra plugins it does not filter.
        snd_pcm_hw_params_set_rate_resample(pcm, hardware, 0)
        let isMapped = try setAccess(pcm, hardware, configuration.access)
        let types = configuration.sampleType.map { [$0] } ?? PCMSampleType.allCases
        let type = types.first { snd_pcm_hw_params_test_format(pcm, hardware, $0.alsaFormat) == 0 }
        guard let type else {
            throw Refusal(
                what: configuration.sampleType.map { "use \($0.rawValue) samples" }
                    ?? "use 16-, 24- or 32-bit or float samples", code: -EINVAL)
        }
        try Refusal.check("set its samples", snd_pcm_hw_params_set_format(pcm, hardware, type.alsaFormat))
        var channels = UInt32(configuration.format.channels)
        var rate = UInt32(configuration.format.sampleRate)
        try Refusal.check(
            "use \(channels) channels", snd_pcm_hw_params_set_channels_near(pcm, hardware, &channels))
        try Refusal.check("run at \(rate) Hz", snd_pcm_hw_params_set_rate_near(pcm, hardware, &rate, nil))
        let format = AudioFormat(sampleRate: Int(rate), channels: Int(channels))
        guard format.isPlausible else { throw Refusal(what: "run with \(format)", code: -EINVAL) }
        var period = snd_pcm_uframes_t(max(1, format.frames(in: configuration.period)))
        var buffer = snd_pcm_uframes_t(max(2, format.frames(in: configuration.buffer)))
        try Refusal.check(
            "set its period", snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil))
        try Refusal.check("set its buffer", snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer))
        try Refusal.check("accept these settings together", snd_pcm_hw_params(pcm, hardware))
        snd_pcm_hw_params_get_period_size(hardware, &period, nil)
        snd_pcm_hw_params_get_buffer_size(hardware, &buffer)
        return PCMParameters(
            format: format, sampleType: type, isMapped: isMapped, periodFrames: max(1, Int(period)),
            bufferFrames: max(2, Int(buffer)))
    }

    /// Memory-mapped where the device itself shows its memory; a plugin that only pretends to would copy twice.
    private static func setAccess(
        _ pcm: OpaquePointer, _ hardware: OpaquePointer, _ wish: StreamConfiguration.Access
    ) throws(Refusal) -> Bool {
        let hasMemory = [SND_PCM_TYPE_HW, SND_PCM_TYPE_DMIX, SND_PCM_TYPE_DSNOOP, SND_PCM_TYPE_DSHARE]
            .contains(snd_pcm_type(pcm))
        if wish == .memoryMapped || (wish == .automatic && hasMemory) {
            let code = snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_MMAP_INTERLEAVED)
            if code >= 0 { return true }
        }
        try Refusal.check(
            "give its samples in a row",
            snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
        return false
    }

    private static func setSoftware(
        _ pcm: OpaquePointer, _ software: OpaquePointer, _ parameters: PCMParameters
    ) throws(Refusal) {
        var boundary: snd_pcm_uframes_t = 0
        try Refusal.check("tell its settings", snd_pcm_sw_params_current(pcm, software))
        snd_pcm_sw_params_get_boundary(software, &boundary)
        // The device never starts by itself: the stream starts it, so that it knows the time.
        try Refusal.check("wait to be started", snd_pcm_sw_params_set_start_threshold(pcm, software, boundary))
        try Refusal.check(
            "stop when it runs dry",
            snd_pcm_sw_params_set_stop_threshold(pcm, software, snd_pcm_uframes_t(parameters.bufferFrames)))
        try Refusal.check(
            "wake once in a period",
            snd_pcm_sw_params_set_avail_min(pcm, software, snd_pcm_uframes_t(parameters.periodFrames)))
        // Best effort: without time stamps the time of the call is used.
        snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE)
        snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
        // Hardware plays whole periods: silence after the last frame instead of old samples. Best effort.
        if snd_pcm_stream(pcm) == SND_PCM_STREAM_PLAYBACK {
            snd_pcm_sw_params_set_silence_threshold(pcm, software, 0)
            snd_pcm_sw_params_set_silence_size(pcm, software, boundary)
        }
        try Refusal.check("accept when to wake", snd_pcm_sw_params(pcm, software))
    }
}

/// A setting that a device did not take.
private struct Refusal: Error {
    let what: String
    let code: Int32

    static func check(_ what: String, _ code: Int32) throws(Refusal) {
        if code < 0 { throw Refusal(what: what, code: code) }
    }

    func error(_ name: String, _ format: AudioFormat, _ text: String?) -> AudioError {
        let underlying = text ?? String(cString: strerror(-code))
        if code == -ENODEV {
            return AudioError(
                .unplugged, "The sound device \"\(name)\" went away. Plug it in again.", underlying: underlying)
        }
        return AudioError(
            .formatNotSupported,
            "The sound device \"\(name)\" cannot \(what) (asked for \(format)). Use \"default\" or a name with"
                + " \"plug\" in it, which convert.", underlying: underlying)
    }
}

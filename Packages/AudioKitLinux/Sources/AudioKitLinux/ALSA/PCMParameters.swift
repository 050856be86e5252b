// SPDX-License-Identifier: MIT
internal import CALSA
internal import Glibc

/// What a device agreed to.
struct PCMParameters {
    let sampleType: PCMSampleType
    let periodFrames: Int
    let bufferFrames: Int

    /// Asks for the format exactly, for the first sample type that the device has, and for the nearest period and
    /// buffer; leaves the device prepared.
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
        let format = configuration.format
        try Refusal.check("configure", snd_pcm_hw_params_any(pcm, hardware))
        try Refusal.check(
            "give its samples in a row",
            snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED))
        let type = PCMSampleType.allCases.first {
            snd_pcm_hw_params_test_format(pcm, hardware, $0.alsaFormat) == 0
        }
        guard let type else { throw Refusal(what: "use 16-bit, 32-bit or float samples", code: -EINVAL) }
        try Refusal.check("set its samples", snd_pcm_hw_params_set_format(pcm, hardware, type.alsaFormat))
        try Refusal.check(
            "use \(format.channels) channels",
            snd_pcm_hw_params_set_channels(pcm, hardware, UInt32(format.channels)))
        try Refusal.check(
            "run at \(format.sampleRate) Hz",
            snd_pcm_hw_params_set_rate(pcm, hardware, UInt32(format.sampleRate), 0))
        var period = snd_pcm_uframes_t(max(1, format.frames(in: configuration.period)))
        var buffer = snd_pcm_uframes_t(max(2, format.frames(in: configuration.buffer)))
        try Refusal.check(
            "set its period", snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil))
        try Refusal.check("set its buffer", snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer))
        try Refusal.check("accept these settings together", snd_pcm_hw_params(pcm, hardware))
        snd_pcm_hw_params_get_period_size(hardware, &period, nil)
        snd_pcm_hw_params_get_buffer_size(hardware, &buffer)
        return PCMParameters(
            sampleType: type, periodFrames: max(1, Int(period)), bufferFrames: max(2, Int(buffer)))
    }

    private static func setSoftware(
        _ pcm: OpaquePointer, _ software: OpaquePointer, _ parameters: PCMParameters
    ) throws(Refusal) {
        var boundary: snd_pcm_uframes_t = 0
        try Refusal.check("tell its settings", snd_pcm_sw_params_current(pcm, software))
        snd_pcm_sw_params_get_boundary(software, &boundary)
        // Never by itself: the stream starts the device, so that it knows when.
        try Refusal.check("wait to be started", snd_pcm_sw_params_set_start_threshold(pcm, software, boundary))
        try Refusal.check(
            "stop when it runs dry",
            snd_pcm_sw_params_set_stop_threshold(pcm, software, snd_pcm_uframes_t(parameters.bufferFrames)))
        try Refusal.check(
            "wake once in a period",
            snd_pcm_sw_params_set_avail_min(pcm, software, snd_pcm_uframes_t(parameters.periodFrames)))
        // Hardware plays whole periods: silence after the last frame instead of what lay there before. Best effort.
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

// SPDX-License-Identifier: MIT
internal import CALSA

/// Queries the capabilities of an open PCM; sets nothing.
enum PCMProbe {
    static func capabilities(of pcm: OpaquePointer) -> AudioCapabilities? {
        var space: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&space) == 0, let space else { return nil }
        defer { snd_pcm_hw_params_free(space) }
        return ALSAMessages.gather { () -> AudioCapabilities? in
            guard snd_pcm_hw_params_any(pcm, space) >= 0 else { return nil }
            var (lowRate, highRate, fewest, most): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
            guard snd_pcm_hw_params_get_rate_min(space, &lowRate, nil) == 0,
                snd_pcm_hw_params_get_rate_max(space, &highRate, nil) == 0, lowRate <= highRate,
                snd_pcm_hw_params_get_channels_min(space, &fewest) == 0,
                snd_pcm_hw_params_get_channels_max(space, &most) == 0, fewest <= most
            else { return nil }
            let common = AudioCapabilities.commonRates.filter {
                snd_pcm_hw_params_test_rate(pcm, space, UInt32($0), 0) == 0
            }
            let ends = [Int(lowRate), Int(highRate)]
            return AudioCapabilities(
                sampleRates: common.isEmpty ? Array(Set(ends)).sorted() : common, rateRange: ends[0]...ends[1],
                channels: Int(fewest)...Int(most),
                sampleFormats: formats.filter { snd_pcm_hw_params_test_format(pcm, space, $0) == 0 }.map {
                    String(cString: snd_pcm_format_name($0))
                })
        }.0
    }

    private static let formats = [
        SND_PCM_FORMAT_U8, SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S32_LE,
        SND_PCM_FORMAT_FLOAT_LE,
    ]
}

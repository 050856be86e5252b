// SPDX-License-Identifier: MIT
import AudioDSP
import Glibc

private let frames = 480

func measureFilters(_ measurement: Measurement) {
    let signal = memory(2 * frames, Float(0))
    for index in 0..<signal.count { signal[index] = Float((index * 7_919) % 1_999) / 1_000 - 1 }
    let work = memory(2 * frames, Float(0))
    let section = Biquad.peaking(1_000, gain: 0.01, sampleRate: 48_000, q: 1)
    let single = (Float(section.b0), Float(section.b1), Float(section.b2), Float(section.a1), Float(section.a2))
    let state = memory(4, Float(0))
    for channels in 1...2 {
        var filter = BiquadCascade([section], channels: channels)
        let piece = UnsafeMutableBufferPointer(rebasing: work[0..<channels * frames])
        measurement.compare(
            "biquad, \(channels == 1 ? "mono" : "stereo")", samples: channels * frames,
            [
                ("AudioDSP", { filter.process(piece) }),
                ("scalar", { Scalar.biquad(piece.base, frames, channels, single, state.base) }),
            ])
    }
    var loudness = LoudnessMeter(sampleRate: 48_000, channels: 2)
    measurement.compare(
        "BS.1770 loudness, stereo", samples: 2 * frames, [("AudioDSP", { loudness.add(UnsafeBufferPointer(signal)) })])
    var truePeak = TruePeakMeter(channels: 1)
    let mono = UnsafeBufferPointer(rebasing: signal[0..<frames])
    let taps = memory(48, Float(0.02))
    var sink: Float = 0
    measurement.compare(
        "true peak, mono", samples: frames,
        [
            ("AudioDSP", { truePeak.add(mono) }),
            ("scalar", { sink += Scalar.truePeak(mono.base, frames, taps.base) }),
        ])
    if sink == 1 { print("") }
    for (name, plan) in [("80", LogMel.whisper()), ("128", LogMel.whisper(bands: 128))] {
        let (result, workspace) = (memory(plan.bandCount, Float(0)), memory(plan.workspaceCount, Float(0)))
        measurement.compare(
            "log-mel frame, \(name) bands", samples: plan.frameLength,
            [("AudioDSP", { plan.frame(mono, into: result, workspace: workspace) })])
    }
    var bars = SpectrumBars(count: 32, sampleRate: 48_000)
    let long = memory(2_048, Float(0.1))
    measurement.compare(
        "spectrum of 32 bars, 2048", samples: 2_048, [("AudioDSP", { bars.add(UnsafeBufferPointer(long)) })])
    let chirp = Chirp.samples(4_800, sampleRate: 48_000)
    let recording = [Float](repeating: 0, count: 10_000) + chirp + [Float](repeating: 0.001, count: 33_200)
    measurement.compare(
        "find a chirp of 0.1 s in 1 s", samples: 48_000,
        [("AudioDSP", { if CrossCorrelation.find(chirp, in: recording) == nil { print("") } })])
}

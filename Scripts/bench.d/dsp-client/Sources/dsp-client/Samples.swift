// SPDX-License-Identifier: MIT
import AudioDSP
import CField

/// 10 ms of 48 kHz stereo: what an audio thread handles at a time.
private let frames = 480

func measureSamples(_ measurement: Measurement) {
    let count = 2 * frames
    let signal = memory(8 * frames, Float(0))
    for index in 0..<signal.count { signal[index] = Float((index * 7_919) % 1_999) / 1_000 - 1 }
    let source = UnsafeBufferPointer(rebasing: signal[0..<count])
    let target = memory(8 * frames, Float(0))
    let floats = UnsafeMutableBufferPointer(rebasing: target[0..<count])
    let from = UnsafePointer(signal.base)
    let to = target.base

    let narrow = memory(count, Int16(7))
    let file16 = field_file_create(16, Int32(count))
    measurement.compare(
        "float to Int16", samples: count,
        [
            ("AudioDSP", { SampleConversion.toInt16(source, into: narrow) }),
            ("scalar", { Scalar.toInt16(from, narrow.base, count) }),
            ("libsndfile", { field_file_write(file16, from, Int32(count)) }),
        ])
    var dither = TPDFDither(seed: 1)
    measurement.compare(
        "float to Int16 with dither", samples: count,
        [("AudioDSP", { SampleConversion.toInt16(source, into: narrow, dither: &dither) })])
    measurement.compare(
        "Int16 to float", samples: count,
        [
            ("AudioDSP", { SampleConversion.toFloat(UnsafeBufferPointer(narrow), into: floats) }),
            ("scalar", { Scalar.toFloat(narrow.base, to, count) }),
            ("libsndfile", { field_file_read(file16, to, Int32(count)) }),
        ])
    field_file_destroy(file16)
    let packed = memory(3 * count, UInt8(7))
    let file24 = field_file_create(24, Int32(count))
    measurement.compare(
        "float to packed Int24", samples: count,
        [
            ("AudioDSP", { SampleConversion.toPackedInt24(source, into: UnsafeMutableRawBufferPointer(packed)) }),
            ("scalar", { Scalar.toPacked24(from, packed.base, count) }),
            ("libsndfile", { field_file_write(file24, from, Int32(count)) }),
        ])
    measurement.compare(
        "packed Int24 to float", samples: count,
        [
            ("AudioDSP", { SampleConversion.packedInt24ToFloat(UnsafeRawBufferPointer(packed), into: floats) }),
            ("scalar", { Scalar.fromPacked24(packed.base, to, count) }),
            ("libsndfile", { field_file_read(file24, to, Int32(count)) }),
        ])
    field_file_destroy(file24)
    let wide = memory(count, Int32(7))
    measurement.compare(
        "float to Int32", samples: count,
        [
            ("AudioDSP", { SampleConversion.toInt32(source, into: wide) }),
            ("scalar", { Scalar.toInt32(from, wide.base, count, 2_147_483_648) }),
        ])
    for channels in [2, 6, 8] {
        let source = UnsafeBufferPointer(rebasing: signal[0..<channels * frames])
        let floats = UnsafeMutableBufferPointer(rebasing: target[0..<channels * frames])
        measurement.compare(
            "deinterleave \(channels) channels", samples: channels * frames,
            [
                ("AudioDSP", { ChannelLayout.deinterleave(source, channels: channels, into: floats) }),
                ("scalar", { Scalar.deinterleave(from, to, frames, channels) }),
            ])
        measurement.compare(
            "interleave \(channels) channels", samples: channels * frames,
            [
                ("AudioDSP", { ChannelLayout.interleave(source, channels: channels, into: floats) }),
                ("scalar", { Scalar.interleave(from, to, frames, channels) }),
            ])
    }
    for (name, matrix) in [("stereo to mono", ChannelMatrix.stereoToMono), ("5.1 to stereo", .surround51ToStereo)] {
        let source = UnsafeBufferPointer(rebasing: signal[0..<matrix.inputs * frames])
        let floats = UnsafeMutableBufferPointer(rebasing: target[0..<matrix.outputs * frames])
        let gains = memory(matrix.gains.count, Float(0))
        for index in 0..<gains.count { gains[index] = matrix.gains[index] }
        measurement.compare(
            "mix \(name)", samples: matrix.inputs * frames,
            [
                ("AudioDSP", { matrix.apply(source, into: floats) }),
                ("scalar", { Scalar.mix(from, to, frames, gains.base, matrix.inputs, matrix.outputs) }),
            ])
    }
    measurement.compare(
        "gain", samples: count,
        [("AudioDSP", { Gain.apply(-1, to: floats) }), ("scalar", { Scalar.gain(to, count, -1) })])
    measurement.compare(
        "equal-power fade", samples: count,
        [
            (
                "AudioDSP",
                {
                    var ramp = GainRamp(from: 1, to: 0.999, frames: count, curve: .equalPower)
                    ramp.apply(to: floats)
                    Gain.mix(source, into: floats)
                }
            ),
            (
                "scalar",
                {
                    Scalar.ramp(to, count)
                    Scalar.add(from, to, count, 1)
                }
            ),
        ])
    measurement.compare(
        "mix in", samples: count,
        [
            ("AudioDSP", { Gain.mix(source, gain: 1e-9, into: floats) }),
            ("scalar", { Scalar.add(from, to, count, 1e-9) }),
        ])
    measurement.compare(
        "clip", samples: count, [("AudioDSP", { Gain.clip(floats) }), ("scalar", { Scalar.clip(to, count) })])
    var sink = 0.0
    measurement.compare(
        "RMS, peak and clipped", samples: count,
        [
            ("AudioDSP", { sink += SampleLevel(of: source).sumOfSquares }),
            ("scalar", { sink += Scalar.level(from, count).0 }),
        ])
    if sink == 1 { print("") }
}

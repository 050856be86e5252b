// SPDX-License-Identifier: MIT
internal import AudioDSP
internal import CALSA

/// Sample types of a device's buffer, in the order of preference. 16-bit is first: it carries sound files and
/// synthesised speech exactly, and almost every device has it.
public enum PCMSampleType: String, Sendable, Hashable, CaseIterable {
    /// Signed 16-bit integers.
    case int16
    /// 32-bit IEEE 754 numbers, full scale at −1 and 1.
    case float32
    /// Signed 32-bit integers.
    case int32
    /// Signed 24-bit integers in the low three bytes of four.
    case int24
    /// Signed 24-bit integers in three bytes, little endian.
    case int24Packed

    /// Bytes of one sample.
    public var byteCount: Int {
        switch self {
        case .int16: 2
        case .int24Packed: 3
        case .float32, .int32, .int24: 4
        }
    }

    var alsaFormat: snd_pcm_format_t {
        switch self {
        case .int16: SND_PCM_FORMAT_S16
        case .float32: SND_PCM_FORMAT_FLOAT
        case .int32: SND_PCM_FORMAT_S32
        case .int24: SND_PCM_FORMAT_S24
        case .int24Packed: SND_PCM_FORMAT_S24_3LE
        }
    }

    /// Widens `count` samples; integers are divided by their full scale. No allocation.
    func toFloat(_ source: UnsafeRawPointer, _ target: UnsafeMutablePointer<Float>, count: Int) {
        let wide = UnsafeMutableBufferPointer(start: target, count: count)
        switch self {
        case .int16:
            let samples = source.assumingMemoryBound(to: Int16.self)
            SampleConversion.toFloat(UnsafeBufferPointer(start: samples, count: count), into: wide)
        case .float32:
            target.update(from: source.assumingMemoryBound(to: Float.self), count: count)
        case .int32:
            let samples = source.assumingMemoryBound(to: Int32.self)
            SampleConversion.toFloat(UnsafeBufferPointer(start: samples, count: count), into: wide)
        case .int24:
            let samples = source.assumingMemoryBound(to: Int32.self)
            SampleConversion.int24ToFloat(UnsafeBufferPointer(start: samples, count: count), into: wide)
        case .int24Packed:
            SampleConversion.packedInt24ToFloat(UnsafeRawBufferPointer(start: source, count: count * 3), into: wide)
        }
    }

    /// Narrows `count` samples: times full scale, rounded to nearest, clamped; not-a-number becomes 0. No allocation.
    func fromFloat(_ source: UnsafePointer<Float>, _ target: UnsafeMutableRawPointer, count: Int) {
        let wide = UnsafeBufferPointer(start: source, count: count)
        switch self {
        case .int16:
            let samples = target.assumingMemoryBound(to: Int16.self)
            SampleConversion.toInt16(wide, into: UnsafeMutableBufferPointer(start: samples, count: count))
        case .float32:
            target.assumingMemoryBound(to: Float.self).update(from: source, count: count)
        case .int32:
            let samples = target.assumingMemoryBound(to: Int32.self)
            SampleConversion.toInt32(wide, into: UnsafeMutableBufferPointer(start: samples, count: count))
        case .int24:
            let samples = target.assumingMemoryBound(to: Int32.self)
            SampleConversion.toInt24(wide, into: UnsafeMutableBufferPointer(start: samples, count: count))
        case .int24Packed:
            SampleConversion.toPackedInt24(wide, into: UnsafeMutableRawBufferPointer(start: target, count: count * 3))
        }
    }
}

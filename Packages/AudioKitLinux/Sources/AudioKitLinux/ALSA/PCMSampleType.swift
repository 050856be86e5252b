// SPDX-License-Identifier: MIT
internal import CALSA

/// How samples lie in a device's buffer, in the order in which they are asked for. 16-bit comes first: it carries
/// sound files and synthesised speech exactly, and almost every device has it.
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
        switch self {
        case .int16:
            let samples = UnsafeBufferPointer(start: source.assumingMemoryBound(to: Int16.self), count: count)
            SampleConversion.toFloat(samples, UnsafeMutableBufferPointer(start: target, count: count))
        case .float32:
            target.update(from: source.assumingMemoryBound(to: Float.self), count: count)
        case .int32:
            let samples = source.assumingMemoryBound(to: Int32.self)
            var index = 0
            while index < count {
                target[index] = Float(samples[index]) * (1 / 2_147_483_648)
                index += 1
            }
        case .int24:
            let samples = source.assumingMemoryBound(to: Int32.self)
            var index = 0
            while index < count {
                // The upper byte may hold anything: shifted out, and the sign comes back down.
                target[index] = Float((samples[index] << 8) >> 8) * (1 / 8_388_608)
                index += 1
            }
        case .int24Packed:
            let bytes = source.assumingMemoryBound(to: UInt8.self)
            var index = 0
            while index < count {
                let value =
                    UInt32(bytes[index * 3]) << 8 | UInt32(bytes[index * 3 + 1]) << 16
                    | UInt32(bytes[index * 3 + 2]) << 24
                target[index] = Float(Int32(bitPattern: value) >> 8) * (1 / 8_388_608)
                index += 1
            }
        }
    }

    /// Narrows `count` samples: times full scale, rounded to nearest, clamped; not-a-number becomes 0. No allocation.
    func fromFloat(_ source: UnsafePointer<Float>, _ target: UnsafeMutableRawPointer, count: Int) {
        switch self {
        case .int16:
            let samples = target.assumingMemoryBound(to: Int16.self)
            SampleConversion.toInt16(
                UnsafeBufferPointer(start: source, count: count),
                UnsafeMutableBufferPointer(start: samples, count: count))
        case .float32:
            target.assumingMemoryBound(to: Float.self).update(from: source, count: count)
        case .int32:
            let samples = target.assumingMemoryBound(to: Int32.self)
            var index = 0
            while index < count {
                samples[index] = SampleConversion.int32(source[index])
                index += 1
            }
        case .int24:
            let samples = target.assumingMemoryBound(to: Int32.self)
            var index = 0
            while index < count {
                samples[index] = Self.int24(source[index])
                index += 1
            }
        case .int24Packed:
            let bytes = target.assumingMemoryBound(to: UInt8.self)
            var index = 0
            while index < count {
                let value = UInt32(bitPattern: Self.int24(source[index]))
                bytes[index * 3] = UInt8(truncatingIfNeeded: value)
                bytes[index * 3 + 1] = UInt8(truncatingIfNeeded: value >> 8)
                bytes[index * 3 + 2] = UInt8(truncatingIfNeeded: value >> 16)
                index += 1
            }
        }
    }

    private static func int24(_ value: Float) -> Int32 {
        let scaled = value * 8_388_608
        if scaled >= 8_388_607 { return 8_388_607 }
        if scaled <= -8_388_608 { return -8_388_608 }
        guard scaled == scaled else { return 0 }
        return Int32(scaled.rounded())
    }
}

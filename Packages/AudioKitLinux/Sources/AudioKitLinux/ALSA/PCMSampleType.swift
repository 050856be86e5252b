// SPDX-License-Identifier: MIT
internal import CALSA

/// How samples lie in a device's buffer. 16-bit comes first: it carries sound files and synthesised speech exactly,
/// and every device has it.
enum PCMSampleType: CaseIterable {
    case int16, float32, int32

    var alsaFormat: snd_pcm_format_t {
        switch self {
        case .int16: SND_PCM_FORMAT_S16
        case .float32: SND_PCM_FORMAT_FLOAT
        case .int32: SND_PCM_FORMAT_S32
        }
    }

    func toFloat(_ source: UnsafeMutableRawPointer, _ target: UnsafeMutablePointer<Float>, count: Int) {
        switch self {
        case .int16:
            let samples = UnsafeBufferPointer(
                start: UnsafePointer(source.assumingMemoryBound(to: Int16.self)), count: count)
            SampleConversion.toFloat(samples, UnsafeMutableBufferPointer(start: target, count: count))
        case .float32:
            target.update(from: source.assumingMemoryBound(to: Float.self), count: count)
        case .int32:
            let samples = source.assumingMemoryBound(to: Int32.self)
            for index in 0..<count { target[index] = Float(samples[index]) * (1 / 2_147_483_648) }
        }
    }

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
            for index in 0..<count { samples[index] = SampleConversion.int32(source[index]) }
        }
    }
}

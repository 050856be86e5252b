// SPDX-License-Identifier: MIT

/// Conversions between sample types, over memory that the caller owns: no allocation, usable on an audio thread.
enum SampleConversion {
    /// ×32768, rounded to nearest, clamped; not-a-number becomes 0. Converts as many as the shorter side holds.
    static func toInt16(_ source: UnsafeBufferPointer<Float>, _ target: UnsafeMutableBufferPointer<Int16>) {
        let count = min(source.count, target.count)
        var index = 0
        while index < count {
            target[index] = int16(source[index])
            index += 1
        }
    }

    /// One sample as a 16-bit integer.
    static func int16(_ value: Float) -> Int16 {
        let scaled = value * 32768
        // A comparison with not-a-number is false, so it falls through to 0.
        if scaled >= 32767 { return 32767 }
        if scaled <= -32768 { return -32768 }
        guard scaled == scaled else { return 0 }
        return Int16(scaled.rounded())
    }

    /// One sample as a 32-bit integer, full scale.
    static func int32(_ value: Float) -> Int32 {
        let scaled = Double(value) * 2_147_483_648
        if scaled >= 2_147_483_647 { return Int32.max }
        if scaled <= -2_147_483_648 { return Int32.min }
        guard scaled == scaled else { return 0 }
        return Int32(scaled.rounded())
    }

    /// Divides by 32768: the exact inverse of `toInt16`.
    static func toFloat(_ source: UnsafeBufferPointer<Int16>, _ target: UnsafeMutableBufferPointer<Float>) {
        let count = min(source.count, target.count)
        var index = 0
        while index < count {
            target[index] = Float(source[index]) * (1 / 32768)
            index += 1
        }
    }
}

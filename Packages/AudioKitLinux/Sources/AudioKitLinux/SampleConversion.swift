// SPDX-License-Identifier: MIT
internal import AudioDSP

/// The conversions between sample types that this module needs, so that its files name one place: `AudioDSP` does them.
enum SampleConversion {
    static func toInt16(_ source: UnsafeBufferPointer<Float>, _ target: UnsafeMutableBufferPointer<Int16>) {
        AudioDSP.SampleConversion.toInt16(source, into: target)
    }

    static func toFloat(_ source: UnsafeBufferPointer<Int16>, _ target: UnsafeMutableBufferPointer<Float>) {
        AudioDSP.SampleConversion.toFloat(source, into: target)
    }

    static func int16(_ value: Float) -> Int16 { AudioDSP.SampleConversion.int16(value) }

    static func int32(_ value: Float) -> Int32 { AudioDSP.SampleConversion.int32(value) }
}

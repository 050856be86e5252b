// SPDX-License-Identifier: MIT
internal import AudioDSP

/// A virtual card's 16-bit samples in a stream's sample type: exact both ways.
extension PCMSampleType {
    /// `count` samples of this type, narrowed.
    func int16(from source: UnsafeRawPointer, count: Int) -> [Int16] {
        [Int16](unsafeUninitializedCapacity: count) { target, filled in
            filled = count
            if self == .int16 {
                _ = target.update(
                    fromContentsOf: UnsafeBufferPointer(
                        start: source.assumingMemoryBound(to: Int16.self), count: count))
                return
            }
            withUnsafeTemporaryAllocation(of: Float.self, capacity: max(1, count)) { wide in
                guard let base = wide.baseAddress else { return }
                toFloat(source, base, count: count)
                SampleConversion.toInt16(UnsafeBufferPointer(start: base, count: count), into: target)
            }
        }
    }

    /// Writes samples in this type.
    func write(_ samples: ArraySlice<Int16>, to target: UnsafeMutableRawPointer) {
        let count = samples.count
        samples.withUnsafeBufferPointer { source in
            if self == .int16 {
                let memory = UnsafeMutableBufferPointer(
                    start: target.assumingMemoryBound(to: Int16.self), count: count)
                _ = memory.update(fromContentsOf: source)
                return
            }
            withUnsafeTemporaryAllocation(of: Float.self, capacity: max(1, count)) { wide in
                guard let base = wide.baseAddress else { return }
                SampleConversion.toFloat(source, into: UnsafeMutableBufferPointer(start: base, count: count))
                fromFloat(base, target, count: count)
            }
        }
    }
}

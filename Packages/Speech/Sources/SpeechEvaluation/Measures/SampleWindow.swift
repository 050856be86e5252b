// SPDX-License-Identifier: MIT

/// The part of a stream that is still needed, by the stream's own sample indices.
struct SampleWindow {
    private var samples: [Float] = []
    private var start = 0

    /// How many samples are held.
    var count: Int { samples.count }

    mutating func append(_ more: [Float]) { samples += more }

    /// Forgets what lies before `position`, by and by: only when that is half of it.
    mutating func drop(before position: Int) {
        let count = min(samples.count, position - start)
        guard count > samples.count / 2 else { return }
        samples.removeFirst(count)
        start += count
    }

    /// The samples of `range`, as far as they are there, and the index of the first.
    func slice(_ range: Range<Int>) -> (samples: [Float], start: Int) {
        let inside = range.clamped(to: start..<(start + samples.count))
        return (Array(samples[(inside.lowerBound - start)..<(inside.upperBound - start)]), inside.lowerBound)
    }
}

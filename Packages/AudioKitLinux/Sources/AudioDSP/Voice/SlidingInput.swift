// SPDX-License-Identifier: MIT

/// The part of an interleaved stream that a kernel still needs, by frame numbers counted from the stream's start.
///
/// Values that are not finite become 0. Frames before the stream's start are 0. Allocates only when it is made.
struct SlidingInput: Sendable {
    let channels: Int
    /// The number of the frame after the last one.
    private(set) var end = 0
    /// The number of the first frame.
    private var start: Int
    private let lead: Int
    private let capacity: Int
    private var samples: [Float]
    /// The sum of the channels; empty for one channel.
    private var mono: [Float]

    /// - Parameters:
    ///   - lead: Frames of silence before the stream's start.
    ///   - capacity: The most frames at a time.
    init(channels: Int, lead: Int, capacity: Int) {
        (self.channels, self.lead, self.capacity) = (channels, lead, capacity)
        start = -lead
        samples = [Float](repeating: 0, count: capacity * channels)
        mono = [Float](repeating: 0, count: channels > 1 ? capacity : 0)
    }

    /// Returns to the stream's start.
    mutating func reset() {
        for index in 0..<lead * channels { samples[index] = 0 }
        for index in 0..<(channels > 1 ? lead : 0) { mono[index] = 0 }
        (start, end) = (-lead, 0)
    }

    /// Adds frames; nil adds silence.
    ///
    /// - Returns: The number of frames for which there was room.
    mutating func append(_ source: UnsafePointer<Float>?, frames: Int) -> Int {
        let taken = min(frames, capacity - (end - start))
        guard taken > 0 else { return 0 }
        let first = (end - start) * channels
        for index in 0..<taken * channels {
            let sample = source?[index] ?? 0
            samples[first + index] = sample.isFinite ? sample : 0
        }
        if channels > 1 {
            for frame in 0..<taken {
                var sum: Float = 0
                for channel in 0..<channels { sum += samples[first + frame * channels + channel] }
                mono[end - start + frame] = sum
            }
        }
        end += taken
        return taken
    }

    /// Gives up the frames before `frame`.
    mutating func discard(before frame: Int) {
        let count = min(frame, end) - start
        // Rarely, since what stays is moved.
        guard count > capacity / 2 else { return }
        let rest = end - start - count
        samples.withUnsafeMutableBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            base.update(from: base + count * channels, count: rest * channels)
        }
        mono.withUnsafeMutableBufferPointer { mono in
            guard let base = mono.baseAddress, channels > 1 else { return }
            base.update(from: base + count, count: rest)
        }
        start += count
    }

    /// Calls `body` with the sum of the channels, at an address that frame numbers are added to.
    @inline(__always) @discardableResult
    func withMono<Value>(_ body: (UnsafePointer<Float>) -> Value) -> Value? {
        (channels > 1 ? mono : samples).withUnsafeBufferPointer { memory in
            memory.baseAddress.map { body($0 - start) }
        }
    }

    /// Calls `body` with the samples, at an address that frame numbers times the channels are added to.
    @inline(__always) @discardableResult
    func withSamples<Value>(_ body: (UnsafePointer<Float>) -> Value) -> Value? {
        samples.withUnsafeBufferPointer { memory in memory.baseAddress.map { body($0 - start * channels) } }
    }
}

extension UnsafePointer<Float> {
    /// Σ self[n]·other[n] for n in 0..<count.
    @inline(__always)
    func dot(_ other: UnsafePointer<Float>, _ count: Int) -> Float {
        var (first, second) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
        var index = 0
        while index + 16 <= count {
            first += vector8(index) * other.vector8(index)
            second += vector8(index + 8) * other.vector8(index + 8)
            index += 16
        }
        var sum = (first + second).sum()
        while index < count {
            sum += self[index] * other[index]
            index += 1
        }
        return sum
    }
}

// SPDX-License-Identifier: MIT

/// The data of a waveform picture, collected from a stream: the lowest and highest sample and the RMS of each bucket of
/// frames, at several resolutions, each four times coarser than the one before.
///
/// `add` allocates as the picture grows (12 bytes a bucket; an hour at 48 kHz in buckets of 256 frames takes 11 MB with
/// all levels): call it on the drawing thread, not on an audio thread. The result is the same however the stream is
/// cut.
public struct WaveformPeaks: Sendable {
    /// One bucket. Samples that are not numbers are left out; a bucket without any others is all 0.
    public struct Bucket: Sendable, Hashable {
        /// The lowest and the highest sample of all channels.
        public let minimum, maximum: Float
        /// The root mean square of all channels together.
        public let rms: Float

        /// Makes a bucket of its three values.
        public init(minimum: Float, maximum: Float, rms: Float) {
            (self.minimum, self.maximum, self.rms) = (minimum, maximum, rms)
        }
    }

    /// Frames of a bucket at the finest resolution.
    public let bucketFrames: Int
    /// Samples per frame.
    public let channels: Int
    /// Complete buckets, the finest resolution first: bucket i of `levels[n]` covers `bucketFrames` × 4ⁿ frames.
    public private(set) var levels: [[Bucket]]

    private var open = Extent()
    private var openSamples = 0

    /// Makes an empty picture. Each number is at least 1.
    public init(bucketFrames: Int = 256, channels: Int = 1, levels: Int = 6) {
        precondition(bucketFrames > 0 && channels > 0 && levels > 0)
        self.bucketFrames = bucketFrames
        self.channels = channels
        self.levels = [[Bucket]](repeating: [], count: levels)
    }

    /// Adds `samples` (interleaved, frames × channels).
    public mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        let size = bucketFrames * channels
        var first = 0
        while first < samples.count {
            let end = min(samples.count, first + size - openSamples)
            open.add(UnsafeBufferPointer(rebasing: samples[first..<end]))
            openSamples += end - first
            first = end
            if openSamples == size { finishBucket() }
        }
    }

    /// Completes the last bucket if it holds frames; for the end of a stream.
    public mutating func finish() {
        if openSamples > 0 { finishBucket() }
    }

    /// `count` buckets that show everything so far in a picture `count` columns wide, from the coarsest level that
    /// still has four buckets a column; up to three finer buckets at the end of the sound may be missing from a coarse
    /// level. All buckets of the finest level if it has no more than `count`.
    public func overview(_ count: Int) -> [Bucket] {
        guard count > 0, let finest = levels.first else { return [] }
        let buckets = levels.last { $0.count >= 4 * count } ?? finest
        guard buckets.count > count else { return buckets }
        return (0..<count).map { column in
            Self.joined(buckets[column * buckets.count / count..<(column + 1) * buckets.count / count])
        }
    }

    private mutating func finishBucket() {
        append(open.bucket, 0)
        open = Extent()
        openSamples = 0
    }

    private mutating func append(_ bucket: Bucket, _ level: Int) {
        levels[level].append(bucket)
        if levels[level].count % 4 == 0, level + 1 < levels.count {
            append(Self.joined(levels[level].suffix(4)), level + 1)
        }
    }

    private static func joined(_ buckets: ArraySlice<Bucket>) -> Bucket {
        var (low, high, sum) = (Float.infinity, -Float.infinity, Float(0))
        for bucket in buckets {
            low = min(low, bucket.minimum)
            high = max(high, bucket.maximum)
            sum += bucket.rms * bucket.rms
        }
        return Bucket(minimum: low, maximum: high, rms: (sum / Float(max(1, buckets.count))).squareRoot())
    }
}

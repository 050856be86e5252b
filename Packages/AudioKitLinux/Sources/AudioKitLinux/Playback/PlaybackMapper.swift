// SPDX-License-Identifier: MIT

/// Maps a ring frame to its frame of the stream. Pure: between a flush, a drain or a change of device, both counts
/// advance in step, at their own rates.
struct PlaybackMapper {
    private struct Segment {
        var ring: Int
        var stream: Int
        /// Stream frames for each ring frame.
        var ratio: Double
    }

    private var segments: [Segment] = []

    /// Notes that from ring frame `ring` on, which maps to stream frame `stream`, there are `ratio` stream frames for
    /// each ring frame.
    mutating func begin(ring: Int, stream: Int, ratio: Double) {
        segments.removeAll { $0.ring >= ring }
        segments.append(Segment(ring: ring, stream: stream, ratio: ratio))
        if segments.count > 64 { segments.removeFirst() }
    }

    /// The number of stream frames that are over when all ring frames before `ring` are.
    func stream(_ ring: Int) -> Int {
        guard let index = segments.lastIndex(where: { $0.ring <= ring }) else { return segments.first?.stream ?? 0 }
        let segment = segments[index]
        let frames = segment.stream + Int(Double(ring - segment.ring) * segment.ratio)
        return index + 1 < segments.count ? min(frames, segments[index + 1].stream) : frames
    }
}

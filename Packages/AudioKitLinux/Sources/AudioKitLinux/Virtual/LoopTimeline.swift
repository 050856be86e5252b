// SPDX-License-Identifier: MIT

/// The sound that a virtual card played, in frames of the card's clock, for the capture side to read back.
struct LoopTimeline {
    private struct Segment {
        let start: Int
        var samples: [Int16]
    }

    let channels: Int
    /// The next frame of the card's clock to be read.
    private(set) var cursor = 0
    private var segments: [Segment] = []

    init(channels: Int) { self.channels = channels }

    /// Moves the next read to `frame`; drops earlier sound.
    mutating func seek(_ frame: Int) {
        cursor = frame
        forget(before: frame)
    }

    /// Notes that `samples` were heard from `frame` on.
    mutating func append(_ samples: some Collection<Int16>, at frame: Int) {
        if let last = segments.last, last.start + last.samples.count / channels == frame {
            segments[segments.count - 1].samples += samples
        } else {
            segments.append(Segment(start: frame, samples: Array(samples)))
        }
    }

    /// The next `count` frames; digital silence for frames without sound.
    mutating func next(_ count: Int) -> [Int16] {
        var output = [Int16](repeating: 0, count: count * channels)
        let end = cursor + count
        for segment in segments where segment.start < end {
            let from = max(cursor, segment.start)
            let until = min(end, segment.start + segment.samples.count / channels)
            guard from < until else { continue }
            let source = segment.samples[(from - segment.start) * channels..<(until - segment.start) * channels]
            output.replaceSubrange((from - cursor) * channels..<(until - cursor) * channels, with: source)
        }
        cursor = end
        forget(before: end)
        return output
    }

    /// Drops whole segments that end before `frame`.
    mutating func forget(before frame: Int) {
        segments.removeAll { $0.start + $0.samples.count / channels <= frame }
    }
}

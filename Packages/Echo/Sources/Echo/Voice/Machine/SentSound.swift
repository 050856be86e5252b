// SPDX-License-Identifier: MIT

/// Maps positions in the sound sent to a session, which it gives in milliseconds, to the times of capture.
struct SentSound: Sendable {
    private static let bytesPerMillisecond = 48
    private static let limit = 2_000
    private var total = 0
    private var marks: ArraySlice<(end: Int, at: Duration)> = []

    /// Begins a new session, which has `count` bytes already.
    mutating func begin(with count: Int, at now: Duration) {
        total = count
        marks = [(count, now)]
    }

    /// Notes sound that was captured and sent.
    mutating func sent(_ count: Int, at now: Duration) {
        total += count
        marks.append((total, now))
        if marks.count > Self.limit { marks.removeFirst() }
    }

    /// The time at which the sound up to that millisecond had been captured; `nil` if it is too old.
    func captured(upTo milliseconds: Int) -> Duration? {
        let end = min(milliseconds, 1 << 40) * Self.bytesPerMillisecond
        guard let first = marks.first, end >= first.end, let mark = marks.first(where: { $0.end >= end }) else {
            return nil
        }
        return mark.at - .milliseconds((mark.end - end) / Self.bytesPerMillisecond)
    }
}

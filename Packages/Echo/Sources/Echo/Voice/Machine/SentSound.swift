// SPDX-License-Identifier: MIT

/// When which of the user's sound was captured, for what a session says of it in milliseconds of all sound sent to it.
struct SentSound: Sendable {
    private static let bytesPerMillisecond = 48
    private static let limit = 2_000
    private var total = 0
    private var marks: ArraySlice<(end: Int, at: Duration)> = []

    /// A new session has that much already.
    mutating func begin(with count: Int, at now: Duration) {
        total = count
        marks = [(count, now)]
    }

    /// Sound was captured and sent.
    mutating func sent(_ count: Int, at now: Duration) {
        total += count
        marks.append((total, now))
        if marks.count > Self.limit { marks.removeFirst() }
    }

    /// When the sound up to that millisecond had been captured; `nil` if that is not known any more.
    func captured(upTo milliseconds: Int) -> Duration? {
        let end = min(milliseconds, 1 << 40) * Self.bytesPerMillisecond
        guard let first = marks.first, end >= first.end, let mark = marks.first(where: { $0.end >= end }) else {
            return nil
        }
        return mark.at - .milliseconds((mark.end - end) / Self.bytesPerMillisecond)
    }
}

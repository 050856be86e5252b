// SPDX-License-Identifier: MIT

import Concurrency

/// The time of each stage of one turn, on the monotonic clock.
///
/// Any thread may mark; the first mark of a stage wins, so that "first audible sample" can be marked at every sample.
public final class LatencyLedger: Sendable {
    /// The name of a point in a turn, such as `speech.end`. Each module adds its own in an extension.
    public struct Stage: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name, as tables and JSON show it.
        public let rawValue: String

        /// A stage by its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A stage by its name.
        public init(_ name: String) {
            self.init(rawValue: name)
        }

        /// The name.
        public var description: String { rawValue }
    }

    private struct Mark {
        let stage: Stage
        let instant: ContinuousClock.Instant
    }

    /// The turn that is measured.
    public let id: String
    private let now: @Sendable () -> ContinuousClock.Instant
    private let marks = Guarded<[Mark]>([])

    /// An empty ledger.
    ///
    /// - Parameters:
    ///   - id: The turn's id, as in log records.
    ///   - now: The monotonic clock.
    public init(id: String, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.id = id
        self.now = now
    }

    /// Marks a stage as reached now. A stage that is marked already keeps its first mark.
    public func mark(_ stage: Stage) {
        mark(stage, at: now())
    }

    /// Marks a stage as reached at `instant`, which may lie in the past. A stage that is marked already keeps its first
    /// mark: the first call wins, not the earliest instant.
    public func mark(_ stage: Stage, at instant: ContinuousClock.Instant) {
        marks.withLock { marks in
            // A turn has a dozen stages: a scan is quicker than hashing.
            guard !marks.contains(where: { $0.stage == stage }) else { return }
            marks.append(Mark(stage: stage, instant: instant))
        }
    }

    /// The time of a stage; `nil` if it was not reached.
    public func instant(of stage: Stage) -> ContinuousClock.Instant? {
        marks.withLock { marks in marks.first { $0.stage == stage }?.instant }
    }

    /// The time from one stage to another, negative if the second came first; `nil` unless both were reached.
    public func interval(from: Stage, to: Stage) -> Duration? {
        marks.withLock { marks in
            guard let start = marks.first(where: { $0.stage == from }), let end = marks.first(where: { $0.stage == to })
            else { return nil }
            return start.instant.duration(to: end.instant)
        }
    }

    /// The stages in the order of their times; stages of the same instant are in the order of their marks.
    public var report: LatencyReport {
        let sorted = marks.withLock { $0 }.enumerated().sorted { left, right in
            (left.element.instant, left.offset) < (right.element.instant, right.offset)
        }
        guard let start = sorted.first?.element.instant else { return LatencyReport(id: id, entries: []) }
        var previous = start
        let entries = sorted.map { _, mark in
            defer { previous = mark.instant }
            return LatencyReport.Entry(
                stage: mark.stage,
                sinceStart: start.duration(to: mark.instant),
                sincePrevious: previous.duration(to: mark.instant))
        }
        return LatencyReport(id: id, entries: entries)
    }
}

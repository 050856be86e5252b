// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Measures one turn and notes it: when its outcome is known, and once more when it was spoken. What cannot be noted
/// costs nothing.
actor TurnMeter {
    private let statistics: any TurnStatistics
    private let now: @Sendable () -> Date
    private let turn: TurnID
    private let modality: Message.Modality
    private var startedAt: Date
    private var outcome: TurnOutcome?
    private var latencies: [TurnLatency: Duration] = [:]
    /// The monotonic time of `startedAt`.
    private var start = ContinuousClock.now
    private var marks: [TurnStage: ContinuousClock.Instant] = [:]

    init(
        _ turn: TurnID, _ modality: Message.Modality, startedAt: Date, in statistics: any TurnStatistics,
        now: @escaping @Sendable () -> Date
    ) {
        self.statistics = statistics
        self.now = now
        (self.turn, self.modality, self.startedAt) = (turn, modality, startedAt)
    }

    /// Notes the time of a stage. A sound before the question may have been taken for it: of the stages before the
    /// outcome the last time counts, of those behind it the first.
    func reached(_ stage: TurnStage, at instant: ContinuousClock.Instant) {
        guard outcome == nil || marks[stage] == nil else { return }
        marks[stage] = instant
        if stage == .speechStarted { (startedAt, start) = (now(), .now) }
    }

    /// Notes a latency, unless it is known.
    func took(_ duration: Duration, for latency: TurnLatency) {
        if latencies[latency] == nil { latencies[latency] = max(.zero, duration) }
    }

    /// Stores the outcome; only the first one.
    func ended(_ outcome: TurnOutcome?) async {
        guard let outcome, self.outcome == nil else { return }
        self.outcome = outcome
        addStages()
        await store(outcome)
    }

    /// Stores what was measured while the answer was spoken.
    func spoken() async {
        guard let outcome, addStages() else { return }
        await store(outcome)
    }

    /// Adds the latencies whose stages are known; true if there is a new one.
    @discardableResult
    private func addStages() -> Bool {
        let count = latencies.count
        for latency in TurnLatency.allCases {
            guard let stages = latency.stages, let from = marks[stages.from], let to = marks[stages.to] else {
                continue
            }
            took(from.duration(to: to), for: latency)
        }
        return latencies.count > count
    }

    private func store(_ outcome: TurnOutcome) async {
        let (statistics, now) = (statistics, now())
        var measurement = TurnMeasurement(
            turn: turn, startedAt: startedAt, modality: modality, outcome: outcome, latencies: latencies)
        measurement.stages = marks.mapValues(start.duration(to:))
        // The turn may have ended because its task is cancelled.
        let noting = Task { [measurement] in try? await statistics.note(measurement, at: now) }
        await noting.value
    }
}

/// The time since a moment, by any clock.
struct Stopwatch: Sendable {
    let elapsed: @Sendable () -> Duration

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }
}

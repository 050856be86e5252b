// SPDX-License-Identifier: MIT

/// The alarms that ring in this process: a state machine.
public struct Ringing: Sendable, Hashable {
    /// The time after which an alarm rings no more.
    public static let limit = Duration.seconds(60)

    /// An input.
    public enum Event: Sendable, Hashable {
        /// Alarms were claimed.
        case claimed([Alarm])
        /// The ids of all alarms that are still set.
        case stored(Set<Identifier<Alarm>>)
        /// A person wants silence.
        case stop
        /// Time has passed.
        case time
    }

    /// The reason why an alarm rings no more.
    public enum End: String, Sendable, Hashable {
        /// A person stopped it here.
        case stopped
        /// It was cancelled by another process.
        case cancelled
        /// Nobody stopped it.
        case unanswered
    }

    /// An output.
    public enum Action: Sendable, Hashable {
        /// These alarms ring from now on, all at once.
        case ring([Alarm])
        /// These alarms ring no more; with the last one the sound ends.
        case end([Alarm], End)
    }

    /// The alarms that ring, in the order in which they began.
    public private(set) var alarms: [Alarm] = []
    private var ends: [Identifier<Alarm>: Duration] = [:]

    /// Nothing rings.
    public init() {}

    /// The time until one of them ends by itself; nil if nothing rings.
    public func remaining(at position: Duration) -> Duration? { ends.values.min().map { max(.zero, $0 - position) } }

    /// Takes an event at a position on a monotonic clock.
    public mutating func handle(_ event: Event, at position: Duration) -> Action? {
        switch event {
        case .claimed(let claimed):
            // After a jump of the wall clock a claim may have expired early, and is made again.
            let new = claimed.filter { ends[$0.id] == nil }
            guard !new.isEmpty else { return nil }
            alarms += new
            for alarm in new { ends[alarm.id] = position + Self.limit }
            return .ring(alarms)
        case .stored(let stored): return end(.cancelled) { !stored.contains($0.id) }
        case .stop: return end(.stopped) { _ in true }
        case .time: return end(.unanswered) { [ends] in ends[$0.id].map { $0 <= position } ?? true }
        }
    }

    private mutating func end(_ reason: End, where isOver: (Alarm) -> Bool) -> Action? {
        let over = alarms.filter(isOver)
        guard !over.isEmpty else { return nil }
        alarms.removeAll(where: isOver)
        for alarm in over { ends[alarm.id] = nil }
        return .end(over, reason)
    }
}

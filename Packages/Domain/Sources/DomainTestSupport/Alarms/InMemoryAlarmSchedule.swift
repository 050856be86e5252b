// SPDX-License-Identifier: MIT

public import Domain
public import FoundationEssentials

/// An ``AlarmSchedule`` in memory.
public actor InMemoryAlarmSchedule: AlarmSchedule {
    private var stored: [Identifier<Alarm>: Alarm] = [:]
    /// Thrown by every call while it is set.
    private var failure: DomainError?

    /// Makes a schedule with those alarms, or one that fails.
    public init(_ alarms: [Alarm] = [], failure: DomainError? = nil) {
        for alarm in alarms { stored[alarm.id] = alarm }
        self.failure = failure
    }

    /// Lets every call fail from now on, or work again.
    public func fail(_ failure: DomainError?) { self.failure = failure }

    /// See `AlarmSchedule`.
    public func alarms() throws -> [Alarm] {
        try check()
        return stored.values.sorted { ($0.due, $0.id) < ($1.due, $1.id) }
    }

    /// See `AlarmSchedule`.
    public func add(_ alarm: Alarm) throws {
        try check()
        stored[alarm.id] = alarm
    }

    /// See `AlarmSchedule`.
    public func claim(_ alarms: Set<Identifier<Alarm>>, at now: Date) throws -> [Alarm] {
        try check()
        return alarms.compactMap { id in
            guard stored[id]?.isRinging(at: now) == false else { return nil }
            stored[id]?.claimedAt = now
            return stored[id]
        }
    }

    /// See `AlarmSchedule`.
    @discardableResult
    public func remove(_ alarms: Set<Identifier<Alarm>>) throws -> [Alarm] {
        try check()
        return alarms.compactMap { stored.removeValue(forKey: $0) }
    }

    private func check() throws {
        try Task.checkCancellation()
        if let failure { throw failure }
    }
}

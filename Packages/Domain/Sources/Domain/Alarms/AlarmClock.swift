// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// The process that rings an alarm.
public enum AlarmRinger: Sendable, Hashable {
    /// A process that waits for alarms, such as `parley listen`.
    case listener
    /// The system starts one when the alarm is due, as long as the person stays logged in.
    case system
}

/// The reason why an alarm is not set.
public enum AlarmRefusal: Error, Sendable, Hashable {
    /// It would be due now or in the past.
    case past
    /// It would be due later than ``AlarmClock/longest`` from now.
    case tooFar
    /// ``AlarmClock/limit`` alarms are set.
    case tooMany
    /// No process would ring it.
    case nobodyRings
}

/// Sets, lists and cancels timers and alarms. An alarm that nobody would ring is refused: nothing is promised silently.
public struct AlarmClock: Sendable {
    /// The most alarms at a time.
    public static let limit = 100
    /// The longest time until an alarm: 366 days.
    public static let longest: TimeInterval = 366 * 86_400

    private let schedule: any AlarmSchedule
    private let arrange: @Sendable (Alarm) async -> AlarmRinger?
    private let dismiss: @Sendable ([Alarm]) async -> Void
    private let ringing: RingAlarms?
    private let now: @Sendable () -> Date

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - arrange: Sees to it that a stored alarm rings; returns nil if no process will.
    ///   - dismiss: Undoes that for alarms that were removed.
    ///   - ringing: The ringing of this process, which ``silence()`` ends at once.
    ///   - now: The wall clock.
    public init(
        _ schedule: any AlarmSchedule, arrange: @escaping @Sendable (Alarm) async -> AlarmRinger?,
        dismiss: @escaping @Sendable ([Alarm]) async -> Void = { _ in }, ringing: RingAlarms? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.schedule = schedule
        self.arrange = arrange
        self.dismiss = dismiss
        self.ringing = ringing
        self.now = now
    }

    /// Stores an alarm and arranges that it rings.
    ///
    /// - Throws: ``AlarmRefusal``, and then nothing is stored; ``DomainError/storage(_:)``.
    public func set(_ alarm: Alarm) async throws -> AlarmRinger {
        let wait = alarm.due.timeIntervalSince(now())
        guard wait > 0 else { throw AlarmRefusal.past }
        guard wait <= Self.longest else { throw AlarmRefusal.tooFar }
        guard try await schedule.alarms().count < Self.limit else { throw AlarmRefusal.tooMany }
        // Stored first: what rings looks there.
        try await schedule.add(alarm)
        if let ringer = await arrange(alarm) { return ringer }
        try await schedule.remove([alarm.id])
        throw AlarmRefusal.nobodyRings
    }

    /// All alarms, the earliest first.
    ///
    /// - Throws: ``DomainError/storage(_:)``, as all calls.
    public func alarms() async throws -> [Alarm] { try await schedule.alarms() }

    /// Removes alarms; those that ring fall silent, in whatever process, within a second.
    ///
    /// - Returns: The alarms that were set.
    @discardableResult
    public func cancel(_ alarms: Set<Identifier<Alarm>>) async throws -> [Alarm] {
        let removed = try await schedule.remove(alarms)
        await dismiss(removed)
        return removed
    }

    /// Ends what rings: in this process at once, in another one within a second.
    ///
    /// - Returns: True if something rang.
    public func silence() async throws -> Bool {
        let isSilenced = await ringing?.stop() ?? false
        let now = now()
        let others = Set(try await schedule.alarms().filter { $0.isRinging(at: now) }.map(\.id))
        if !others.isEmpty { try await cancel(others) }
        return isSilenced || !others.isEmpty
    }

    /// Arranges again that the alarms ring that are set: the system forgets its part when it starts anew.
    ///
    /// - Returns: The alarms that nobody will ring.
    @discardableResult
    public func rearrange() async throws -> [Alarm] {
        let now = now()
        var left: [Alarm] = []
        for alarm in try await schedule.alarms() where alarm.due > now {
            if await arrange(alarm) == nil { left.append(alarm) }
        }
        return left
    }
}

// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Something that happens to alarms while ``RingAlarms`` runs.
public enum AlarmEvent: Sendable, Hashable {
    /// These alarms ring from now on.
    case ringing([Alarm])
    /// These alarms ring no more.
    case ended([Alarm], Ringing.End)
    /// These alarms were due while no program could ring them.
    case missed([Alarm])
    /// The sound fails, or the alarms cannot be read; both are tried again.
    case failed(DomainError)
}

/// Waits for alarms and rings them. Of several processes that do so, one rings each alarm.
///
/// ``Ringing`` decides; this type carries it out. It looks at the alarms at least once a second, so that it notices what
/// other processes set or cancel, a clock that is set, and the end of a sleep of the machine.
public actor RingAlarms {
    /// The longest time between two looks at the alarms.
    public static let interval = Duration.seconds(1)

    private let schedule: any AlarmSchedule
    private let sound: @Sendable () async throws -> Void
    private let position: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private let now: @Sendable () -> Date

    private var ringing = Ringing()
    private var report: @Sendable (AlarmEvent) async -> Void = { _ in }
    private var waiting: Task<Void, Never>?
    /// The last call of ``stop()``, which the run outlives.
    private var stopping: Task<Void, Never>?
    /// The last sound; it still holds its device for a moment after ``isSounding`` is false.
    private var sounding: Task<Void, Never>?
    private var isSounding = false
    private var soundNumber = 0
    private var hasReportedSound = false

    /// Makes the use case.
    ///
    /// - Parameters:
    ///   - sound: Rings until it is cancelled; throws ``DomainError/device(_:)`` or ``DomainError/file(_:)``.
    ///   - clock: Measures the waits, and how long something rings.
    ///   - now: The wall clock, by which alarms are due.
    public init(
        _ schedule: any AlarmSchedule, sound: @escaping @Sendable () async throws -> Void,
        clock: some Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.schedule = schedule
        self.sound = sound
        self.now = now
        let start = clock.now
        position = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(for: $0) }
    }

    /// Rings alarms until the task is cancelled, which also stops what rings. One call at a time.
    ///
    /// - Parameters:
    ///   - untilQuiet: True to return when nothing is due and nothing rings.
    ///   - report: Gets each event.
    /// - Throws: With `untilQuiet`, ``DomainError/storage(_:)``; else such an error is reported once, and it goes on.
    public func callAsFunction(
        untilQuiet: Bool = false, report: @escaping @Sendable (AlarmEvent) async -> Void
    ) async throws {
        self.report = report
        var isFailing = false
        while !Task.isCancelled {
            await handle(.time)
            var next: Date?
            do {
                next = try await look()
                isFailing = false
            } catch is CancellationError {
                break
            } catch {
                let failure = error as? DomainError ?? .storage("\(error)")
                if untilQuiet {
                    await stop()
                    throw failure
                }
                if !isFailing { await report(.failed(failure)) }
                isFailing = true
            }
            if untilQuiet, ringing.alarms.isEmpty { break }
            // A device may be busy for a moment.
            if !ringing.alarms.isEmpty { beginSound() }
            await wait(until: next)
        }
        await stop()
        await stopping?.value
        await sounding?.value
    }

    /// Ends what rings in this process.
    ///
    /// - Returns: True if something rang.
    @discardableResult
    public func stop() async -> Bool {
        guard let action = ringing.handle(.stop, at: position()) else { return false }
        let stopping = Task { await perform(action) }
        self.stopping = stopping
        waiting?.cancel()
        await stopping.value
        return true
    }

    /// Claims and rings what is due; returns the moment of the next alarm.
    private func look() async throws -> Date? {
        let stored = try await schedule.alarms()
        await handle(.stored(Set(stored.map(\.id))))
        let now = now()
        let due = DueAlarms(stored, at: now)
        let ids = Set((due.ringing + due.missed).map(\.id))
        guard !ids.isEmpty else { return due.next }
        let claimed = try await schedule.claim(ids, at: now).sorted { $0.due < $1.due }
        let late = Set(due.missed.map(\.id))
        let missed = claimed.filter { late.contains($0.id) }
        if !missed.isEmpty {
            await report(.missed(missed))
            await remove(missed)
        }
        await handle(.claimed(claimed.filter { !late.contains($0.id) }))
        return due.next
    }

    private func handle(_ event: Ringing.Event) async {
        if let action = ringing.handle(event, at: position()) { await perform(action) }
    }

    private func perform(_ action: Ringing.Action) async {
        switch action {
        case .ring(let alarms):
            hasReportedSound = false
            beginSound()
            await report(.ringing(alarms))
        case .end(let alarms, let reason):
            if ringing.alarms.isEmpty { endSound() }
            await remove(alarms)
            await report(.ended(alarms, reason))
        }
    }

    /// Removes alarms, also if the task is cancelled: it may be cancelled because it rings.
    private func remove(_ alarms: [Alarm]) async {
        let ids = Set(alarms.map(\.id))
        do {
            try await Task { [schedule] in _ = try await schedule.remove(ids) }.value
        } catch {
            await report(.failed(error as? DomainError ?? .storage("\(error)")))
        }
    }

    private func beginSound() {
        guard !isSounding else { return }
        isSounding = true
        soundNumber += 1
        sounding = Task { [sounding, sound, soundNumber] in
            // The earlier sound may hold a device that only one stream may use.
            await sounding?.value
            do { try await sound() } catch is CancellationError {} catch {
                await soundFailed(error as? DomainError ?? .device("\(error)"), soundNumber)
            }
        }
    }

    private func soundFailed(_ error: DomainError, _ number: Int) async {
        // An earlier sound may fail while it is being ended.
        guard number == soundNumber, isSounding else { return }
        isSounding = false
        guard !hasReportedSound else { return }
        hasReportedSound = true
        await report(.failed(error))
    }

    private func endSound() {
        guard isSounding else { return }
        isSounding = false
        sounding?.cancel()
    }

    private func wait(until next: Date?) async {
        var wait = Self.interval
        if let next { wait = min(wait, max(.zero, .seconds(next.timeIntervalSince(now())))) }
        if let rest = ringing.remaining(at: position()) { wait = min(wait, rest) }
        let waiting = Task { [sleep] in _ = try? await sleep(wait) }
        self.waiting = waiting
        await withTaskCancellationHandler {
            await waiting.value
        } onCancel: {
            waiting.cancel()
        }
    }
}

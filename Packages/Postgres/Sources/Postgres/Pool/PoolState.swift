// SPDX-License-Identifier: MIT

import Concurrency

/// Assigns the connections of a bounded pool to users, first come, first served, and decides when to open one. Pure: it
/// returns the actions and performs none.
struct PoolState<Member: AnyObject & Sendable>: Sendable {
    /// An action of the driver's. `Waiter` is identified by its id.
    enum Action {
        /// The waiter gets the connection.
        case serve(UInt64, Member)
        /// The waiter gets the error.
        case refuse(UInt64, PostgresError)
        /// Open a connection, and report by `opened` or `couldNotOpen`.
        case open
        case close(Member)
    }

    private struct Idle {
        let member: Member
        let expiry: MonotonicTime
    }

    private struct Waiter {
        let id: UInt64
        let deadline: MonotonicTime
    }

    private let limit: Int
    private let maximumAge: Duration
    private let backoff: Backoff
    private var idle: [Idle] = []
    /// The expiry of the members that are in use.
    private var used: [ObjectIdentifier: MonotonicTime] = [:]
    private var waiters: [Waiter] = []
    private var opening = 0
    private var failures = 0
    private var lastFailure: PostgresError?
    /// No connection is opened before, after a failure.
    private var retry = MonotonicTime.distantPast
    private(set) var isClosed = false

    init(limit: Int, maximumAge: Duration, backoff: Backoff) {
        (self.limit, self.maximumAge, self.backoff) = (max(1, limit), maximumAge, backoff)
    }

    /// The number of connections that exist or are being opened.
    var count: Int { idle.count + used.count + opening }
    /// True once the pool is closed and no connection is in use or being opened.
    var isDrained: Bool { isClosed && used.isEmpty && opening == 0 }

    /// The next time at which `expire` has something to do.
    var nextDeadline: MonotonicTime {
        guard !waiters.isEmpty else { return .never }
        let next = waiters.reduce(MonotonicTime.never) { min($0, $1.deadline) }
        return wantsMore ? min(next, retry) : next
    }

    private var wantsMore: Bool { waiters.count > opening && count < limit }

    // MARK: Users

    /// A connection for a user that does not wait; nil if it has to.
    mutating func takeIdle(at now: MonotonicTime) -> (member: Member?, actions: [Action]) {
        var actions: [Action] = []
        // The one that was used last has the most prepared statements.
        while waiters.isEmpty, let last = idle.popLast() {
            if last.expiry > now {
                used[ObjectIdentifier(last.member)] = last.expiry
                return (last.member, actions)
            }
            actions.append(.close(last.member))
        }
        return (nil, actions)
    }

    /// A user waits for a connection.
    mutating func wait(_ id: UInt64, deadline: MonotonicTime, at now: MonotonicTime) -> [Action] {
        if isClosed { return [.refuse(id, .closed)] }
        waiters.append(Waiter(id: id, deadline: deadline))
        return settle(at: now)
    }

    /// Takes a waiter out of the line; false if it was served.
    mutating func cancel(_ id: UInt64) -> Bool {
        let count = waiters.count
        waiters.removeAll { $0.id == id }
        return waiters.count < count
    }

    /// A user gives a connection back.
    mutating func put(_ member: Member, isUsable: Bool, at now: MonotonicTime) -> [Action] {
        guard let expiry = used.removeValue(forKey: ObjectIdentifier(member)) else { return [] }
        guard isUsable, !isClosed, expiry > now else { return [.close(member)] + settle(at: now) }
        idle.append(Idle(member: member, expiry: expiry))
        return settle(at: now)
    }

    // MARK: Connections

    mutating func opened(_ member: Member, at now: MonotonicTime) -> [Action] {
        opening -= 1
        (failures, lastFailure, retry) = (0, nil, .distantPast)
        if isClosed { return [.close(member)] }
        idle.append(Idle(member: member, expiry: now.advanced(by: maximumAge)))
        return settle(at: now)
    }

    /// - Parameters:
    ///   - error: An error for which waiting does not help goes to every waiter; another one to those whose time is over.
    ///   - chance: A random number from 0 to 1.
    mutating func couldNotOpen(_ error: PostgresError, chance: Double, at now: MonotonicTime) -> [Action] {
        opening -= 1
        failures += 1
        lastFailure = error
        retry = now.advanced(by: backoff.delay(afterFailures: failures, chance: chance))
        guard error.isLasting else { return settle(at: now) }
        defer { waiters = [] }
        return waiters.map { .refuse($0.id, error) }
    }

    /// An idle connection was lost. One in use is given back by its user.
    mutating func lost(_ member: Member, at now: MonotonicTime) -> [Action] {
        idle.removeAll { $0.member === member }
        return settle(at: now)
    }

    /// Refuses the waiters whose time is over, and opens connections that had to wait.
    mutating func expire(at now: MonotonicTime) -> [Action] {
        let late = waiters.filter { $0.deadline <= now }
        waiters.removeAll { $0.deadline <= now }
        let error =
            lastFailure
            ?? PostgresError(
                code: .busy,
                message:
                    "Every connection was in use for longer than acquireTimeout. Shorten the transactions, or raise "
                    + "maximumConnections.")
        return late.map { .refuse($0.id, error) } + settle(at: now)
    }

    /// Refuses all users from now on.
    mutating func close() -> [Action] {
        isClosed = true
        defer { (waiters, idle) = ([], []) }
        return waiters.map { .refuse($0.id, .closed) } + idle.map { .close($0.member) }
    }

    /// Serves waiters and opens what is missing.
    private mutating func settle(at now: MonotonicTime) -> [Action] {
        var actions: [Action] = []
        while !waiters.isEmpty, let last = idle.popLast() {
            guard last.expiry > now else {
                actions.append(.close(last.member))
                continue
            }
            used[ObjectIdentifier(last.member)] = last.expiry
            actions.append(.serve(waiters.removeFirst().id, last.member))
        }
        while !isClosed, wantsMore, retry <= now {
            opening += 1
            actions.append(.open)
        }
        return actions
    }
}

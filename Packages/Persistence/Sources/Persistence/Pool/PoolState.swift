// SPDX-License-Identifier: MIT

/// Assigns the members of a bounded pool to users, first come, first served. Pure: it returns the action and performs
/// none.
struct PoolState<Member, Waiter> {
    enum Answer {
        /// Use this one.
        case use(Member)
        /// Make a new one; its place is taken already. Report with `made` or `couldNotMake`.
        case make
        /// Every member is in use: the waiter is in the queue.
        case wait
        case closed
    }

    private let limit: Int
    private var idle: [Member] = []
    private var members: [Member] = []
    private var places = 0
    private var waiters: [(id: UInt64, waiter: Waiter)] = []
    private(set) var isClosed = false

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Asks for a member without waiting.
    mutating func take() -> Answer {
        if isClosed { return .closed }
        // The member that was used last has the warmest cache.
        if let member = idle.popLast() { return .use(member) }
        guard places < limit else { return .wait }
        places += 1
        return .make
    }

    /// Asks again, now with a waiter to call when a member is free.
    mutating func take(id: UInt64, _ waiter: Waiter) -> Answer {
        let answer = take()
        if case .wait = answer { waiters.append((id, waiter)) }
        return answer
    }

    mutating func made(_ member: Member) {
        members.append(member)
    }

    /// Frees the place of a member that could not be made; the next in the queue may try, and get the error.
    mutating func couldNotMake() -> Waiter? {
        if waiters.isEmpty {
            places -= 1
            return nil
        }
        return waiters.removeFirst().waiter
    }

    /// Gives a member back; the waiter that is returned gets it.
    mutating func put(_ member: Member) -> Waiter? {
        if !waiters.isEmpty { return waiters.removeFirst().waiter }
        if !isClosed { idle.append(member) }
        return nil
    }

    /// Takes a waiter out of the queue; nil if it has been served.
    mutating func cancel(id: UInt64) -> Waiter? {
        waiters.firstIndex { $0.id == id }.map { waiters.remove(at: $0).waiter }
    }

    /// Refuses all users from now on. Returns the waiters and all members.
    mutating func close() -> (waiters: [Waiter], members: [Member]) {
        defer {
            isClosed = true
            waiters = []
            idle = []
            members = []
        }
        return (waiters.map(\.waiter), members)
    }
}

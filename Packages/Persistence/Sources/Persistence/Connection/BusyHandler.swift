// SPDX-License-Identifier: MIT

import CSQLite
import Glibc

/// Waits for a lock of another process or connection (sqlite.org/c3ref/busy_handler.html).
///
/// SQLite's own `busy_timeout` sleeps up to 100 ms at a time and does not notice that the task was cancelled; this
/// waits 1 ms first, 4 ms at most, until the time is over or the task is cancelled. SQLite calls it for SQLITE_BUSY of
/// every kind, SQLITE_BUSY_SNAPSHOT at `BEGIN IMMEDIATE` included: it then begins again with the newest snapshot.
///
/// Writers take turns: one that has waited 10 ms shows a ``WaitingSign``, and others that are about to begin give way.
final class BusyHandler {
    /// The number of vain attempts before a writer shows its sign: some 10 ms.
    private static let restraint = 4

    /// The time for which a writer gives way to a sign. A waiting writer tries every few milliseconds, so this is
    /// plenty. A writer that does not take the lock within it is stopped or has no processor. Signs are then ignored
    /// for as long again: a stopped process must not stop the others, and a slow one gets another chance.
    var courtesy = Duration.milliseconds(500)
    /// Nil if no other connection can write.
    var sign: WaitingSign?
    private var isBeginning = false
    private var overlooksUntil: ContinuousClock.Instant?
    /// The time at which it began to give way, if it did.
    private var arrival: ContinuousClock.Instant?

    private let timeout: Duration
    private var deadline = ContinuousClock.now
    /// A shorter time limit, while set.
    private var patience: Duration?

    init(timeout: Duration) {
        self.timeout = timeout
    }

    /// Puts the handler on a connection, which must not outlive this object.
    func install(on handle: OpaquePointer) {
        sqlite3_busy_handler(
            handle,
            { context, count in
                guard let context else { return 0 }
                return Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue().waits(count) ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Runs a closure that waits for locks no longer than `patience`, even if its task is cancelled.
    func limited<Value>(to patience: Duration, _ body: () throws -> Value) rethrows -> Value {
        self.patience = patience
        defer { self.patience = nil }
        return try body()
    }

    /// Tries until SQLite is not busy, for the time limit in all, or until the task is cancelled. An attempt waits a
    /// tenth of a second at most: it may hold a lock meanwhile, and others get it in between.
    func trying(_ attempt: () -> Int32) -> Int32 {
        let end = ContinuousClock.now.advanced(by: timeout)
        while true {
            let result = limited(to: min(timeout, .milliseconds(100)), attempt)
            guard result & 0xFF == SQLITE_BUSY, ContinuousClock.now < end, !Task.isCancelled else { return result }
            usleep(10_000)
        }
    }

    /// Begins a transaction that writes, after writers that have waited for longer.
    func begin(_ begin: () throws -> Void) throws {
        guard let sign else { return try begin() }
        try giveWay(to: sign)
        isBeginning = true
        defer {
            isBeginning = false
            arrival = nil
            sign.takeDown()
        }
        try begin()
    }

    /// A writer that gives way shows no sign, so no two wait for each other.
    private func giveWay(to sign: WaitingSign) throws {
        guard sign.isUpElsewhere else { return overlooksUntil = nil }
        let now = ContinuousClock.now
        if let overlooksUntil, now < overlooksUntil { return }
        arrival = now
        let end = now.advanced(by: min(courtesy, timeout))
        while sign.isUpElsewhere {
            try Task.checkCancellation()
            guard ContinuousClock.now < end else { return overlooksUntil = .now.advanced(by: courtesy) }
            usleep(1_000)
        }
    }

    /// Waits a little; false when the time is over. `count` is the number of waits for this lock so far.
    func waits(_ count: Int32) -> Bool {
        let now = ContinuousClock.now
        if count == 0 { deadline = (arrival ?? now).advanced(by: patience ?? timeout) }
        guard now < deadline, patience != nil || !Task.isCancelled else { return false }
        if isBeginning, count >= Self.restraint { sign?.putUp() }
        // Often: beside another program that writes without a pause, the lock is free for microseconds at a time, and
        // only an attempt within them gets it.
        let step = Duration.milliseconds(1 << min(Int(count), 2))
        let (_, attoseconds) = min(step, now.duration(to: deadline)).components
        usleep(UInt32(clamping: attoseconds / 1_000_000_000_000))
        return true
    }
}

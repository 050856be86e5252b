// SPDX-License-Identifier: MIT

import CSQLite
import Glibc

/// How a connection waits for a lock of another process or connection (sqlite.org/c3ref/busy_handler.html).
///
/// SQLite's own `busy_timeout` sleeps up to 100 ms at a time and does not hear that the task was cancelled; this waits 1 ms
/// first, 4 ms at most, until the time is over or the task is cancelled. SQLite calls it for SQLITE_BUSY of every kind,
/// SQLITE_BUSY_SNAPSHOT at `BEGIN IMMEDIATE` included: it then begins again with the newest snapshot.
///
/// Writers take turns: one that has waited 10 ms says so by a ``WaitingSign``, and others that are about to begin give way.
final class BusyHandler {
    /// How often a writer asks in vain before it puts up its sign: some 10 ms.
    private static let restraint = 4

    /// How long one gives way to a sign; one who waits asks every few milliseconds, so this is plenty. Whoever does not take
    /// the lock for longer is stopped or has no processor, and signs are overlooked for as long again: a stopped process
    /// must not stop the others, and one that is only slow gets another chance.
    var courtesy = Duration.milliseconds(500)
    /// Nil where nobody else can write.
    var sign: WaitingSign?
    private var isBeginning = false
    private var overlooksUntil: ContinuousClock.Instant?
    /// When it began to give way, if it did.
    private var arrival: ContinuousClock.Instant?

    private let timeout: Duration
    private var deadline = ContinuousClock.now
    /// Waits at most this long instead, while set.
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

    /// Runs a closure that waits for locks no longer than `patience`, and whether its task is cancelled or not.
    func limited<Value>(to patience: Duration, _ body: () throws -> Value) rethrows -> Value {
        self.patience = patience
        defer { self.patience = nil }
        return try body()
    }

    /// Begins a transaction that writes, after those who have waited for longer.
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

    /// Nobody puts up a sign while giving way, so no two wait for each other.
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

    /// Waits a little; false when the time is over. `count` is how often this lock has been waited for.
    func waits(_ count: Int32) -> Bool {
        let now = ContinuousClock.now
        if count == 0 { deadline = (arrival ?? now).advanced(by: patience ?? timeout) }
        guard now < deadline, patience != nil || !Task.isCancelled else { return false }
        if isBeginning, count >= Self.restraint { sign?.putUp() }
        // Often: beside another program that writes without a pause, the lock is free for microseconds at a time, and only
        // who asks just then gets it.
        let step = Duration.milliseconds(1 << min(Int(count), 2))
        let (_, attoseconds) = min(step, now.duration(to: deadline)).components
        usleep(UInt32(clamping: attoseconds / 1_000_000_000_000))
        return true
    }
}

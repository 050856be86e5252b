// SPDX-License-Identifier: MIT

/// The audit events that are not stored yet. Refusals, which anybody can cause, take at most half of the room, so that they
/// cannot press the others out.
struct AuditBuffer: Sendable {
    static let capacity = 2_000

    private var entries: [AuditEntry] = []
    /// The number of events that found no room.
    private var lost = 0
    /// True after a write that failed, until one succeeds.
    var isFailing = false

    mutating func add(_ entry: AuditEntry, isRefusal: Bool) {
        guard entries.count < (isRefusal ? Self.capacity / 2 : Self.capacity) else { return lost += 1 }
        entries.append(entry)
    }

    /// Takes the oldest entries out.
    mutating func take(_ count: Int) -> [AuditEntry] {
        defer { entries.removeFirst(min(count, entries.count)) }
        return Array(entries.prefix(count))
    }

    /// Puts back what could not be stored.
    mutating func putBack(_ taken: [AuditEntry]) {
        entries.insert(contentsOf: taken, at: 0)
    }

    /// The number of events that found no room since the last call.
    mutating func takeLost() -> Int {
        defer { lost = 0 }
        return lost
    }
}

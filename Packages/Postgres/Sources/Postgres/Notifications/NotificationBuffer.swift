// SPDX-License-Identifier: MIT

/// The notifications that wait for a reader. Pure.
struct NotificationBuffer {
    static let capacity = 64

    private var payloads: [String] = []
    private var mayHaveMissed = false

    var isEmpty: Bool { payloads.isEmpty && !mayHaveMissed }

    mutating func add(_ payload: String) {
        guard !payloads.contains(payload) else { return }
        if payloads.count == Self.capacity {
            payloads = []
            mayHaveMissed = true
        }
        payloads.append(payload)
    }

    /// Notifications may have been lost.
    mutating func addBreak() {
        // What waits is older than the break, and may be read after it.
        mayHaveMissed = true
    }

    mutating func next() -> PostgresNotification? {
        guard !isEmpty else { return nil }
        defer { mayHaveMissed = false }
        return PostgresNotification(
            payload: payloads.isEmpty ? "" : payloads.removeFirst(), mayHaveMissed: mayHaveMissed)
    }
}

// SPDX-License-Identifier: MIT

/// Lets so many requests through a second, with a reserve for bursts. Whoever comes gets the next free place, so the
/// order of coming is the order of going.
struct TokenBucket: Sendable {
    private let capacity: Double
    private let rate: Double
    private var tokens: Double
    private var updated: Duration

    /// - Parameters:
    ///   - rate: Requests a second.
    ///   - capacity: How many may go at once after a quiet time.
    init(rate: Double, capacity: Double, now: Duration) {
        self.rate = max(rate, 0.001)
        self.capacity = max(capacity, 1)
        tokens = self.capacity
        updated = now
    }

    /// Takes a place.
    ///
    /// - Returns: How long to wait until it is free.
    mutating func reserve(now: Duration) -> Duration {
        refill(now)
        tokens -= 1
        return tokens >= 0 ? .zero : .seconds(-tokens / rate)
    }

    /// Gives a place back that was not used.
    mutating func giveBack() {
        tokens = min(capacity, tokens + 1)
    }

    private mutating func refill(_ now: Duration) {
        guard now > updated else { return }
        tokens = min(capacity, tokens + (now - updated).inSeconds * rate)
        updated = now
    }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}

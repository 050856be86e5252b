// SPDX-License-Identifier: MIT

import Glibc

/// Learns a server's capacity: cuts the rate when the server throttles, and grows it again along a cubic curve (the AWS
/// SDKs' adaptive mode, after RFC 9438).
struct AdaptiveRate: Sendable {
    private static let beta = 0.7
    private static let scale = 0.4
    private static let smoothing = 0.8

    /// The present requests a second, or `nil` before the server has throttled for the first time.
    private(set) var fillRate: Double?
    private var capacity = 1.0
    private var available = 0.0
    private var refilled = 0.0
    private var measured = 0.0
    private var bucketStart: Double?
    private var count = 0
    private var lastMaximum = 0.0
    private var lastThrottle = 0.0

    /// Takes a place.
    ///
    /// - Returns: The wait until it is free.
    mutating func reserve(now: Duration) -> Duration {
        guard let fillRate else { return .zero }
        refill(now.inSeconds)
        available -= 1
        return available >= 0 ? .zero : .seconds(max(refilled - now.inSeconds, 0) - available / fillRate)
    }

    /// Lets one request through at that moment and saves no places up until then, so that the waiting requests do not
    /// all start at once.
    mutating func hold(until moment: Duration) {
        // Below zero, the places belong to requests that wait already.
        if available >= 0 { available = 1 }
        refilled = max(refilled, moment.inSeconds)
    }

    /// Learns from a response.
    mutating func noteResponse(isThrottled: Bool, now: Duration) {
        let time = now.inSeconds
        measure(time)
        let calculated: Double
        if isThrottled {
            let rate = fillRate.map { min(measured, $0) } ?? measured
            lastMaximum = rate
            lastThrottle = time
            calculated = rate * Self.beta
        } else {
            guard fillRate != nil else { return }
            let window = cbrt(lastMaximum * (1 - Self.beta) / Self.scale)
            calculated = Self.scale * pow(time - lastThrottle - window, 3) + lastMaximum
        }
        refill(time)
        let rate = max(min(calculated, 2 * measured), 0.5)
        if fillRate == nil { refilled = time }
        fillRate = rate
        capacity = max(rate, 1)
        available = min(available, capacity)
    }

    private mutating func measure(_ time: Double) {
        let bucket = (time * 2).rounded(.down) / 2
        count += 1
        guard let start = bucketStart else {
            bucketStart = bucket
            return
        }
        guard bucket > start else { return }
        measured = Double(count) / (bucket - start) * Self.smoothing + measured * (1 - Self.smoothing)
        count = 0
        bucketStart = bucket
    }

    private mutating func refill(_ time: Double) {
        guard let fillRate, time > refilled else { return }
        available = min(capacity, available + (time - refilled) * fillRate)
        refilled = time
    }
}

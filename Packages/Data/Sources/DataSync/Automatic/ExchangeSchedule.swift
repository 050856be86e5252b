// SPDX-License-Identifier: MIT

import Concurrency

/// The times at which a device that runs all day exchanges with the others. Pure: the caller passes the time and the
/// random numbers.
///
/// It begins with a whole exchange. A change on this device is offered, and news of the place are fetched, a moment
/// later, so that several make one exchange. Without either there is one each 15 minutes, and each day a whole one. After
/// a failure everything waits, longer each time, until the network or the place is back.
public struct ExchangeSchedule: Sendable {
    /// A reason to look whether an exchange is due.
    public enum Occasion: Sendable, Hashable, CaseIterable {
        /// Something changed on this device.
        case changed
        /// The place may have something new.
        case news
        /// A reason to fail may be gone: the network is back.
        case available
    }

    /// The parts of an exchange; each one includes those before.
    public enum Extent: Int, Sendable, Hashable, Comparable, CaseIterable {
        /// Asks the place only if something of this device waits.
        case offer
        /// Both directions.
        case usual
        /// Compares everything at the place, too.
        case whole

        /// The order of the parts.
        public static func < (left: Extent, right: Extent) -> Bool { left.rawValue < right.rawValue }
    }

    /// The next thing to do.
    public enum Step: Sendable, Hashable {
        /// Exchange now, then call ``finished(_:didAsk:at:)`` or ``failed(_:code:at:chance:)``.
        case exchange(Extent)
        /// Wait until that time, or for an occasion.
        case wait(until: Duration)
    }

    static let settling = Duration.milliseconds(20)
    static let interval = Duration.seconds(900)
    static let wholeInterval = Duration.seconds(86_400)
    static let backoff = Backoff(first: .seconds(2), longest: .seconds(300), jitter: .half)

    private var due: [Extent: Duration]
    private var failures = 0
    private var retry: Duration?
    /// The code of the failure that was said since the last success.
    private var said: String?

    /// A schedule that begins at a time of the caller's clock.
    public init(at now: Duration) { due = [.whole: now] }

    /// Notes an occasion.
    public mutating func note(_ occasion: Occasion, at now: Duration) {
        switch occasion {
        case .changed: bring(.offer, to: now + Self.settling)
        case .news:
            // The place tells something: it may be within reach again.
            if let time = retry { retry = min(time, now + Self.backoff.first) }
            bring(.usual, to: now + Self.settling)
        case .available:
            retry = nil
            bring(.usual, to: now)
        }
    }

    /// The next thing to do.
    public mutating func next(at now: Duration) -> Step {
        if let retry, now < retry { return .wait(until: retry) }
        guard let extent = due.filter({ $0.value <= now }).keys.max() else {
            return .wait(until: due.values.min() ?? now + Self.interval)
        }
        // An occasion from here on may be too late for this exchange.
        due = due.filter { $0.key > extent }
        return .exchange(extent)
    }

    /// Notes the end of an exchange.
    ///
    /// - Parameter didAsk: False for an offer with nothing to offer.
    /// - Returns: True if it is the first one after a failure that was said.
    public mutating func finished(_ extent: Extent, didAsk: Bool, at now: Duration) -> Bool {
        guard didAsk else { return false }
        let isRecovery = said != nil
        (failures, retry, said) = (0, nil, nil)
        bring(.usual, to: now + Self.interval)
        if extent == .whole { bring(.whole, to: now + Self.wholeInterval) }
        return isRecovery
    }

    /// Notes that an exchange failed.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - chance: A random number from 0 to 1.
    /// - Returns: True if the failure should be said: it is another one than the last one.
    public mutating func failed(_ extent: Extent, code: String, at now: Duration, chance: Double) -> Bool {
        failures += 1
        let time = now + Self.backoff.delay(afterFailures: failures, chance: chance)
        retry = time
        bring(max(extent, .usual), to: time)
        defer { said = code }
        return said != code
    }

    private mutating func bring(_ extent: Extent, to time: Duration) {
        due[extent] = min(due[extent] ?? time, time)
    }
}

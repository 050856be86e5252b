// SPDX-License-Identifier: MIT

/// A device's clock against the system's: maps frames to instants, from measured instants that jitter.
///
/// A Kalman filter of two states, the offset in seconds and the drift in seconds for each second. It follows quickly
/// at first and slowly afterwards, so that the jitter of single instants (up to a period) is averaged away.
struct StreamClock {
    /// Nominal frames per second.
    let rate: Double
    /// The deviation of the device's second from the system's: 0.0001 is 100 ppm slow.
    private(set) var drift = 0.0

    /// A deviation above this is a gap in the stream, not jitter. Seconds.
    static let largestJitter = 0.025

    private var position = 0.0
    private var time = 0.0
    private var isStarted = false
    // The covariance of (time, drift).
    private var timeVariance = StreamClock.jitter
    private var covariance = 0.0
    private var driftVariance = 1e-8
    /// The measured jitter of the instants as a share of the filter's assumption.
    private var roughness = 1.0

    /// The variance of one instant: (1 ms)².
    private static let jitter = 1e-6
    /// The variance that offset and drift gain in a second: (1 µs)², and (0.02 ppm)².
    private static let wander = (time: 1e-12, drift: 4e-16)

    init(rate: Int) { self.rate = Double(rate) }

    /// The standard error of `drift`, from the measured jitter of the instants.
    var driftError: Double { driftVariance.squareRoot() * max(0.02, roughness) }

    /// True once an instant was observed.
    var hasStarted: Bool { isStarted }

    /// Notes that frame `position` passed at `instant` (seconds). Returns the deviation from the expected instant if it
    /// is a jump; the clock has then followed it.
    @discardableResult
    mutating func observe(position frame: Int, instant: Double) -> Double? {
        guard isStarted else {
            (position, time, isStarted) = (Double(frame), instant, true)
            return nil
        }
        let seconds = (Double(frame) - position) / rate
        position = Double(frame)
        time += seconds * (1 + drift)
        let elapsed = abs(seconds)
        timeVariance += 2 * seconds * covariance + seconds * seconds * driftVariance + Self.wander.time * elapsed
        covariance += seconds * driftVariance
        driftVariance += Self.wander.drift * elapsed

        let surprise = instant - time
        guard abs(surprise) <= Self.largestJitter else {
            time = instant
            (timeVariance, covariance) = (Self.jitter, 0)
            return surprise
        }
        roughness += 0.05 * (abs(surprise) / Self.jitter.squareRoot() - roughness)
        let total = timeVariance + Self.jitter
        let (timeGain, driftGain) = (timeVariance / total, covariance / total)
        time += timeGain * surprise
        drift += driftGain * surprise
        driftVariance -= driftGain * covariance
        covariance -= timeGain * covariance
        timeVariance -= timeGain * timeVariance
        return nil
    }

    /// The time at which `frame` passes, in seconds.
    func instant(of frame: Double) -> Double { time + (frame - position) / rate * (1 + drift) }

    /// The frame, with its fraction, that passes at `instant` (seconds).
    func frame(at instant: Double) -> Double { position + (instant - time) * rate / (1 + drift) }
}

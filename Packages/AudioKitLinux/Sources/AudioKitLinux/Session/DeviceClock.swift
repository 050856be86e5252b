// SPDX-License-Identifier: MIT

/// Measures the rate of a device's clock, from pairs of a frame's number and the time at which it was heard or
/// captured: the least-squares line through them. Pure.
///
/// It keeps at most 512 pairs. When they are full every second one is removed, and from then on only every second new
/// one is kept: the line spans the whole time since the last `restart()`.
public struct DeviceClock: Sendable {
    /// A measured rate.
    public struct Estimate: Sendable, Hashable {
        /// Frames for each second of the system's monotonic clock.
        public var framesPerSecond: Double
        /// The deviation from the nominal rate, in millionths; above 0 if the device is faster.
        public var ppm: Double
        /// The true value lies within ± this many millionths: three standard errors of the slope.
        public var bound: Double
    }

    /// The nominal rate of the device, in frames per second.
    public let nominalRate: Double

    private static let capacity = 512
    private var pairs: [(seconds: Double, excess: Double)] = []
    private var origin: (position: Int, time: Int64)?
    private var stride = 1
    private var skipped = 0

    /// Makes a clock of `nominalRate` frames per second without measurements.
    public init(nominalRate: Int) {
        self.nominalRate = Double(nominalRate)
        pairs.reserveCapacity(Self.capacity)
    }

    /// Notes that frame `position` was in the air at `time`, in monotonic nanoseconds.
    public mutating func note(position: Int, time: Int64) {
        guard let origin else {
            origin = (position, time)
            pairs.append((0, 0))
            return
        }
        skipped += 1
        guard skipped >= stride else { return }
        skipped = 0
        let seconds = Double(time - origin.time) * 1e-9
        // The distance from the nominal line: small numbers, so that an hour's sums keep their precision.
        pairs.append((seconds, Double(position - origin.position) - seconds * nominalRate))
        guard pairs.count >= Self.capacity else { return }
        pairs = pairs.indices.filter { $0 % 2 == 0 }.map { pairs[$0] }
        stride *= 2
    }

    /// Drops all pairs: after a gap whose length is not known exactly.
    public mutating func restart() {
        pairs.removeAll(keepingCapacity: true)
        origin = nil
        stride = 1
        skipped = 0
    }

    /// The present estimate; nil before the tenth pair.
    public var estimate: Estimate? {
        let count = Double(pairs.count)
        guard count >= 10 else { return nil }
        let meanTime = pairs.reduce(0) { $0 + $1.seconds } / count
        let meanExcess = pairs.reduce(0) { $0 + $1.excess } / count
        var spread = 0.0
        var product = 0.0
        for pair in pairs {
            spread += (pair.seconds - meanTime) * (pair.seconds - meanTime)
            product += (pair.seconds - meanTime) * (pair.excess - meanExcess)
        }
        guard spread > 0 else { return nil }
        let slope = product / spread
        var squares = 0.0
        for pair in pairs {
            let rest = pair.excess - meanExcess - slope * (pair.seconds - meanTime)
            squares += rest * rest
        }
        let error = (squares / (count - 2) / spread).squareRoot()
        return Estimate(
            framesPerSecond: nominalRate + slope, ppm: slope / nominalRate * 1e6,
            bound: 3 * error / nominalRate * 1e6)
    }
}

/// Judges that a device has no clock, as ALSA's `null` and `file`: such a device is many times faster than real time.
/// Pure.
struct ClockCheck {
    /// The time of the device's start, in monotonic nanoseconds.
    let began: Int64
    /// Frames for each second of real time.
    let rate: Double
    /// The size of the device's buffer.
    let bufferFrames: Int

    /// True if a device that moved `frames` since its start has no clock.
    func isRunningFree(after frames: Int, at now: Int64) -> Bool {
        let elapsed = Double(now - began) * 1e-9
        // Twice: a real clock is a little too fast, and that adds up over hours. A second: sound can arrive in bursts.
        return Double(frames - bufferFrames) / rate > 2 * elapsed + 1
    }
}

extension DeviceClock.Estimate {
    /// The excess of this device's rate over that of `other`, in millionths, with its bound: the value with which a
    /// `DriftCorrector` converts this device's sound to the other's clock.
    public func drift(against other: Self) -> (ppm: Double, bound: Double) {
        (((1 + ppm * 1e-6) / (1 + other.ppm * 1e-6) - 1) * 1e6, bound + other.bound)
    }
}

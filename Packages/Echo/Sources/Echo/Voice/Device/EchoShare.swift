// SPDX-License-Identifier: MIT
internal import AudioDSP

/// The ratio of the echo to the loudspeaker's sound, in decibels: the level that one twentieth of the last three
/// seconds' pieces exceed.
struct EchoShare {
    /// The time that is remembered, and the least that must be known, in seconds.
    private static let memory = 3.0
    private static let least = 0.5
    private static let quantile = 0.95

    private var pieces: [(decibels: Double, seconds: Double)] = []
    private var known = 0.0

    /// The share that is expected; nil before half a second is known.
    var expected: Double? {
        guard known >= Self.least else { return nil }
        let sorted = pieces.map(\.decibels).sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * Self.quantile))]
    }

    /// Adds a measurement: the power heard, the power played, and their duration.
    mutating func add(_ heard: Double, of played: Double, seconds: Double) {
        pieces.append((Decibels.ofPower(max(heard, 1e-12) / played), seconds))
        known += seconds
        while known - pieces[0].seconds > Self.memory { known -= pieces.removeFirst().seconds }
    }
}

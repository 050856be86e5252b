// SPDX-License-Identifier: MIT
internal import AudioKitLinux

/// A device's instants without the sound server's guesswork.
///
/// The instants of plain hardware are exact to a fraction of a millisecond: they are unchanged. The error of a sound
/// server varies by some milliseconds, and an echo canceller that follows it learns a room that moves; a constant error
/// does not matter. So one offset between frames and instants is held. If it is wrong by 12 ms for seconds, it slides,
/// no faster than a clock drifts. While a microphone's stream starts, a server's instants are up to half a second
/// wrong, and approach their true values slowly.
struct SteadyInstants {
    /// The number of instants that are remembered, and the number that decides that they have settled.
    private static let memory = 250
    private static let few = 20
    /// In seconds: the spread of exact instants; the tolerated error of the offset for most of them, and for single
    /// ones; the leap that means that the stream was started anew; the spread of a few that have settled.
    private static let exact = 0.0005
    private static let tolerance = 0.012
    private static let stray = 0.02
    private static let leap = 0.06
    private static let settled = 0.02
    /// The number of strays in a row that is no accident.
    private static let mostStrays = 10
    /// The pace at which a wrong offset slides: a twentieth of the error in a second, 100 ppm at most.
    private static let slide = (share: 0.05, most: 1e-4)

    private let epoch = ContinuousClock.now
    private var offsets: [Double] = []
    private var held: Double?
    private var median: Double?
    private var strays = 0
    private var count = 0
    private var last = 0.0
    /// The time since the last leap, in seconds of sound.
    private var steadyFor = 0.0
    /// True if the instants agree with each other.
    private(set) var isSettled = false
    /// True if the instants are those of plain hardware, as far as they are known.
    private(set) var isExact = false

    /// True if the last leap is a second ago: just after one, the error may be larger than the next instants show.
    var isSteady: Bool { steadyFor >= 1 }

    /// The true instant of `frame`, from the device's value.
    ///
    /// - Parameter other: the instants of the device at the other end of the echo, once it has started. Exact instants
    ///   are followed only if the other device's are exact too. A sound server's look exact for seconds between two of
    ///   its estimates; following one device of two makes a drift between them that the devices do not have.
    mutating func steadied(
        _ instant: ContinuousClock.Instant, of frame: Int, beside other: SteadyInstants? = nil
    ) -> ContinuousClock.Instant {
        let nominal = Double(frame) / Double(AudioFormat.voice.sampleRate)
        let offset = (instant - epoch) / .seconds(1) - nominal
        let mayFollow = other.map { $0.isExact || $0.count == 0 } ?? true
        note(offset, max(0, nominal - last), mayFollow: mayFollow)
        last = nominal
        return epoch + .seconds(nominal + (held ?? offset))
    }

    /// Begins anew with the latest instants.
    mutating func hold() { held = Self.median(offsets.suffix(Self.few)) }

    private mutating func note(_ offset: Double, _ seconds: Double, mayFollow: Bool) {
        let distance = abs(offset - (held ?? offset))
        strays = distance > Self.stray ? strays + 1 : 0
        if distance > Self.leap || strays >= Self.mostStrays {
            // Earlier offsets belong to another run of the device.
            offsets = distance > Self.leap ? [] : Array(offsets.suffix(strays - 1))
            (strays, median, held, steadyFor) = (0, nil, nil, 0)
        }
        steadyFor += seconds
        offsets.append(offset)
        if offsets.count > Self.memory { offsets.removeFirst() }
        count += 1
        let isKnown = offsets.count >= Self.few
        isSettled = isKnown && (isSettled || Self.spread(offsets.suffix(Self.few)) < Self.settled)
        isExact = isKnown && Self.spread(offsets[...]) < Self.exact
        if isKnown, count % Self.few == 0 { median = Self.median(offsets[...]) }
        guard let before = held else {
            held = Self.median(offsets[...])
            return
        }
        if isExact, mayFollow {
            held = offset
        } else if let median, abs(median - before) > Self.tolerance {
            held = before + seconds * max(-Self.slide.most, min(Self.slide.most, Self.slide.share * (median - before)))
        }
    }

    private static func spread(_ values: ArraySlice<Double>) -> Double { (values.max() ?? 0) - (values.min() ?? 0) }

    private static func median(_ values: ArraySlice<Double>) -> Double? {
        let sorted = values.sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }
}

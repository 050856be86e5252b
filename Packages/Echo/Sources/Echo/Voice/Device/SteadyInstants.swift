// SPDX-License-Identifier: MIT
internal import AudioKitLinux

/// A device's instants without the sound server's guesswork.
///
/// Plain hardware tells when a frame was there to a fraction of a millisecond: that is left as it is. A sound server is wrong
/// by some milliseconds, now more and now less, and an echo canceller that follows this learns a room that walks about;
/// it does not mind an error that stays. So one offset between frames and instants is held, and slides where it is wrong
/// by 12 ms for seconds, no faster than a clock drifts. While a microphone's stream starts, a server's instants are up to half a
/// second wrong, and creep to where they belong.
struct SteadyInstants {
    /// How many instants are remembered, and how many tell whether they have settled.
    private static let memory = 250
    private static let few = 20
    /// By how many seconds exact instants differ; how wrong the offset may be for most of them, and for single ones; what is
    /// a stream that was started anew; how far apart a few may be that have settled.
    private static let exact = 0.0005
    private static let tolerance = 0.012
    private static let stray = 0.02
    private static let leap = 0.06
    private static let settled = 0.02
    /// How many strays in a row are no accident.
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
    /// For how long nothing has leapt, in seconds of sound.
    private var steadyFor = 0.0
    /// True if the instants agree with each other.
    private(set) var isSettled = false

    /// True if there has been no leap for a second: just after one they may be wrong by more than the next ones tell.
    var isSteady: Bool { steadyFor >= 1 }

    /// When `frame` was really there, given the device's word for it.
    mutating func steadied(_ instant: ContinuousClock.Instant, of frame: Int) -> ContinuousClock.Instant {
        let nominal = Double(frame) / Double(AudioFormat.voice.sampleRate)
        let offset = (instant - epoch) / .seconds(1) - nominal
        note(offset, max(0, nominal - last))
        last = nominal
        return epoch + .seconds(nominal + (held ?? offset))
    }

    /// Begins anew with what is known of the instants by now.
    mutating func hold() { held = Self.median(offsets.suffix(Self.few)) }

    private mutating func note(_ offset: Double, _ seconds: Double) {
        let distance = abs(offset - (held ?? offset))
        strays = distance > Self.stray ? strays + 1 : 0
        if distance > Self.leap || strays >= Self.mostStrays {
            // What came before is about another run of the device.
            offsets = distance > Self.leap ? [] : Array(offsets.suffix(strays - 1))
            (strays, median, held, steadyFor) = (0, nil, nil, 0)
        }
        steadyFor += seconds
        offsets.append(offset)
        if offsets.count > Self.memory { offsets.removeFirst() }
        count += 1
        let isKnown = offsets.count >= Self.few
        isSettled = isKnown && (isSettled || Self.spread(offsets.suffix(Self.few)) < Self.settled)
        if isKnown, count % Self.few == 0 { median = Self.median(offsets[...]) }
        guard let before = held else {
            held = Self.median(offsets[...])
            return
        }
        if isKnown, Self.spread(offsets[...]) < Self.exact {
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

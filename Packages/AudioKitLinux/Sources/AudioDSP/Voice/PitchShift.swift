// SPDX-License-Identifier: MIT
internal import Glibc

/// Raises or lowers a voice, and neither its speed nor its timbre changes: TD-PSOLA (E. Moulines and F. Charpentier,
/// Speech Communication 9, 1990).
///
/// Each period of the voice is cut out under a window and put where the new pitch has a period, so the formants stay.
/// Sound without a pitch between 70 and 600 Hz, such as consonants and silence, passes as it is; so does music. Channels
/// move together.
///
/// The result is the same however the stream is cut: n input frames give exactly n in all. At a factor of 1 samples pass
/// unchanged and at once. Values that are not finite become 0. One stream at a time; `process` and `finish` allocate
/// nothing.
public struct PitchShift: Sendable {
    /// The factors of the fundamental frequency: 2 is an octave up.
    public static let factors = 0.5...2.0

    /// The factor of the fundamental frequency.
    public let factor: Double
    /// Samples per frame.
    public let channels: Int
    /// The most frames that are held back until `finish`; 0 at a factor of 1.
    public let latency: Int

    private let lookAhead: Int
    private let lookBack: Int
    private var input: SlidingInput
    private var track: PitchTrack
    /// The sum so far, from the frame `written` on.
    private var output: [Float]
    private var written = 0

    /// The place of the next period in the output, and in the voiced part that it is in: the marks around it.
    private var place = 0.0
    private var marks: Marks?
    /// The distance from the period before.
    private var gap = Double.infinity

    /// Three marks in a row; `place` is nearest to the middle one. Without a third the voiced part ends.
    private struct Marks {
        var before, here: Double
        var after: Double?
    }

    /// A shifter at the start of a stream.
    ///
    /// - Throws: ``AudioDSPError`` with `factor` or `format`.
    public init(factor: Double, sampleRate: Double, channels: Int = 1) throws(AudioDSPError) {
        try AudioDSPError.check("factor", factor, in: Self.factors, sampleRate: sampleRate, channels: channels)
        (self.factor, self.channels) = (factor, channels)
        track = PitchTrack(sampleRate: sampleRate)
        let longest = track.longest
        lookAhead = 3 * longest + track.reach + 2 * track.hop
        lookBack = 4 * longest + track.reach + 2 * track.hop
        latency = factor == 1 ? 0 : lookAhead + 2 * longest + 2
        let capacity = factor == 1 ? 0 : 4 * (lookAhead + lookBack)
        input = SlidingInput(channels: channels, lead: factor == 1 ? 0 : lookBack, capacity: capacity)
        output = [Float](repeating: 0, count: factor == 1 ? 0 : 8 * longest * channels)
    }

    /// A shifter by semitones, −12…12, at the start of a stream.
    ///
    /// - Throws: ``AudioDSPError`` with `factor` or `format`.
    public init(semitones: Double, sampleRate: Double, channels: Int = 1) throws(AudioDSPError) {
        try self.init(factor: exp2(semitones / 12), sampleRate: sampleRate, channels: channels)
    }

    /// The most frames that one call writes: of `process` with `frames` input frames, or of `finish` with 0.
    public func capacity(for frames: Int) -> Int { frames + latency }

    /// Returns to the start of a stream.
    public mutating func reset() {
        input.reset()
        track.reset()
        for index in output.indices { output[index] = 0 }
        (written, place, marks, gap) = (0, 0, nil, .infinity)
    }

    /// Takes `samples` (interleaved, whole frames) and writes what is ready.
    ///
    /// - Parameter output: Room for ``capacity(for:)`` frames.
    /// - Returns: The number of frames written.
    public mutating func process(
        _ samples: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
    ) -> Int {
        let frames = samples.count / channels
        guard frames > 0, let source = samples.baseAddress else { return 0 }
        precondition(output.count / channels >= capacity(for: frames))
        guard let target = output.baseAddress else { return 0 }
        if factor == 1 {
            for index in 0..<frames * channels { target[index] = source[index].isFinite ? source[index] : 0 }
            return frames
        }
        let before = written
        var taken = 0
        while taken < frames {
            taken += input.append(source + taken * channels, frames: frames - taken)
            while Int(place) + lookAhead < input.end { putPeriod(target - before * channels, end: .max) }
        }
        return written - before
    }

    /// Ends the stream, writes the rest, and returns to the start of a stream.
    ///
    /// - Parameter output: Room for ``capacity(for:)`` frames of 0.
    /// - Returns: The number of frames written.
    public mutating func finish(into output: UnsafeMutableBufferPointer<Float>) -> Int {
        defer { reset() }
        let (before, end) = (written, input.end)
        guard end > before, factor != 1 else { return 0 }
        precondition(output.count / channels >= end - before)
        guard let target = output.baseAddress else { return 0 }
        while written < end {
            while Int(place) + lookAhead >= input.end { _ = input.append(nil, frames: lookAhead) }
            putPeriod(target - before * channels, end: end)
        }
        return end - before
    }

    /// Adds the period at `place` to the sum, writes what no later period changes, and finds the next place.
    ///
    /// - Parameter target: The address that frame numbers times the channels are added to.
    private mutating func putPeriod(_ target: UnsafeMutablePointer<Float>, end: Int) {
        let horizon = Int(place) + 2 * track.longest + track.hop
        input.withMono { track.extend(to: horizon, $0) }
        followMarks()
        let next = nextPlace()
        let period = marks.map { marks in
            (left: marks.here - marks.before, right: (marks.after ?? 2 * marks.here - marks.before) - marks.here)
        }
        let source = marks?.here ?? place
        let left = min(period?.left ?? .infinity, gap)
        let right = min(period?.right ?? .infinity, next.place - place)
        add(from: source, left: left.isFinite ? left : 0, right: right)
        write(target, to: min(end, Int(place.rounded(.down))))
        (gap, place) = (next.place - place, next.place)
        if let first = next.first { marks = first } else if marks?.after == nil { leaveVoice() }
        input.discard(before: Int(place) - lookBack)
    }

    /// Moves on to the mark nearest to `place`; leaves the voiced part once it is over.
    private mutating func followMarks() {
        while let now = marks, let after = now.after, after - place < place - now.here {
            marks = Marks(before: now.here, here: after, after: mark(after: after))
        }
    }

    private mutating func leaveVoice() {
        marks = nil
        // So that what follows is not read between its samples.
        let whole = place.rounded(.up)
        (gap, place) = (gap + whole - place, whole)
    }

    /// The next place after `place`; with its marks if a voiced part begins there.
    private func nextPlace() -> (place: Double, first: Marks?) {
        if let now = marks {
            let period = now.after.map { $0 - now.here } ?? (now.here - now.before)
            return (place + period / factor, nil)
        }
        let plain = place + Double(track.hop)
        guard let period = track.period(at: Int(place)) else { return (plain, nil) }
        let start = Int(place) + 1
        let first = input.withMono { PitchMarks.first(in: start..<start + Int(period), $0) } ?? start
        guard let second = mark(after: Double(first)) else { return (plain, nil) }
        let here = Double(first)
        return (here, Marks(before: 2 * here - second, here: here, after: second))
    }

    private func mark(after mark: Double) -> Double? {
        guard let period = track.period(at: Int(mark)) else { return nil }
        return input.withMono { PitchMarks.next(after: mark, period: period, $0) } ?? nil
    }

    /// Adds the input around `source` at `place`, under a window of two halves of a Hann window.
    private mutating func add(from source: Double, left: Double, right: Double) {
        let (channels, place, first) = (channels, place, written)
        let shift = source - place
        let whole = Int(shift.rounded(.down))
        let fraction = shift - Double(whole)
        let weights = FractionalDelay.weights(fraction)
        let isExact = fraction == 0
        let (low, high) = (max(first, Int((place - left).rounded(.up))), Int((place + right).rounded(.up)))
        guard low < high else { return }
        input.withSamples { samples in
            output.withUnsafeMutableBufferPointer { output in
                for frame in low..<high {
                    let distance = Double(frame) - place
                    let width = distance < 0 ? left : right
                    let window = width > 0 ? Float(0.5 + 0.5 * cos(.pi * distance / width)) : 1
                    for channel in 0..<channels {
                        let at = samples + ((frame + whole) * channels + channel)
                        var value = at[0]
                        if !isExact {
                            value = 0
                            for tap in 0..<FractionalDelay.taps { value += weights[tap] * at[(tap - 3) * channels] }
                        }
                        output[(frame - first) * channels + channel] += window * value
                    }
                }
            }
        }
    }

    /// Writes the sum up to a frame, and makes room.
    private mutating func write(_ target: UnsafeMutablePointer<Float>, to end: Int) {
        let count = (end - written) * channels
        guard count > 0 else { return }
        let start = written * channels
        output.withUnsafeMutableBufferPointer { output in
            guard let base = output.baseAddress else { return }
            (target + start).update(from: base, count: count)
            base.update(from: base + count, count: output.count - count)
            (base + (output.count - count)).update(repeating: 0, count: count)
        }
        written = end
    }
}

extension PitchShift {
    /// `process`, which takes and returns arrays and allocates.
    public mutating func process(_ samples: [Float]) -> [Float] {
        [Float](unsafeUninitializedCapacity: capacity(for: samples.count / channels) * channels) { target, written in
            written = samples.withUnsafeBufferPointer { process($0, into: target) } * channels
        }
    }

    /// `finish`, which returns an array and allocates.
    public mutating func finish() -> [Float] {
        [Float](unsafeUninitializedCapacity: capacity(for: 0) * channels) { target, written in
            written = finish(into: target) * channels
        }
    }
}

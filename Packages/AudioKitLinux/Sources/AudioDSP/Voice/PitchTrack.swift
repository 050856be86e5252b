// SPDX-License-Identifier: MIT

/// The periods of a voice over time, by normalised cross-correlation at about 4 kHz.
///
/// One value each 5 ms. Among the peaks the highest is taken; longer periods, and ones far from the one before, count a
/// little less, which keeps the octave. Allocates only when it is made.
struct PitchTrack: Sendable {
    /// The lowest and the highest fundamental that is found, in hertz.
    static let fundamentals = 70.0...600.0

    /// Frames from one value to the next.
    let hop: Int
    /// The longest period in frames.
    let longest: Int
    /// The frames before and after a value's own that it depends on.
    let reach: Int

    /// Frames to a sample of `low`.
    private let ratio: Int
    private let periods: ClosedRange<Int>
    private let window: Int
    /// The input below 2 kHz, a sample for each `ratio` frames; a ring.
    private var low: [Float]
    private var lowCount = 0
    /// A copy of the part of `low` that a value depends on.
    private var piece: [Float]
    private var likeness: [Float]
    /// The last values: the period in frames, 0 without a voice; a ring.
    private var values: [Double]
    private var count = 0

    init(sampleRate: Double) {
        ratio = max(1, Int(sampleRate / 4_000))
        hop = ratio * max(1, Int((sampleRate / 200 / Double(ratio)).rounded()))
        let rate = sampleRate / Double(ratio)
        periods =
            Int(rate / Self.fundamentals.upperBound)...Int((rate / Self.fundamentals.lowerBound).rounded(.up))
        window = periods.upperBound
        longest = periods.upperBound * ratio
        reach = (window + periods.upperBound + 6) / 2 * ratio + 2 * ratio
        low = [Float](repeating: 0, count: 1_024)
        piece = [Float](repeating: 0, count: window + periods.upperBound + 4)
        likeness = [Float](repeating: 0, count: periods.upperBound + 2)
        values = [Double](repeating: 0, count: 64)
    }

    mutating func reset() {
        for index in low.indices { low[index] = 0 }
        (lowCount, count) = (0, 0)
    }

    /// The period around a frame, in frames; nil without a voice.
    ///
    /// - Parameter frame: At most 300 ms before the last one of `extend`.
    func period(at frame: Int) -> Double? {
        let index = min(count - 1, max(0, (frame + hop / 2) / hop))
        guard index >= 0 else { return nil }
        let value = values[index % values.count]
        return value > 0 ? value : nil
    }

    /// Finds the values up to a frame.
    ///
    /// - Parameter mono: The input, of which as much as ``reach`` after that frame is there, and of which nothing is given
    ///   up that no call has passed by more than 20 ms.
    mutating func extend(to frame: Int, _ mono: UnsafePointer<Float>) {
        while count * hop <= frame {
            let center = count * hop / ratio
            while lowCount <= center + reach / ratio - 2 {
                // A triangle of two boxes.
                var sum: Float = 0
                for index in lowCount * ratio..<(lowCount + 1) * ratio { sum += mono[index] + mono[index - ratio] }
                low[lowCount % low.count] = sum / Float(2 * ratio)
                lowCount += 1
            }
            let before = count > 0 ? values[(count - 1) % values.count] : 0
            values[count % values.count] = value(at: center, before: before / Double(ratio)) * Double(ratio)
            count += 1
        }
    }

    /// The period at a place of `low`, in its samples; 0 without a voice.
    private mutating func value(at center: Int, before: Double) -> Double {
        let (window, periods) = (window, periods)
        let first = center - (window + periods.upperBound + 2) / 2
        for index in piece.indices {
            let place = first + index
            piece[index] = place < 0 ? 0 : low[place % low.count]
        }
        piece.withUnsafeBufferPointer { piece in
            guard let piece = piece.baseAddress else { return }
            likeness.withUnsafeMutableBufferPointer { likeness in
                for period in periods.lowerBound - 1...periods.upperBound + 1 {
                    let start = piece + (periods.upperBound + 2 - period) / 2
                    let energies = start.dot(start, window) * (start + period).dot(start + period, window)
                    // A root mean square below −80 dBFS is no voice.
                    let least = Float(window) * 1e-8
                    likeness[period] =
                        energies > least * least ? start.dot(start + period, window) / energies.squareRoot() : 0
                }
            }
        }
        var (best, most) = (0.0, -Double.infinity)
        for period in periods {
            let here = likeness[period]
            guard here > (before > 0 ? 0.5 : 0.6), here >= likeness[period - 1], here >= likeness[period + 1] else {
                continue
            }
            let offset = SlopeFit.offset(likeness[period - 1], here, likeness[period + 1])
            let exact = Double(period) + offset
            let height = Double(here) - 0.25 * offset * Double(likeness[period - 1] - likeness[period + 1])
            // Less for the period before than for the octave: a wrong octave must not hold itself.
            var score = height - 0.06 * Self.octaves(exact / Double(periods.lowerBound))
            if before > 0 { score -= 0.04 * min(1, abs(Self.octaves(exact / before))) }
            if score > most { (best, most) = (exact, score) }
        }
        return best
    }

    /// About the logarithm to the base 2, from the number's parts, monotonic and continuous.
    private static func octaves(_ factor: Double) -> Double { Double(factor.exponent) + factor.significand - 1 }
}

/// The place of a peak between samples.
enum SlopeFit {
    /// The offset, −0.5…0.5, of the peak of the parabola through three values of which the middle one is the highest.
    static func offset(_ before: Float, _ here: Float, _ after: Float) -> Double {
        let bend = Double(before) - 2 * Double(here) + Double(after)
        guard bend < 0 else { return 0 }
        return min(0.5, max(-0.5, 0.5 * (Double(before) - Double(after)) / bend))
    }
}

// SPDX-License-Identifier: MIT

/// The fundamental over time by YIN (A. de Cheveigné and H. Kawahara, JASA 111, 2002), written plainly.
public enum ReferencePitch {
    /// A value for each 20 ms; nil where there is no voice.
    ///
    /// - Parameters:
    ///   - sound: One channel.
    ///   - low: The lowest fundamental that is found, in hertz; the time grows with its square.
    ///   - high: The highest one.
    public static func track(
        _ sound: [Float], sampleRate: Double, from low: Double = 60, to high: Double = 1_000
    ) -> [Double?] {
        let (hop, longest) = (Int(sampleRate / 50), Int(sampleRate / low))
        let shortest = max(2, Int(sampleRate / high))
        guard sound.count > 2 * longest else { return [] }
        return sound.withUnsafeBufferPointer { sound in
            stride(from: 0, to: sound.count - longest, by: hop).map { center -> Double? in
                // A value is of the sound around its moment, whatever `low` is.
                guard center >= longest else { return nil }
                var start = center - longest / 2
                var energy = 0.0
                for index in start..<start + longest { energy += Double(sound[index] * sound[index]) }
                guard energy / Double(longest) > 1e-5 else { return nil }
                var difference = [1.0]
                var sum = 0.0
                for lag in 1...longest {
                    var value: Float = 0
                    start = center - (longest + lag) / 2
                    for index in start..<start + longest {
                        let change = sound[index] - sound[index + lag]
                        value += change * change
                    }
                    sum += Double(value)
                    difference.append(sum > 0 ? Double(value) * Double(lag) / sum : 1)
                }
                var lag = shortest
                // Above 0.1 the octave passes of a tone whose second harmonic is at a formant.
                while lag < longest, difference[lag] > 0.08 { lag += 1 }
                guard lag < longest else { return nil }
                while lag + 1 < longest, difference[lag + 1] < difference[lag] { lag += 1 }
                let (before, here, after) = (difference[lag - 1], difference[lag], difference[lag + 1])
                let bend = before - 2 * here + after
                return sampleRate / (Double(lag) + (bend > 0 ? 0.5 * (before - after) / bend : 0))
            }
        }
    }

    /// The median of the ratio of two tracks' values at the same moments, and the share of moments that are within 3% of
    /// it among those where both have a voice.
    ///
    /// - Parameters:
    ///   - rate: The speed of the second one as a factor of the first one's.
    ///   - early: Seconds by which the second one is early.
    public static func ratio(
        _ first: [Double?], _ second: [Double?], rate: Double = 1, early: Double = 0
    ) -> (median: Double, near: Double) {
        var ratios: [Double] = []
        for (index, value) in second.enumerated() {
            let place = Double(index) * rate + early / 0.02
            let (low, high) = (Int(place.rounded(.down)), Int(place.rounded(.up)))
            guard let value, low >= 0, high < first.count, let before = first[low], let after = first[high] else {
                continue
            }
            ratios.append(value / (before + (after - before) * (place - Double(low))))
        }
        guard !ratios.isEmpty else { return (0, 0) }
        let median = ratios.sorted()[ratios.count / 2]
        return (median, Double(ratios.count { abs($0 / median - 1) < 0.03 }) / Double(ratios.count))
    }
}

// SPDX-License-Identifier: MIT

/// Finds a known sound in a recording: computes the correlation for every delay at once, by FFT.
public enum CrossCorrelation {
    /// The best match.
    public struct Match: Sendable, Hashable {
        /// Frames from the start of the recording to the start of the sound, to a fraction of a frame.
        public let delay: Double
        /// The similarity at `delay`: 1 for the same waveform at any volume, 0 for nothing in common, negative when it
        /// is upside down. Above 0.5 in a quiet room; below about 0.2 it is chance.
        public let similarity: Double
        /// `similarity` over that of the next best delay further than `separation` frames away; 2 is certain.
        public let distinctness: Double
    }

    /// Finds `sound` in `recording` (mono, the same rate). Considers only delays at which the recording holds all of
    /// it. Nil when the recording is shorter, when either is silent, or when either holds a value that is not a finite
    /// number.
    ///
    /// Allocates and takes a time of n·log n: not for an audio thread. `separation` is the least distance between two
    /// distinct matches.
    public static func find(_ sound: [Float], in recording: [Float], separation: Int = 32) -> Match? {
        guard !sound.isEmpty, recording.count >= sound.count else { return nil }
        let places = recording.count - sound.count + 1
        let energy = sound.reduce(0.0) { $0 + Double($1) * Double($1) }
        let values = correlation(sound, recording, places)
        guard energy > 0, values.allSatisfy(\.isFinite) else { return nil }
        // The energy under the sound at each delay, as a running difference of sums in doubles.
        var sums = [0.0]
        sums.reserveCapacity(recording.count + 1)
        for sample in recording { sums.append(sums[sums.count - 1] + Double(sample) * Double(sample)) }
        guard let total = sums.last, total > 0, total.isFinite else { return nil }
        // A window 100 dB below the loudest one would only measure rounding.
        let least = 1e-10 * total
        let alike = (0..<places).map { place -> Double in
            let under = sums[place + sound.count] - sums[place]
            return under > least ? Double(values[place]) / (energy * under).squareRoot() : 0
        }
        guard let best = alike.indices.max(by: { abs(alike[$0]) < abs(alike[$1]) }) else { return nil }
        var other = 0.0
        for place in alike.indices where abs(place - best) > separation { other = max(other, abs(alike[place])) }
        return Match(
            delay: Double(best) + offset(alike, best), similarity: alike[best],
            distinctness: abs(alike[best]) / max(other, 1e-9))
    }

    /// Σ sound[n]·recording[n + k] for k in 0..<places.
    static func correlation(_ sound: [Float], _ recording: [Float], _ places: Int) -> [Float] {
        var size = 8
        while size < recording.count { size *= 2 }
        let plan = RealFFT(size: size)
        let a = plan.forward(sound + [Float](repeating: 0, count: size - sound.count))
        let b = plan.forward(recording + [Float](repeating: 0, count: size - recording.count))
        var (real, imaginary) = (a.real, a.imaginary)
        for bin in real.indices {
            real[bin] = a.real[bin] * b.real[bin] + a.imaginary[bin] * b.imaginary[bin]
            imaginary[bin] = a.real[bin] * b.imaginary[bin] - a.imaginary[bin] * b.real[bin]
        }
        return Array(plan.inverse(real: real, imaginary: imaginary).prefix(places))
    }

    /// The offset of the peak of the parabola through a value and its neighbours, −0.5…0.5.
    private static func offset(_ values: [Double], _ index: Int) -> Double {
        guard index > 0, index + 1 < values.count else { return 0 }
        let (before, here, after) = (values[index - 1], values[index], values[index + 1])
        let bend = before - 2 * here + after
        guard bend != 0 else { return 0 }
        return min(0.5, max(-0.5, 0.5 * (before - after) / bend))
    }
}

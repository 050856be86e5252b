// SPDX-License-Identifier: MIT

/// The places of a voice's periods, each found as where the waveform around the one before comes again.
enum PitchMarks {
    /// The place of the strongest sample in `range`, from which the marks of a voiced part begin.
    static func first(in range: Range<Int>, _ mono: UnsafePointer<Float>) -> Int {
        var best = range.lowerBound
        for frame in range where abs(mono[frame]) > abs(mono[best]) { best = frame }
        return best
    }

    /// The mark after `mark`, about `period` frames later; nil if the waveform does not come again.
    static func next(after mark: Double, period: Double, _ mono: UnsafePointer<Float>) -> Double? {
        let center = Int(mark.rounded())
        let half = max(4, Int(period * 0.5))
        let old = mono + (center - half)
        let oldEnergy = old.dot(old, 2 * half)
        guard oldEnergy > 1e-12 else { return nil }
        func likeness(_ lag: Int) -> Float {
            let new = old + lag
            let energy = new.dot(new, 2 * half)
            return energy > 1e-12 ? old.dot(new, 2 * half) / (oldEnergy * energy).squareRoot() : 0
        }
        let (low, high) = (max(2, Int(period * 0.8)), Int((period * 1.25).rounded(.up)))
        var (best, most) = (low, -Float.infinity)
        for lag in low...high {
            let value = likeness(lag)
            if value > most { (best, most) = (lag, value) }
        }
        guard most > 0.4 else { return nil }
        return mark + Double(best) + SlopeFit.offset(likeness(best - 1), most, likeness(best + 1))
    }
}

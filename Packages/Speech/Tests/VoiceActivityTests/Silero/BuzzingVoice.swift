// SPDX-License-Identifier: MIT

/// A buzz through three resonators, with pauses and hiss: near enough to a voice that the network wavers.
///
/// Scripts/bench.d/vad-set/reference.py computes the same samples, so nothing here may round differently.
enum BuzzingVoice {
    private static let vowels: [[(gain: Double, first: Double, second: Double)]] = [
        [(0.09, 1.86, -0.94), (0.12, 1.70, -0.93), (0.10, 0.98, -0.92)],
        [(0.02, 1.95, -0.965), (0.16, 1.16, -0.93), (0.14, 0.62, -0.92)],
        [(0.05, 1.91, -0.95), (0.07, 1.84, -0.945), (0.10, 0.98, -0.92)],
    ]

    /// The first `count` samples at 16 kHz, mono.
    static func samples(_ count: Int) -> [Float] {
        var noise: UInt32 = 12345
        var until = 0
        var state = [(Double, Double)](repeating: (0, 0), count: 3)
        return (0..<count).map { index in
            noise = noise &* 1_664_525 &+ 1_013_904_223
            let hiss = Double(noise >> 8) / 8_388_608 - 1
            let (syllable, inside) = index.quotientAndRemainder(dividingBy: 3200)
            let voiced = syllable % 4 != 3 && inside < 2600
            var pulse = 0.0
            if until == 0 {
                until = 120 + (index / 400) % 23
                pulse = voiced ? 1 : 0
            }
            until -= 1
            var value = pulse + hiss * (voiced ? 0.02 : 0.002)
            for (place, formant) in vowels[syllable % 3].enumerated() {
                value = formant.gain * value + formant.first * state[place].0 + formant.second * state[place].1
                state[place] = (value, state[place].0)
            }
            let scaled = value * 300_000 + hiss * 30
            return Float(max(-32768, min(32767, Int(scaled)))) / 32768
        }
    }
}

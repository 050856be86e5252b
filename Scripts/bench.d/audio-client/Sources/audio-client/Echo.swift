// SPDX-License-Identifier: MIT
import AudioKitLinux
import Foundation

/// What the SpeexDSP canceller takes away in a room that is known exactly, as time goes by.
enum Echo {
    private static let rate = 16_000.0
    private static let marks = [1, 2, 5, 8, 12, 20, 30]

    static func measure() throws {
        for drift in [0.0, 100] {
            for jitter in [0.0, 0.001] {
                var values = [("drift", drift), ("jitter", jitter * 1_000)]
                var sums = [Double](repeating: 0, count: marks.count)
                let seeds = 1...3 as ClosedRange<UInt64>
                for seed in seeds {
                    let found = try enhancement(drift: drift * 1e-6, jitter: jitter, seed: seed)
                    for index in sums.indices { sums[index] += found[index] / Double(seeds.count) }
                }
                for (mark, sum) in zip(marks, sums) { values.append(("at\(mark)", sum)) }
                Main.report(values)
            }
        }
    }

    /// Decibels over the second before each mark.
    private static func enhancement(drift: Double, jitter: Double, seed: UInt64) throws -> [Double] {
        var random = Random(state: seed)
        let far = babble(seconds: Double(marks[marks.count - 1]), &random)
        let near = echo(of: drift == 0 ? far : stretched(far, by: drift), &random)
        let canceller = try SpeexEchoCanceller(rate: Int(rate))
        let start = ContinuousClock.now + .seconds(10)
        func instant(_ seconds: Double) -> ContinuousClock.Instant {
            start + .nanoseconds(Int64((seconds + jitter * (random.unit() * 2 - 1)) * 1e9))
        }
        let piece = 320
        var told = 0
        var output: [Float] = []
        for first in stride(from: 0, to: near.count - piece + 1, by: piece) {
            while told < min(far.count, first + piece + 1_600) {
                let end = min(far.count, told + piece)
                try canceller.playing(
                    AudioBuffer(samples: Array(far[told..<end]), format: .speech),
                    audibleAt: instant(Double(told) / rate))
                told = end
            }
            let captured = CapturedBuffer(
                buffer: AudioBuffer(samples: Array(near[first..<first + piece]), format: .speech), position: first,
                capturedAt: instant(Double(first + piece - 1) / rate * (1 - drift)))
            if let cleaned = try canceller.cancel(captured) { output += cleaned.buffer.samples }
        }
        return marks.map { mark in
            let second = (mark - 1) * Int(rate)..<min(output.count, mark * Int(rate))
            return 10 * log10(power(near[second]) / max(1e-14, power(output[second])))
        }
    }

    private static func power(_ samples: some Collection<Float>) -> Double {
        samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
    }

    /// Something like speech: noise with a falling spectrum in syllables of a quarter of a second, one in five missing.
    private static func babble(seconds: Double, _ random: inout Random) -> [Float] {
        var low = 0.0
        var syllable = 0.0
        return (0..<Int(seconds * rate)).map { index in
            if index % 4_000 == 0 { syllable = random.unit() < 0.2 ? 0.1 : 0.3 + random.unit() }
            low += 0.4 * (random.unit() * 2 - 1 - low)
            return 0.6 * Float(low * syllable * pow(sin(.pi * Double(index % 4_000) / 4_000), 2))
        }
    }

    /// The direct sound after 3 ms and 24 reflections over 120 ms.
    private static func echo(of far: [Float], _ random: inout Random) -> [Float] {
        var output = [Float](repeating: 0, count: far.count)
        for number in 0..<25 {
            let later = number == 0 ? 0 : Int(random.unit() * 1_920)
            let decay = exp(-6.9 * Double(later) / 3_200) * (number == 0 ? 0.5 : 0.3 * (random.unit() * 2 - 1))
            for index in (48 + later)..<output.count { output[index] += Float(decay) * far[index - 48 - later] }
        }
        // A quiet room.
        return output.map { $0 + Float(random.unit() - 0.5) * 0.0001 }
    }

    /// `signal` as a device hears it whose clock is faster by `drift`.
    private static func stretched(_ signal: [Float], by drift: Double) -> [Float] {
        (0..<signal.count).map { index in
            let place = Double(index) * (1 - drift)
            let whole = Int(place)
            let fraction = place - Double(whole)
            guard fraction > 1e-9 else { return signal[whole] }
            let sine = sin(.pi * fraction) / .pi
            var sum = 0.0
            for tap in max(0, whole - 23)...min(signal.count - 1, whole + 24) {
                let x = place - Double(tap)
                let window = 1 - x * x / 625
                sum += Double(signal[tap]) * window * window * ((tap - whole) & 1 == 0 ? sine : -sine) / x
            }
            return Float(sum)
        }
    }

    private struct Random {
        var state: UInt64

        /// 0 ..< 1.
        mutating func unit() -> Double {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
        }
    }
}

// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import Foundation
import TestKit

/// A loudspeaker and a microphone in a room that is known exactly: sparse reflections that decay exponentially.
struct SyntheticRoom {
    let rate = 16_000
    /// The direct sound's delay, in frames.
    var delay = 48
    /// By how much the microphone's clock is faster than the loudspeaker's, in parts per million.
    var drift = 0.0
    /// Where the echo path becomes longer by `step` frames; never by default.
    var change: (frame: Int, step: Int)?

    /// The direct sound and 24 reflections over 120 ms, 60 dB down after 200 ms.
    private var taps: [(delay: Int, gain: Float)] {
        var generator = SeededGenerator(seed: 7)
        return (0..<25).map { number in
            let later = number == 0 ? 0 : Int(generator.unit() * 1_920)
            let decay = exp(-6.9 * Double(later) / 3_200) * (number == 0 ? 0.5 : 0.3)
            return (later, Float(number == 0 ? decay : decay * (generator.unit() * 2 - 1)))
        }
    }

    /// The impulse response.
    var response: [Float] {
        var response = [Float](repeating: 0, count: delay + 1_920)
        for (later, gain) in taps { response[delay + later] += gain }
        return response
    }

    /// What the microphone hears of `far`.
    func echo(of far: [Float]) -> [Float] {
        let heard = drift == 0 ? far : Self.drifted(far, by: drift * 1e-6)
        var output = [Float](repeating: 0, count: heard.count)
        heard.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                for (later, gain) in taps {
                    var index = delay + later
                    var from = 0
                    while index < output.count {
                        if let change, index == change.frame { from -= change.step }
                        if from >= 0 { output[index] += gain * input[from] }
                        index += 1
                        from += 1
                    }
                }
            }
        }
        return output
    }

    /// `signal` as a device hears it whose clock is faster by `drift`: an exact windowed sinc, slow on purpose.
    static func drifted(_ signal: [Float], by drift: Double) -> [Float] {
        let count = signal.count
        return signal.withUnsafeBufferPointer { input in
            (0..<count).map { index in
                let place = Double(index) * (1 - drift)
                let whole = Int(place.rounded(.down))
                let fraction = place - Double(whole)
                guard fraction > 1e-9 else { return input[min(whole, count - 1)] }
                // The sines of all taps differ in their sign only.
                let sine = sin(.pi * fraction) / .pi
                var sum = 0.0
                var tap = max(0, whole - 23)
                while tap <= min(count - 1, whole + 24) {
                    let x = place - Double(tap)
                    let window = 1 - x * x / 625
                    sum += Double(input[tap]) * window * window * ((tap - whole) & 1 == 0 ? sine : -sine) / x
                    tap += 1
                }
                return Float(sum)
            }
        }
    }

    /// Something like speech: noise with a falling spectrum in syllables of a quarter of a second, with pauses.
    static func babble(seconds: Double, seed: UInt64, level: Float = 0.2) -> [Float] {
        var generator = SeededGenerator(seed: seed)
        var low = 0.0
        var syllable = 0.0
        return (0..<Int(seconds * 16_000)).map { index in
            if index % 4_000 == 0 { syllable = generator.unit() < 0.2 ? 0 : 0.3 + generator.unit() }
            low += 0.4 * (generator.unit() * 2 - 1 - low)
            return level * Float(low * syllable * pow(sin(.pi * Double(index % 4_000) / 4_000), 2) * 3)
        }
    }

    /// Even noise.
    static func noise(frames: Int, level: Float, seed: UInt64) -> [Float] {
        var generator = SeededGenerator(seed: seed)
        return (0..<frames).map { _ in level * Float(generator.unit() * 2 - 1) }
    }
}

/// Feeds a canceller with both ends as devices would deliver them.
struct EchoRun {
    var drift = 0.0
    /// By how much the instants of both devices are off, at most, to either side.
    var jitter = 0.0
    /// How long before it is heard the far end is told.
    var ahead = 1_600
    var piece = 320
    private let start = ContinuousClock.now

    init(drift: Double = 0, jitter: Double = 0, ahead: Int = 1_600, piece: Int = 320) {
        (self.drift, self.jitter, self.ahead, self.piece) = (drift, jitter, ahead, piece)
    }

    /// The output, from the first frame on; `each` sees the report after every piece.
    func run(
        near: [Float], far: [Float], through processor: VoiceProcessor, each: (Int, EchoReport?) -> Void = { _, _ in }
    ) throws -> [Float] {
        var generator = SeededGenerator(seed: 3)
        var told = 0
        var output: [Float] = []
        for first in stride(from: 0, to: near.count - piece + 1, by: piece) {
            while told < min(far.count, first + piece + ahead) {
                let end = min(far.count, told + piece)
                try processor.playing(
                    AudioBuffer(samples: Array(far[told..<end]), format: .speech),
                    audibleAt: instant(Double(told) / 16_000, &generator))
                told = end
            }
            // Its seconds are shorter when the microphone is faster.
            let last = Double(first + piece - 1) / 16_000 * (1 - drift * 1e-6)
            let captured = CapturedBuffer(
                buffer: AudioBuffer(samples: Array(near[first..<first + piece]), format: .speech), position: first,
                capturedAt: instant(last, &generator))
            if let cleaned = try processor.process(captured) { output += cleaned.buffer.samples }
            each(first, processor.canceller?.report)
        }
        return output
    }

    func instant(_ seconds: Double, _ generator: inout SeededGenerator) -> ContinuousClock.Instant {
        start + .nanoseconds(Int64((seconds + 10 + jitter * (generator.unit() * 2 - 1)) * 1e9))
    }
}

/// The mean power in decibels.
func decibels(_ samples: some Collection<Float>) -> Double {
    let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return 10 * logarithm(max(1e-14, sum / Double(max(1, samples.count))))
}

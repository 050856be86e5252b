// SPDX-License-Identifier: MIT

import AudioDSP
import Glibc
import TestKit
import Testing

@Suite("Log-mel")
struct LogMelTests {
    @Test("the scales have their known points, and go back")
    func scales() {
        #expect(abs(MelScale.htk.mel(hertz: 1_000) - 999.9856) < 1e-3)
        #expect(MelScale.slaney.mel(hertz: 1_000) == 15)
        #expect(abs(MelScale.slaney.mel(hertz: 6_400) - 42) < 1e-9)
        for scale in MelScale.allCases {
            for hertz in stride(from: 0.0, through: 24_000, by: 371) {
                #expect(abs(scale.hertz(mel: scale.mel(hertz: hertz)) - hertz) < 1e-6)
            }
        }
    }

    /// Values of librosa's documented formula, computed apart.
    @Test("the bank is librosa's", arguments: [80, 128])
    func bank(_ bands: Int) {
        let bank = MelFilterBank(bands: bands, sampleRate: 16_000, fftSize: 400)
        let matrix = bank.matrix
        #expect(matrix.count == bands * 201)
        for (row, bin, value) in Self.known[bands] ?? [] {
            #expect(abs(matrix[row * 201 + bin] - value) < 1e-7, "band \(row), bin \(bin)")
        }
    }

    private static let known: [Int: [(row: Int, bin: Int, value: Float)]] = [
        80: [
            (0, 1, 0.024862594), (0, 2, 0), (1, 1, 0.00199082189), (1, 2, 0.0228717721), (1, 3, 0),
            (7, 7, 0.0139357532), (7, 8, 0.0109268408), (40, 42, 0.0054111051), (40, 44, 0.00651818969),
            (78, 179, 0.0003849812), (78, 192, 0.000225250106), (79, 186, 0.00036674168), (79, 199, 0.000448759028),
        ],
        128: [
            (0, 1, 0.0123739863), (0, 2, 0), (1, 1, 0.0303925649), (7, 5, 0.0191033805), (64, 42, 0.0067496827),
            (64, 43, 0.0180915176), (126, 187, 0.00114698059), (127, 199, 0.0011142802), (127, 200, 0),
        ],
    ]

    @Test("sums are those of the whole matrix", arguments: MelScale.allCases)
    func sums(_ scale: MelScale) {
        var random = SeededGenerator(seed: 3)
        let bank = MelFilterBank(
            bands: 40, sampleRate: 48_000, fftSize: 1_024, scale: scale, frequencies: 50...20_000, isNormalized: false)
        let power = random.samples(513).map(abs)
        let matrix = bank.matrix
        #expect(matrix.allSatisfy { (0...1).contains($0) })
        var result = [Float](repeating: 0, count: 40)
        power.withUnsafeBufferPointer { power in
            result.withUnsafeMutableBufferPointer { bank.apply(power, into: $0) }
        }
        for band in 0..<40 {
            let exact = (0..<513).reduce(0.0) { $0 + Double(matrix[band * 513 + $1]) * Double(power[$1]) }
            #expect(abs(Double(result[band]) - exact) < 1e-4 * max(1, exact))
        }
    }

    @Test("a spectrogram is that of the documented front end, in doubles")
    func whisper() {
        // A tone over noise; 0.1 s.
        var random = SeededGenerator(seed: 5)
        let noise = random.samples(1_600)
        let signal = noise.indices.map { 0.3 * sinf(2 * .pi * 440 * Float($0) / 16_000) + 0.001 * noise[$0] }
        let plan = LogMel.whisper()
        let found = plan.spectrogram(signal)
        #expect(found.count == 10 * 80)
        let matrix = plan.filters.matrix
        var logs: [Double] = []
        for frame in [0, 1, 9] {
            let power = (0...200).map { bin in
                var (real, imaginary) = (0.0, 0.0)
                for time in 0..<400 {
                    var index = frame * 160 + time - 200
                    if index < 0 { index = -index }
                    if index >= 1_600 { index = 2 * 1_599 - index }
                    let weighed = Double(signal[index]) * (0.5 - 0.5 * cos(2 * .pi * Double(time) / 400))
                    real += weighed * cos(2 * .pi * Double(bin * time % 400) / 400)
                    imaginary -= weighed * sin(2 * .pi * Double(bin * time % 400) / 400)
                }
                return real * real + imaginary * imaginary
            }
            for band in 0..<80 {
                logs.append(log10(max(1e-10, (0...200).reduce(0) { $0 + Double(matrix[band * 201 + $1]) * power[$1] })))
            }
        }
        for (row, frame) in [0, 1, 9].enumerated() {
            for band in 0..<80 {
                let exact = (logs[row * 80 + band] + 4) / 4
                #expect(abs(Double(found[frame * 80 + band]) - exact) < 1e-4, "frame \(frame), band \(band)")
            }
        }
    }

    @Test("silence and what is not a number are at the floor, and too short a signal has no frames")
    func edges() {
        let plan = LogMel.whisper(bands: 128)
        #expect(plan.spectrogram([]).isEmpty && plan.spectrogram([Float](repeating: 0, count: 200)).isEmpty)
        #expect(plan.spectrogram([Float](repeating: 0, count: 400)).allSatisfy { $0 == -1.5 })
        #expect(plan.spectrogram([Float](repeating: .nan, count: 400)).allSatisfy { $0 == -1.5 })
    }
}

// SPDX-License-Identifier: MIT

import AudioDSP
import Glibc
import TestKit
import Testing

/// A kernel that changes a voice, for tests of what both promise.
private protocol VoiceKernel {
    var latency: Int { get }
    func capacity(for frames: Int) -> Int
    mutating func process(_ samples: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) -> Int
    mutating func process(_ samples: [Float]) -> [Float]
    mutating func finish() -> [Float]
}

extension TimeStretch: VoiceKernel {}
extension PitchShift: VoiceKernel {}

extension VoiceKernel {
    fileprivate mutating func whole(_ samples: [Float]) -> [Float] { process(samples) + finish() }
}

@Suite struct VoiceShapeTests {
    private static let factors = [0.5, 0.71, 0.9, 1.0, 1.13, 1.5, 2.0]

    private static func kernels(
        _ factor: Double, _ sampleRate: Double, channels: Int = 1
    ) throws -> [any VoiceKernel] {
        [
            try TimeStretch(rate: factor, sampleRate: sampleRate, channels: channels),
            try PitchShift(factor: factor, sampleRate: sampleRate, channels: channels),
        ]
    }

    @Test(arguments: [-1, 0, 0.49, 2.01, .nan, .infinity] as [Double])
    func `a factor outside its range is refused`(_ factor: Double) {
        #expect { try TimeStretch(rate: factor, sampleRate: 16_000) } throws: {
            ($0 as? AudioDSPError)?.code == .factor && "\($0)".contains("0.5 to 2.0")
        }
        #expect { try PitchShift(factor: factor, sampleRate: 16_000) } throws: {
            ($0 as? AudioDSPError)?.code == .factor
        }
        #expect { try PitchShift(semitones: 13, sampleRate: 16_000) } throws: {
            ($0 as? AudioDSPError)?.code == .factor
        }
    }

    @Test(arguments: [(0, 1), (7_999, 1), (.nan, 1), (400_000, 1), (16_000, 0), (16_000, 33)] as [(Double, Int)])
    func `a format that is no voice's is refused`(_ sampleRate: Double, _ channels: Int) {
        #expect { try TimeStretch(rate: 1, sampleRate: sampleRate, channels: channels) } throws: {
            ($0 as? AudioDSPError)?.code == .format
        }
        #expect { try PitchShift(factor: 1, sampleRate: sampleRate, channels: channels) } throws: {
            ($0 as? AudioDSPError)?.code == .format
        }
    }

    @Test(arguments: factors, [8_000.0, 16_000, 22_050, 48_000])
    func `the number of frames is exact`(_ factor: Double, _ sampleRate: Double) throws {
        var random = SeededGenerator(seed: 31)
        for count in [0, 1, 2, 79, 1_000, 4_801, 20_000] {
            let sound = random.samples(count)
            var stretch = try TimeStretch(rate: factor, sampleRate: sampleRate)
            #expect(stretch.whole(sound).count == Int((Double(count) / factor).rounded()))
            var shift = try PitchShift(factor: factor, sampleRate: sampleRate)
            #expect(shift.whole(sound).count == count)
        }
    }

    @Test(arguments: factors, 1...3)
    func `the cuts of a stream change nothing`(_ factor: Double, _ channels: Int) throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let sampleRate = [8_000.0, 16_000, 22_050, 24_000][Int(random.next() % 4)]
            let mono = SyntheticVoice.phrase(sampleRate: sampleRate, seed: seed)
            let sound = mono.flatMap { sample in (1...channels).map { sample / Float($0) } }
            for var kernel in try Self.kernels(factor, sampleRate, channels: channels) {
                let whole = kernel.whole(sound)
                // The kernel is at the start of a stream again.
                var (pieces, place) = ([Float](), 0)
                while place < mono.count {
                    let longest = [3, 90, 900, 9_000][Int(random.next() % 4)] as UInt64
                    let length = min(mono.count - place, Int(random.next() % longest))
                    let piece = kernel.process(Array(sound[place * channels..<(place + length) * channels]))
                    #expect(piece.count / channels <= kernel.capacity(for: length))
                    pieces += piece
                    place += length
                    let held = factor == 1 ? 0 : kernel.latency
                    let least = kernel is TimeStretch ? Double(place - held) / factor : Double(place - held)
                    #expect(Double(pieces.count / channels) >= least.rounded(.down) - 1)
                }
                pieces += kernel.finish()
                #expect(pieces == whole, "seed \(seed), \(type(of: kernel)), \(sampleRate)")
            }
        }
    }

    @Test(arguments: [1, 2]) func `a factor of 1 passes samples as they are`(_ channels: Int) throws {
        var random = SeededGenerator(seed: 9)
        let sound = random.samples(6_000)
        for var kernel in try Self.kernels(1, 16_000, channels: channels) {
            #expect(kernel.latency == 0 && kernel.process(sound) == sound && kernel.finish().isEmpty)
        }
    }

    @Test(arguments: factors) func `silence stays silence`(_ factor: Double) throws {
        for var kernel in try Self.kernels(factor, 16_000) {
            let result = kernel.whole([Float](repeating: 0, count: 30_000))
            #expect(!result.isEmpty && result.allSatisfy { $0 == 0 })
        }
    }

    @Test(arguments: factors) func `wild values stay bounded`(_ factor: Double) throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let wild = random.wildSamples(9_000).map { abs($0) > 2 && $0.isFinite ? 2 : $0 }
            for var kernel in try Self.kernels(factor, 16_000) {
                let result = kernel.whole(wild)
                #expect(result.allSatisfy { abs($0) <= 5 }, "seed \(seed)")
                // The largest numbers that there are may not stop it.
                #expect(kernel.whole(random.wildSamples(9_000)).count == result.count, "seed \(seed)")
                // Nothing of it is left for the next stream.
                let voice = SyntheticVoice.phrase(sampleRate: 16_000)
                var fresh = try Self.kernels(factor, 16_000)[kernel is TimeStretch ? 0 : 1]
                #expect(kernel.whole(voice) == fresh.whole(voice), "seed \(seed)")
            }
        }
    }

    @Test func `channels are changed together`() throws {
        let voice = SyntheticVoice.phrase(sampleRate: 16_000)
        for (index, var kernel) in try Self.kernels(1.3, 16_000, channels: 2).enumerated() {
            var single = try Self.kernels(1.3, 16_000)[index]
            let mono = single.whole(voice)
            let stereo = kernel.whole(voice.flatMap { [$0, -0.5 * $0] })
            // The sum is half the voice, so the same places are found.
            let left = stride(from: 0, to: stereo.count, by: 2).map { stereo[$0] }
            let right = stride(from: 1, to: stereo.count, by: 2).map { stereo[$0] }
            #expect(zip(left, right).allSatisfy { $1 == -0.5 * $0 })
            #expect(zip(left, mono).allSatisfy { abs($0 - $1) < 1e-4 })
        }
    }
}

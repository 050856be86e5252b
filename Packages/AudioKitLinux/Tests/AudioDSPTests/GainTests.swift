// SPDX-License-Identifier: MIT

import AudioDSP
import Glibc
import TestKit
import Testing

@Suite("Gain, ramps and levels")
struct GainTests {
    @Test("gain, mix, clip and level are their scalar forms", arguments: [0, 1, 3, 4, 7, 8, 9, 17, 64, 513, 1_030])
    func oracle(_ count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        for start in 0...2 {
            let (a, b) = (random.wildSamples(count + start), random.wildSamples(count + start))
            var (gained, mixed, clipped) = (a, a, a)
            gained.withUnsafeMutableBufferPointer { Gain.apply(0.3, to: .init(rebasing: $0[start...])) }
            clipped.withUnsafeMutableBufferPointer { Gain.clip(.init(rebasing: $0[start...]), limit: 0.8) }
            b.withUnsafeBufferPointer { b in
                mixed.withUnsafeMutableBufferPointer {
                    Gain.mix(.init(rebasing: b[start...]), gain: 0.7, into: .init(rebasing: $0[start...]))
                }
            }
            for index in start..<count + start {
                #expect(isSame(gained[index], a[index] * 0.3))
                #expect(isSame(mixed[index], a[index] + b[index] * 0.7))
                #expect(clipped[index] == (a[index].isNaN ? 0 : min(max(a[index], -0.8), 0.8)))
            }
            let finite = a.map { abs($0) > 2 ? 2 : $0 }
            let level = finite.withUnsafeBufferPointer { SampleLevel(of: .init(rebasing: $0[start...])) }
            let numbers = finite[start...].filter { !$0.isNaN }
            #expect(level.count == numbers.count)
            #expect(level.peak == (numbers.map(abs).max() ?? 0))
            #expect(level.clipped == numbers.count { abs($0) >= 32_767.0 / 32_768.0 })
            let exact = numbers.reduce(0.0) { $0 + Double($1) * Double($1) }
            #expect(abs(level.sumOfSquares - exact) <= 1e-6 * exact + 1e-30)
        }
    }

    @Test("a ramp is its formula however it is cut", arguments: GainRamp.Curve.allCases, 1...3)
    func ramp(_ curve: GainRamp.Curve, _ channels: Int) {
        for (start, end) in [(Float(0), Float(1)), (1, 0), (0.25, 2), (1, 1)] {
            let expected = (0..<60).map { frame -> Float in
                let way = min(1, Double(frame) / 37)
                switch curve {
                case .linear: return Float(Double(start) + (Double(end) - Double(start)) * way)
                case .equalPower:
                    let share = pow(sin(.pi / 2 * way), 2)
                    return Float((Double(start * start) * (1 - share) + Double(end * end) * share).squareRoot())
                }
            }
            for cut in [60, 1, 7, 37] {
                var ramp = GainRamp(from: start, to: end, frames: 37, curve: curve)
                #expect(ramp.gain == start)
                var found: [Float] = []
                for first in stride(from: 0, to: 60, by: cut) {
                    var piece = [Float](repeating: 1, count: min(cut, 60 - first) * channels)
                    piece.withUnsafeMutableBufferPointer { ramp.apply(to: $0, channels: channels) }
                    found += piece
                }
                #expect(ramp.isFinished && ramp.gain == end)
                for (index, value) in found.enumerated() {
                    let wanted = expected[index / channels]
                    #expect(
                        abs(value - wanted) < (curve == .linear ? 1e-6 : 3e-3), "\(cut) \(index) \(value) \(wanted)")
                    #expect(curve == .linear || abs(value * value - wanted * wanted) < 2e-5)
                }
            }
        }
    }

    @Test("no way at all is the end at once")
    func noWay() {
        var ramp = GainRamp(from: 0, to: 0.5, frames: 0)
        var samples: [Float] = [1, 1]
        samples.withUnsafeMutableBufferPointer { ramp.apply(to: $0) }
        #expect(samples == [0.5, 0.5])
    }
}

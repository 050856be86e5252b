// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import TestKit
import Testing

@Suite struct JitterBufferTests {
    private func packet(_ number: Int) -> [Float] { (0..<320).map { Float(number * 320 + $0 + 1) * 1e-6 } }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func everythingThatComesInTimeGoesOutInOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var buffer = JitterBuffer(format: .speech, least: .milliseconds(80), most: .seconds(2))
        var arrivals = (0..<100).map { ($0, Double($0) * 0.02 + Double.random(in: 0...0.03, using: &random)) }
        arrivals.sort { $0.1 < $1.1 }
        var output: [Float] = []
        var index = 0
        for tick in 0..<130 {
            while index < 100, arrivals[index].1 <= Double(tick) * 0.02 {
                buffer.insert(
                    packet(arrivals[index].0), frame: arrivals[index].0 * 320, at: .seconds(arrivals[index].1))
                index += 1
            }
            let piece = buffer.take(320)
            #expect(piece.count == 320)
            output += piece
        }
        #expect(buffer.statistics.late == 0 && buffer.statistics.early == 0)
        let sound = Array(output.drop { $0 == 0 })
        #expect(difference(sound.prefix(32_000), (0..<100).flatMap(packet)) == nil, "seed \(seed)")
    }

    @Test func whatIsMissingGoesDownToSilence() {
        var buffer = JitterBuffer(format: .speech, least: .milliseconds(20))
        let loud = [Float](repeating: 0.5, count: 320)
        buffer.insert(loud, frame: 0, at: .zero)
        buffer.insert(loud, frame: 640, at: .milliseconds(40))
        #expect(buffer.take(320).allSatisfy { $0 == 0.5 })
        let hole = buffer.take(320)
        #expect(hole[0] > 0.49 && hole[159] < 0.01 && hole[160...].allSatisfy { $0 == 0 })
        for (one, next) in zip(hole, hole.dropFirst()) { #expect(next <= one) }
        let back = buffer.take(320)
        #expect(back[0] < 0.1 && back[31] == 0.5 && back[319] == 0.5)
        #expect(buffer.statistics.concealed == 320)
        // Too late, twice, and much too early.
        buffer.insert(loud, frame: 320, at: .milliseconds(70))
        #expect(buffer.statistics.late == 1)
        buffer.insert(loud, frame: 960, at: .milliseconds(70))
        buffer.insert(loud, frame: 960, at: .milliseconds(71))
        #expect(buffer.statistics.doubled == 1)
        buffer.insert(loud, frame: 960 + 16_000, at: .milliseconds(72))
        #expect(buffer.statistics.early == 1)
    }

    @Test func `a peer's frame numbers may be any`() {
        var buffer = JitterBuffer(format: .speech)
        buffer.insert([0.5], frame: .max, at: .zero)
        buffer.insert([0.5], frame: .min, at: .zero)
        #expect(buffer.statistics.early == 2 && buffer.waiting == 0)
        buffer.insert([0.5], frame: 0, at: .zero)
        buffer.insert([0.5], frame: 1 << 60, at: .zero)
        buffer.insert([0.5], frame: -(1 << 60), at: .seconds(Int64.max))
        #expect(buffer.depth == buffer.limits.upperBound)
        #expect(buffer.take(10).count == 10)
    }

    @Test func theDepthFollowsTheJitter() {
        var calm = JitterBuffer(format: .speech)
        var wild = JitterBuffer(format: .speech)
        for number in 0..<100 {
            let time = Duration.milliseconds(20 * number)
            calm.insert(packet(number), frame: number * 320, at: time)
            wild.insert(packet(number), frame: number * 320, at: time + .milliseconds(number % 2 * 40))
            _ = (calm.take(320), wild.take(320))
        }
        #expect(calm.depth == 320)
        #expect(wild.depth > 1_600 && wild.depth <= 8_000)
    }
}

// SPDX-License-Identifier: MIT

import TestKit
import Testing

@testable import Echo

@Suite("What was heard")
struct HeardAudioTests {
    private let part = HeardAudio.Part(itemID: "a")
    private let other = HeardAudio.Part(itemID: "b")

    @Test("Exact to a frame, whatever lies in the device")
    func exact() {
        var heard = HeardAudio()
        heard.receive(48_000, of: part)
        heard.wrote(24_000, of: part, from: 0)
        heard.measured(delay: 480)
        #expect(heard.heard(part) == 23_520)
        #expect(heard.cut(part) == .truncate(part, audioEnd: 980))
    }

    @Test("Never more than was received, and all of it needs no cut")
    func clamped() {
        var heard = HeardAudio()
        heard.receive(2_400, of: part)
        // A device that rounds up to its period plays silence that counts as the answer's.
        heard.wrote(2_880, of: part, from: 0)
        heard.measured(delay: 0)
        #expect(heard.heard(part) == 2_400)
        #expect(heard.cut(part) == .nothing)
        #expect(heard.cut(part, isWhole: false) != .nothing)
    }

    @Test("Nothing heard is a deletion, and less than a millisecond is one")
    func never0() {
        var heard = HeardAudio()
        heard.receive(24_000, of: part)
        #expect(heard.cut(part) == .delete(itemID: "a"))
        heard.wrote(24_000, of: part, from: 0)
        heard.measured(delay: 24_000)
        #expect(heard.cut(part) == .delete(itemID: "a"))
        heard.measured(delay: 23_999)
        #expect(heard.cut(part) == .truncate(part, audioEnd: 1))
    }

    @Test("What was heard is not taken back by a delay that grows")
    func monotonic() {
        var heard = HeardAudio()
        heard.receive(24_000, of: part)
        heard.wrote(12_000, of: part, from: 0)
        heard.measured(delay: 2_000)
        heard.measured(delay: 6_000)
        heard.measured(delay: -3)
        #expect(heard.heard(part) == 12_000)
    }

    @Test("What is dropped from the device can be written again, from the frame where it stopped")
    func resumes() {
        var heard = HeardAudio()
        heard.receive(20_000, of: part)
        heard.receive(5_000, of: other)
        heard.wrote(10_000, of: part, from: 0)
        heard.wrote(10_000, of: part, from: 10_000)
        heard.wrote(1_000, of: other, from: 0)
        heard.measured(delay: 6_000)
        let unheard = heard.dropped()
        #expect(unheard.map(\.part) == [part, other])
        #expect(unheard.map(\.offset) == [15_000, 0])
        #expect(unheard.map(\.count) == [5_000, 1_000])
        heard.measured(delay: 0)
        #expect(heard.heard(part) == 15_000)
        #expect(heard.heard(other) == 0)
        heard.wrote(5_000, of: part, from: 15_000)
        heard.measured(delay: 1_000)
        #expect(heard.heard(part) == 19_000)
    }

    /// The oracle keeps every frame that was ever written in a list, which is what the device has.
    @Test(
        "Any order of receiving, writing, playing and dropping, against a list of frames",
        arguments: 0..<20 as Range<UInt64>)
    func property(part seedPart: UInt64) throws {
        for seed in 0..<RealtimeSeeds.count(400) / 20 {
            var random = SeededGenerator(seed: seedPart << 32 + seed)
            var ledger = HeardAudio(rate: 1_000)
            var device: [(part: Int, place: Int)] = []
            var played = 0
            var received = [0, 0, 0]
            var next = [0, 0, 0]
            var heard = [0, 0, 0]
            let parts = (0..<3).map { HeardAudio.Part(itemID: "\($0)") }
            for _ in 0..<80 {
                let index = Int.random(in: 0..<3, using: &random)
                let frames = Int.random(in: 0..<40, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    ledger.receive(frames, of: parts[index])
                    received[index] += frames
                case 1, 2:
                    let count = min(frames, received[index] - next[index])
                    ledger.wrote(count, of: parts[index], from: next[index])
                    device += (0..<max(count, 0)).map { (index, next[index] + $0) }
                    next[index] += max(count, 0)
                case 3:
                    let delay = Int.random(in: 0...max(device.count - played, 0), using: &random)
                    ledger.measured(delay: delay)
                    for place in played..<max(device.count - delay, played) {
                        let frame = device[place]
                        heard[frame.part] = max(heard[frame.part], frame.place + 1)
                    }
                    played = max(played, device.count - delay)
                default:
                    let expected = device[played...]
                    let unheard = ledger.dropped().flatMap { span in
                        (0..<span.count).map { (Int(span.part.itemID) ?? -1, span.offset + $0) }
                    }
                    try #require(unheard.map(\.0) == expected.map(\.part) && unheard.map(\.1) == expected.map(\.place))
                    device.removeSubrange(played...)
                    for frame in expected { next[frame.part] = min(next[frame.part], frame.place) }
                }
                for index in 0..<3 { try #require(ledger.heard(parts[index]) == heard[index], "seed \(seed)") }
                try #require(ledger.written == device.count)
            }
        }
    }
}

// SPDX-License-Identifier: MIT

import Foundation
import TestKit
import Testing

@testable import AudioKitLinux

/// The rings between two threads, used as the capture and the playback thread use them. `Scripts/soak rings` runs this for
/// longer under the thread sanitizer. What finds an index that is published before its frames is the comparison of each frame;
/// a store that is relaxed and in its place is forgiven by this processor, and the sanitizer does not tell in a debug build.
@Suite("Rings under two threads", .serialized)
struct RingSoakTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["PARLEY_RING_SEED"].flatMap { UInt64($0) } ?? 1
    /// Pieces that each side moves.
    private static let pieces = (environment["PARLEY_RING_ROUNDS"].flatMap { Int($0) } ?? 1) * 20_000

    /// What a side has done and found.
    private struct Count {
        var operations = 0
        var frames = 0
        var lost = 0
        var wrong = 0
    }

    /// A value that says whose it is; exact as a float.
    private static func sample(_ frame: Int, _ channel: Int) -> Float {
        Float((UInt64(bitPattern: Int64(frame)) &* 0x9E37_79B9_7F4A_7C15 >> 44) ^ UInt64(channel))
    }

    @Test("captured sound and its marks: each piece arrives whole, or its place is known")
    func capture() async {
        let samples = SPSCRing<Float>(capacity: 1_000, stride: 2, zero: -1, startingAt: Int.max - 5_000)
        let marks = SPSCRing<CaptureMark>(capacity: 64, zero: CaptureMark())
        async let sent = onThread { () -> Count in
            var random = SeededGenerator(seed: Self.seed)
            var count = Count()
            for _ in 0..<Self.pieces {
                let frames = Int.random(in: 1...200, using: &random)
                count.operations += 1
                // Most wait as a patient device does; the others are lost as a microphone's are.
                let waits = Int.random(in: 0..<4, using: &random) > 0
                while waits, samples.room < frames || marks.room < 8 { sched_yield() }
                guard samples.room >= frames, marks.room >= 8 else {
                    count.lost += frames
                    continue
                }
                let position = count.frames + count.lost
                _ = samples.fill(frames) { target, part, offset in
                    for frame in 0..<part {
                        for channel in 0..<2 {
                            target[frame * 2 + channel] = Self.sample(position + offset + frame, channel)
                        }
                    }
                }
                marks.push(CaptureMark(position: position, frames: frames, time: Int64(position)))
                count.frames += frames
            }
            while marks.room == 0 { sched_yield() }
            marks.push(CaptureMark(kind: .end, position: count.frames + count.lost))
            return count
        }
        async let received = onThread { () -> Count in
            var count = Count()
            var expected = 0
            var target = [Float](repeating: 0, count: 400)
            while true {
                guard let mark = marks.pop() else {
                    sched_yield()
                    continue
                }
                count.operations += 1
                count.lost += mark.position - expected
                expected = mark.position + mark.frames
                if mark.kind == .end { return count }
                let got = target.withUnsafeMutableBufferPointer { buffer in
                    buffer.baseAddress.map { samples.read($0, frames: mark.frames) } ?? 0
                }
                if got != mark.frames || mark.time != Int64(mark.position) { count.wrong += 1 }
                for index in 0..<got * 2 where target[index] != Self.sample(mark.position + index / 2, index % 2) {
                    count.wrong += 1
                }
                count.frames += got
            }
        }
        let (written, read) = await (sent, received)
        #expect(read.wrong == 0 && read.frames == written.frames && read.lost == written.lost, "seed \(Self.seed)")
        #expect(samples.count == 0 && marks.count == 0 && marks.overflow == 0 && samples.overflow == 0)
        Self.report("capture", written, read)
    }

    /// Frames that are lost, doubled or out of order show here, and so do marks ahead of their frames. An index that is published
    /// just before its frames does not: they follow within nanoseconds, and this passed with that fault put in.
    @Test("played sound, and the marks that come back: all frames in order, and no mark ahead of its frames")
    func playback() async {
        let ring = SPSCRing<Float>(capacity: 700, zero: -1, startingAt: Int.max - 3_000)
        let marks = SPSCRing<PlaybackMark>(capacity: 32, zero: PlaybackMark())
        let first = ring.written
        let total = Self.pieces * 60
        async let sent = onThread { () -> Count in
            var random = SeededGenerator(seed: Self.seed &+ 1)
            var count = Count()
            var heard = 0
            while count.frames < total {
                while let mark = marks.pop() {
                    count.operations += 1
                    // What is heard was written before, and the marks are in order.
                    if mark.heard < heard || mark.heard > mark.written || mark.written > count.frames {
                        count.wrong += 1
                    }
                    heard = mark.heard
                }
                let frames = min(Int.random(in: 1...120, using: &random), ring.room, total - count.frames)
                guard frames > 0 else {
                    sched_yield()
                    continue
                }
                let piece = (0..<frames).map { Self.sample(count.frames + $0, 0) }
                count.operations += 1
                count.frames += piece.withUnsafeBufferPointer { buffer in
                    buffer.baseAddress.map { ring.write($0, frames: frames) } ?? 0
                }
            }
            return count
        }
        async let received = onThread { () -> Count in
            var random = SeededGenerator(seed: Self.seed &+ 2)
            var count = Count()
            while count.frames < total {
                // Looks at a piece, and takes what the device has taken of it.
                let position = count.frames
                var wrong = 0
                let seen = ring.peek(Int.random(in: 1...120, using: &random)) { source, part, offset in
                    for frame in 0..<part where source[frame] != Self.sample(position + offset + frame, 0) {
                        wrong += 1
                    }
                }
                guard seen > 0 else {
                    sched_yield()
                    continue
                }
                count.wrong += wrong
                count.operations += 1
                count.frames += ring.skip(Int.random(in: 1...seen, using: &random))
                if marks.room > 4 { marks.push(PlaybackMark(heard: position, written: ring.consumed &- first)) }
            }
            return count
        }
        let (written, read) = await (sent, received)
        #expect(read.wrong == 0 && written.wrong == 0 && read.frames == total, "seed \(Self.seed)")
        #expect(ring.count == 0 && ring.overflow == 0 && marks.overflow == 0)
        Self.report("playback", written, read)
    }

    private static func report(_ name: String, _ written: Count, _ read: Count) {
        guard environment["PARLEY_RING_ROUNDS"] != nil else { return }
        print(
            "rings: \(name), seed \(seed): \(written.operations + read.operations) operations, \(read.frames) frames,"
                + " \(read.lost) lost and counted, \(read.wrong + written.wrong) wrong")
    }
}

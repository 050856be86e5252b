// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import Foundation
import Synchronization
import TestKit
import Testing

@testable import AudioKitLinux

@Suite struct SPSCRingTests {
    /// Random calls on both sides, beside an array that does the same. Starting points lie before and after the place
    /// where the indices overflow.
    @Test(arguments: [0, -7, Int.max - 50, Int.min, 1 << 40], 0..<20 as Range<UInt64>)
    func agreesWithAnArray(start: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let stride = Int.random(in: 1...3, using: &random)
        let asked = Int.random(in: 1...40, using: &random)
        let ring = SPSCRing<Int32>(capacity: asked, stride: stride, zero: -1, startingAt: start)
        #expect(ring.capacity >= asked && ring.capacity.nonzeroBitCount == 1)
        var oracle: [Int32] = []
        var lost = 0
        var next: Int32 = 0
        for _ in 0..<300 {
            let frames = Int.random(in: 0...50, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                let samples = (0..<frames * stride).map { next + Int32($0) }
                let room = ring.capacity - oracle.count / stride
                let got = samples.withUnsafeBufferPointer { buffer in
                    buffer.baseAddress.map { ring.write($0, frames: frames) } ?? 0
                }
                #expect(got == min(frames, room))
                oracle += samples.prefix(got * stride)
                lost += frames - got
                next += Int32(samples.count)
            case 1:
                var target = [Int32](repeating: -2, count: max(1, frames * stride))
                let got = target.withUnsafeMutableBufferPointer { buffer in
                    buffer.baseAddress.map { ring.read($0, frames: frames) } ?? 0
                }
                #expect(difference(target.prefix(got * stride), oracle.prefix(frames * stride)) == nil)
                oracle.removeFirst(got * stride)
            default:
                let got = ring.skip(frames)
                #expect(got == min(frames, oracle.count / stride))
                oracle.removeFirst(got * stride)
            }
            #expect(ring.count == oracle.count / stride && ring.room == ring.capacity - ring.count)
            #expect(ring.overflow == lost)
        }
    }

    @Test func copiesInAtMostTwoPieces() {
        let ring = SPSCRing<UInt8>(capacity: 8, zero: 0)
        ring.skip(ring.fill(5) { _, _, _ in })
        var pieces: [Int] = []
        #expect(ring.fill(7) { _, count, _ in pieces.append(count) } == 7)
        #expect(pieces == [3, 4])
        pieces = []
        #expect(ring.peek(100) { _, count, offset in pieces += [offset, count] } == 7)
        #expect(pieces == [0, 3, 3, 4])
    }

    @Test func oneElementAtATime() {
        let ring = SPSCRing<Double>(capacity: 2, zero: 0)
        #expect(ring.pop() == nil)
        #expect(ring.push(1) && ring.push(2) && !ring.push(3))
        #expect(ring.overflow == 1)
        #expect(ring.pop() == 1 && ring.pop() == 2 && ring.pop() == nil)
    }

    /// The reader looks again and again while the writer stands in the middle of a piece: nothing may show before all of it is
    /// there, in either of its two halves, and all of it must show afterwards.
    @Test func aPieceShowsWhenAllOfItIsThere() async {
        let ring = SPSCRing<Int>(capacity: 8, zero: -1, startingAt: Int.max - 100)
        // The writer's step: even while it may run, odd while it stands in a piece and the reader looks.
        let turns = Turns()
        let rounds = 500
        async let sent: Void = onThread {
            for round in 0..<rounds {
                while ring.room < 5 { sched_yield() }
                _ = ring.fill(5) { target, count, offset in
                    for look in [true, false] {
                        if !look { for frame in 0..<count { target[frame] = round * 5 + offset + frame } }
                        let turn = turns.step.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
                        while turns.step.load(ordering: .acquiring) == turn { sched_yield() }
                    }
                }
                // The reader has taken the piece.
                let turn = turns.step.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
                while turns.step.load(ordering: .acquiring) == turn { sched_yield() }
            }
            turns.step.store(-1, ordering: .releasing)
        }
        async let early = onThread { () -> (seen: Int, wrong: Int) in
            var (seen, wrong, next) = (0, 0, 0)
            while true {
                let now = turns.step.load(ordering: .acquiring)
                if now < 0 { return (seen, wrong) }
                guard now % 2 == 1 else {
                    sched_yield()
                    continue
                }
                if ring.count == 5 {
                    while let value = ring.pop() {
                        if value != next { wrong += 1 }
                        next += 1
                    }
                } else {
                    seen += ring.count
                }
                turns.step.wrappingAdd(1, ordering: .acquiringAndReleasing)
            }
        }
        let (_, found) = await (sent, early)
        #expect(found.seen == 0 && found.wrong == 0)
    }

    /// Two real threads; with `--sanitize thread` this also proves that the orderings suffice. Every number arrives
    /// once and in order, and what did not is counted.
    @Test func twoThreadsLoseNothingUncounted() async {
        let ring = SPSCRing<UInt64>(capacity: 64, stride: 2, zero: 0, startingAt: Int.max - 1_000)
        let total = 200_000
        async let sent = onThread { () -> Int in
            var random = SeededGenerator(seed: 1)
            var next: UInt64 = 0
            while next < total {
                let frames = min(Int.random(in: 1...20, using: &random), total - Int(next))
                let samples = (0..<frames).flatMap { [next + UInt64($0), ~(next + UInt64($0))] }
                samples.withUnsafeBufferPointer { buffer in
                    guard let base = buffer.baseAddress else { return }
                    // Half of the pieces wait for room, half are refused in part.
                    while next % 2 == 0, ring.room < frames { sched_yield() }
                    ring.write(base, frames: frames)
                }
                next += UInt64(frames)
            }
            return Int(next)
        }
        async let received = onThread { () -> (count: Int, disorder: Int) in
            var random = SeededGenerator(seed: 2)
            var target = [UInt64](repeating: 0, count: 64)
            var last: UInt64?
            var result = (count: 0, disorder: 0)
            var idle = 0
            // The writer is done when nothing has come for very long and everything is accounted for.
            while result.count + ring.overflow < total, idle < 100_000_000 {
                let frames = Int.random(in: 1...32, using: &random)
                let got = target.withUnsafeMutableBufferPointer { buffer in
                    buffer.baseAddress.map { ring.read($0, frames: frames) } ?? 0
                }
                if got == 0 {
                    idle += 1
                    sched_yield()
                }
                for frame in 0..<got {
                    let value = target[frame * 2]
                    if target[frame * 2 + 1] != ~value || last.map({ value <= $0 }) ?? false { result.disorder += 1 }
                    last = value
                    result.count += 1
                }
            }
            return result
        }
        let (_, result) = await (sent, received)
        #expect(result.disorder == 0)
        #expect(result.count + ring.overflow == total)
        #expect(result.count > total / 4)
    }
}

/// Whose turn it is between two threads.
private final class Turns: Sendable {
    let step = Atomic(0)
}

/// Runs `body` on a thread of its own: a loop that spins must not hold one of the pool's.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}

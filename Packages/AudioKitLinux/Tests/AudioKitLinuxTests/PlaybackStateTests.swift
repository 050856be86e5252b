// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import TestKit
import Testing

@testable import AudioKitLinux

@Suite struct PlaybackStateTests {
    /// Feeds random event orders and compares with an oracle that keeps every frame by itself.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func randomOrdersKeepTheBooks(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var state = PlaybackState(format: .speech, limit: 500)
        let now = ContinuousClock.now
        var queue: [Float] = []
        var device: [Float] = []
        var heard: [Float] = []
        var expectedHeard = 0
        var next: Float = 0
        var run = 0
        for step in 0..<100 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let count = Int.random(in: 0..<300, using: &random)
                let samples = (0..<count).map { next + Float($0) }
                next += Float(count)
                queue += samples
                state.accept(AudioBuffer(samples: samples, format: .speech))
            case 2:
                let got = state.next(Int.random(in: 1...400, using: &random))
                #expect(difference(got, queue.prefix(got.count)) == nil)
                #expect(!got.isEmpty || queue.isEmpty)
                device += got
                queue.removeFirst(got.count)
                state.noteWritten(upTo: state.taken)
            case 3:
                let count = Int.random(in: 0...device.count, using: &random)
                heard += device.prefix(count)
                device.removeFirst(count)
                expectedHeard += count
                state.noteHeard(
                    upTo: state.taken - device.count, run: run, rate: 16_000, now: now + .milliseconds(step))
            default:
                guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                let number = state.askForFlush()
                state.askForDrain()
                #expect(state.takeFlushWish() && state.outcome(of: .flushed(number), rate: 16_000) == nil)
                #expect(!state.takeFlushWish() && state.queued == 0)
                state.noteFlushed()
                queue = []
                device = []
                run = state.accepted
                #expect(!state.wantsDrain && state.outcome(of: .flushed(number), rate: 16_000) != nil)
            }
            #expect(state.queued == queue.count)
            #expect(state.heard == expectedHeard)
            #expect(state.settled == state.accepted - queue.count - device.count)
            #expect((state.outcome(of: .space, rate: 16_000) != nil) == (queue.count <= 500))
            let isDrained = state.outcome(of: .drained(upTo: state.accepted), rate: 16_000) != nil
            #expect(isDrained == (queue.isEmpty && device.isEmpty))
        }
        // Every frame was either heard, in order, or flushed, and only heard ones have an instant.
        let numbers = heard.map(Int.init)
        #expect(difference(numbers, numbers.sorted()) == nil)
        let all = Set(numbers)
        for frame in stride(from: 0, to: state.settled, by: 17) {
            #expect((state.instant(of: frame, rate: 16_000) != nil) == all.contains(frame), "frame \(frame)")
        }
    }

    @Test func theEndReleasesEveryWish() {
        var state = PlaybackState(format: .speech, limit: 0)
        state.accept(AudioBuffer(silentFrames: 10, format: .speech))
        let wishes: [PlaybackState.Wish] = [.space, .drained(upTo: 10), .heard(3), .flushed(1)]
        for wish in wishes { #expect(state.outcome(of: wish, rate: 16_000) == nil) }
        state.finish(.failure(AudioError(.unplugged, "Gone.")))
        state.finish(.success(()))
        for wish in wishes { #expect(state.outcome(of: wish, rate: 16_000) != nil) }
        guard case .failed(let error) = state.outcome(of: .space, rate: 16_000) else {
            Issue.record("a failure was expected")
            return
        }
        #expect(error.code == .unplugged)
    }
}

// SPDX-License-Identifier: MIT

import AudioKitLinuxTestSupport
import TestKit
import Testing

@testable import AudioKitLinux

@Suite struct DeviceClockTests {
    /// Seeded drifts and jitters: the truth lies within the bound, and the bound is useful.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func theTruthLiesWithinTheBound(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let ppm = Double.random(in: -500...500, using: &random)
        let jitter = Double.random(in: 1...2_000, using: &random)
        var clock = DeviceClock(nominalRate: 48_000)
        for step in 0..<3_000 {
            let position = step * 480
            let seconds = Double(position) / (48_000 * (1 + ppm * 1e-6))
            let noise = Double.random(in: -jitter...jitter, using: &random) * 1_000
            clock.note(position: position, time: Int64(seconds * 1e9 + noise) + 5_000_000_000)
        }
        let estimate = try #require(clock.estimate)
        // Three standard errors hold in 997 of 1,000 cases; four never fail here.
        #expect(abs(estimate.ppm - ppm) <= max(0.01, estimate.bound * 4 / 3), "seed \(seed)")
        #expect(estimate.bound < 30)
        #expect(abs(estimate.framesPerSecond - 48_000 * (1 + ppm * 1e-6)) < 1)
    }

    @Test func fewPairsSayNothing() {
        var clock = DeviceClock(nominalRate: 16_000)
        for step in 0..<9 { clock.note(position: step * 160, time: Int64(step) * 10_000_000) }
        #expect(clock.estimate == nil)
        clock.note(position: 1_440, time: 90_000_000)
        #expect(clock.estimate.map { abs($0.ppm) < 1e-6 } == true)
        clock.restart()
        #expect(clock.estimate == nil)
    }

    /// Two virtual cards, one of which runs at 1.0003 times the speed of the other.
    @Test func theDriftBetweenTwoCardsIsMeasured() async throws {
        let format = AudioFormat(sampleRate: 48_000)
        let fast = try await Self.clock(
            of: try VirtualCard(format: format, speed: 1.0003, capture: .silence, playback: nil))
        let right = try await Self.clock(
            of: try VirtualCard(format: format, speed: 1, capture: .silence, playback: nil))
        let drift = fast.drift(against: right)
        #expect(abs(drift.ppm - 300) <= drift.bound + 0.5)
        #expect(drift.bound < 30)
    }

    private static func clock(of card: VirtualCard) async throws -> DeviceClock.Estimate {
        let capture = try await AudioCapture.start(
            device: .virtual(card),
            configuration: StreamConfiguration(
                format: card.format, period: .milliseconds(5), buffer: .seconds(5)))
        _ = try await collect(capture, frames: 24_000)
        await capture.stop()
        return try #require(capture.clock)
    }

    /// Forty hours at 100 ppm, which are 14 seconds more sound than time.
    @Test func aFastClockIsStillAClock() {
        let check = ClockCheck(began: 7, rate: 16_000, bufferFrames: 3_200)
        let isTakenForNone = stride(from: Int64(0), to: 40 * 3_600_000, by: 20).contains { milliseconds in
            let frames = Int(Double(milliseconds) * 16 * 1.0001)
            return check.isRunningFree(after: frames, at: 7 + milliseconds * 1_000_000)
        }
        #expect(!isTakenForNone)
    }

    /// A device that has the next 4,096 frames each time that it is asked, every tenth of a millisecond.
    @Test func aDeviceWithoutAClockIsNoticedAtOnce() {
        let check = ClockCheck(began: 7, rate: 16_000, bufferFrames: 3_200)
        let asked = (1...100).first { check.isRunningFree(after: $0 * 4_096, at: 7 + Int64($0) * 100_000) }
        #expect(asked == 5)
    }

    /// Twenty seconds of drift, one second of sound at a time: as many frames come out as the other clock plays.
    @Test func theCorrectorKeepsTwoClocksTogether() throws {
        let format = AudioFormat(sampleRate: 16_000)
        let corrector = try DriftCorrector(format: format)
        corrector.ppm = 300
        var made = 0
        for second in 0..<20 {
            // The estimate wanders a little, as a real one does.
            corrector.ppm = 300 + Double(second % 3 - 1) * 0.1
            let sound = TestSignal.sine(500, frames: 16_000, format: format)
            let output = corrector.process(sound.samples)
            made += output.count
            let steps = zip(output.dropFirst(32), output.dropFirst(33)).map { abs($0 - $1) }
            // A sine of 500 Hz and amplitude 0.5 moves by at most 0.0982 from frame to frame.
            #expect((steps.max() ?? 1) < 0.1)
        }
        #expect(abs(Double(made) - 320_000 / 1.0003) < 64)
    }
}

// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import TestKit
import Testing

/// The canceller in rooms whose echo is known; time is given, so nothing waits.
@Suite struct EchoCancellerTests {
    private static let babble = SyntheticRoom.babble(seconds: 12, seed: 1)
    private var far: [Float] { Self.babble }

    @Test func theEchoGoesAway() throws {
        let near = SyntheticRoom().echo(of: far)
        let canceller = try SpeexEchoCanceller(rate: 16_000)
        let output = try run(canceller, near)
        #expect(decibels(near.suffix(32_000)) - decibels(output.suffix(32_000)) > 20)
        let enhancement = try #require(canceller.report.enhancement)
        #expect(enhancement > 20)
        #expect(canceller.report.hasConverged && canceller.report.lateFrames == 0)
    }

    @Test func withoutTheFarEndNothingChanges() throws {
        let near = SyntheticRoom().echo(of: far)
        let canceller = try SpeexEchoCanceller(rate: 16_000)
        let output = try run(canceller, near, far: [])
        #expect(abs(decibels(near.suffix(32_000)) - decibels(output.suffix(32_000))) < 0.5)
        #expect(canceller.report.enhancement == nil && !canceller.report.hasConverged)
    }

    @Test func aVoiceInTheEchoSurvives() throws {
        let echo = SyntheticRoom().echo(of: far)
        let voice = [Float](repeating: 0, count: 96_000) + SyntheticRoom.babble(seconds: 6, seed: 99, level: 0.1)
        let canceller = try SpeexEchoCanceller(rate: 16_000)
        let output = try run(canceller, zip(echo, voice).map { $0 + $1 })
        let rest = zip(output, voice).map { $0 - $1 }
        // What is not voice in the output: without the canceller, it would be the echo.
        #expect(decibels(echo.suffix(64_000)) - decibels(rest.suffix(64_000)) > 6)
        #expect(abs(decibels(voice.suffix(64_000)) - decibels(output.suffix(64_000))) < 3)
    }

    @Test func aLongerPathIsLearntAgain() throws {
        var room = SyntheticRoom()
        room.change = (frame: 80_000, step: 160)
        let near = room.echo(of: far)
        let output = try run(SpeexEchoCanceller(rate: 16_000), near)
        #expect(decibels(near.suffix(24_000)) - decibels(output.suffix(24_000)) > 12)
    }

    @Test(arguments: [-200.0, 100])
    func aDriftBetweenTheClocksIsFollowed(_ drift: Double) throws {
        var room = SyntheticRoom()
        room.drift = drift
        let near = room.echo(of: far)
        let canceller = try SpeexEchoCanceller(rate: 16_000)
        let output = try run(canceller, near, EchoRun(drift: drift, jitter: 0.0001))
        #expect(decibels(near.suffix(32_000)) - decibels(output.suffix(32_000)) > 15)
        #expect(abs(canceller.report.drift - drift) < 40)
        // Not told about the drift, the same filter does much worse: the alignment is what helps.
        let blind = try SpeexEchoCanceller(rate: 16_000)
        let unaligned = try run(blind, near, EchoRun(drift: 0))
        #expect(decibels(unaligned.suffix(32_000)) > decibels(output.suffix(32_000)) + 3)
    }

    /// Instants that are off by a millisecond must not move the echo path under the filter.
    @Test(arguments: [(0.0, 30.0), (100, 15)])
    func uncertainInstantsCostLittle(_ drift: Double, _ least: Double) throws {
        var room = SyntheticRoom()
        room.drift = drift
        let near = room.echo(of: far)
        let output = try run(SpeexEchoCanceller(rate: 16_000), near, EchoRun(drift: drift, jitter: 0.001))
        #expect(decibels(near.suffix(32_000)) - decibels(output.suffix(32_000)) > least)
    }

    @Test func playbackThatStartsLaterIsAligned() throws {
        // The far end begins 2 s into the capture and pauses for 1.5 s: the line has silence there.
        let first = Array(far.prefix(64_000))
        let second = Array(far.suffix(96_000))
        let quiet = [Float](repeating: 0, count: 24_000)
        let near = SyntheticRoom().echo(of: quiet + first + quiet + second)
        let canceller = try SpeexEchoCanceller(rate: 16_000)
        let processor = try VoiceProcessor(canceller: canceller)
        let run = EchoRun()
        var generator = SeededGenerator(seed: 1)
        try processor.playing(AudioBuffer(samples: first, format: .speech), audibleAt: run.instant(1.5, &generator))
        try processor.playing(AudioBuffer(samples: second, format: .speech), audibleAt: run.instant(7, &generator))
        let output = try run.run(near: near, far: [], through: processor)
        #expect(decibels(near.suffix(32_000)) - decibels(output.suffix(32_000)) > 20)
    }

    @Test func aFlushIsTakenBack() throws {
        let near = SyntheticRoom().echo(of: Array(far.prefix(96_000)) + [Float](repeating: 0, count: 96_000))
        let canceller = try SpeexEchoCanceller(rate: 16_000)
        let processor = try VoiceProcessor(canceller: canceller)
        let run = EchoRun()
        var generator = SeededGenerator(seed: 1)
        try processor.playing(AudioBuffer(samples: far, format: .speech), audibleAt: run.instant(0, &generator))
        processor.flushed(at: run.instant(6, &generator))
        let output = try run.run(near: near, far: [], through: processor)
        // Told of the flush, it puts no echo of its own into the silence.
        #expect(decibels(output.suffix(80_000)) < -80)
    }

    @Test func framesThatComeTooLateAreCounted() throws {
        let canceller = try SpeexEchoCanceller(rate: 16_000)
        _ = try run(canceller, SyntheticRoom().echo(of: far), EchoRun(ahead: -1_600))
        #expect(canceller.report.lateFrames > 16_000)
    }

    @Test func anyCutGivesTheSameOutput() throws {
        let near = Array(SyntheticRoom().echo(of: far).prefix(32_000))
        let whole = try run(SpeexEchoCanceller(rate: 16_000), near, EchoRun(piece: 320))
        for piece in [160, 1_000] {
            let output = try run(SpeexEchoCanceller(rate: 16_000), near, EchoRun(ahead: 48_000, piece: piece))
            let error = zip(whole, output).map { abs($0 - $1) }.max() ?? 1
            #expect(error < 0.02, "pieces of \(piece)")
            #expect(near.count - output.count < 160 + piece)
        }
    }

    @Test func impossibleOnesAreRefused() throws {
        #expect(code { _ = try SpeexEchoCanceller(rate: 0) } == .formatNotSupported)
        #expect(code { _ = try SpeexEchoCanceller(rate: 16_000, tail: .zero) } == .formatNotSupported)
        #expect(code { _ = try SpeexEchoCanceller(rate: 16_000, block: .microseconds(1)) } == .formatNotSupported)
        let canceller = try SpeexEchoCanceller(rate: 16_000)
        let wide = AudioBuffer(silentFrames: 160, format: AudioFormat(sampleRate: 48_000))
        #expect(code { try canceller.playing(wide, audibleAt: .now) } == .formatNotSupported)
        let piece = CapturedBuffer(buffer: wide, position: 0, capturedAt: .now)
        #expect(code { _ = try canceller.cancel(piece) } == .formatNotSupported)
    }

    private func run(
        _ canceller: SpeexEchoCanceller, _ near: [Float], far: [Float]? = nil, _ run: EchoRun = EchoRun()
    ) throws -> [Float] {
        try run.run(near: near, far: far ?? self.far, through: VoiceProcessor(canceller: canceller))
    }

    private func run(_ canceller: SpeexEchoCanceller, _ near: [Float], _ run: EchoRun) throws -> [Float] {
        try self.run(canceller, near, far: nil, run)
    }
}

// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import Testing

/// What is announced against what a microphone on the same clock really hears.
@Suite struct PlaybackAnnouncementTests {
    /// The device holds so much that a thread that waits for its turn causes no underrun.
    private let wide = StreamConfiguration(buffer: .seconds(2), backlog: .seconds(20))

    @Test func theMicrophoneHearsWhatWasAnnounced() async throws {
        let speed = 2.0
        let card = try VirtualCard.loopback(speed: speed)
        let sound = TestSignal.noise(frames: 16_000, seed: 41)
        let run = try await Recorded.run(on: card, wide) { playback in
            try await playback.play(sound)
            try await playback.drain()
            // A second run of the device, with an instant of its own.
            try await playback.play(sound)
            try await playback.drain()
        }
        #expect(difference(run.announced.flatMap(\.buffer.samples), sound.samples + sound.samples) == nil)
        for piece in run.announced {
            let samples = piece.buffer.int16Samples()
            let place = try #require(find(samples, in: run.heard, after: piece.position >= 16_000))
            let off = run.instant(of: place, speed).duration(to: piece.audibleAt)
            // The loop moves whole frames, so all that is off is the rounding of instants to frames.
            #expect(abs(off / .milliseconds(1)) < 0.2, "frame \(piece.position)")
        }
    }

    @Test func aFlushIsAnnouncedWithTheInstantOfSilence() async throws {
        let card = try VirtualCard.loopback()
        let sound = TestSignal.noise(frames: 32_000, seed: 42)
        let run = try await Recorded.run(on: card, wide) { playback in
            try await playback.play(sound)
            _ = await playback.audible(frame: 3_000)
            await playback.flush()
        }
        #expect(run.flushes.count == 1)
        let silent = try #require(run.flushes.first)
        let last = try #require(run.heard.lastIndex { $0 != 0 })
        let off = run.instant(of: last, 1).duration(to: silent)
        // A thread that gets no processor in between comes too late with its fade of 5 ms: silent sooner, never later.
        #expect(off > .milliseconds(-1) && off < .milliseconds(8), "\(off)")
        #expect(run.announced.reduce(0) { $0 + $1.buffer.frameCount } > last - 3_000)
    }

    @Test(arguments: [VirtualFault.suspend, .freeze, .fail])
    func whatIsPlayedAgainIsAnnouncedAgain(_ fault: VirtualFault) async throws {
        let card = try VirtualCard(speed: 4, capture: nil, playback: .memory)
        let playback = try await AudioPlayback.start(
            device: .virtual(card), configuration: wide,
            recovery: AudioRecovery(
                reopens: true, firstDelay: .milliseconds(1), maximumDelay: .milliseconds(4),
                patience: .milliseconds(40)))
        let announcements = playback.announcements()
        let sound = TestSignal.noise(frames: 16_000, seed: 43)
        try await playback.play(sound)
        _ = await playback.audible(frame: 2_000)
        card.inject(fault)
        try await playback.drain()
        await playback.stop()
        var line: [Float] = []
        var isSecondTime = false
        for announcement in announcements.take() {
            guard case .playing(let piece) = announcement else {
                isSecondTime = true
                continue
            }
            // What comes again begins where the sound stopped, behind what was heard.
            #expect(piece.position == line.count || (isSecondTime && piece.position >= 2_000))
            line.removeLast(max(0, line.count - piece.position))
            line += piece.buffer.samples
            isSecondTime = false
        }
        #expect(difference(line, sound.samples) == nil)
        #expect(difference(card.recorded, sound) == nil)
    }

    /// Playback and capture of one card in a room that is known, the canceller told by the announcements alone.
    @Test func theEchoOfARoomGoesAway() async throws {
        let speed = 4.0
        let card = try VirtualCard(speed: speed, capture: .room(SyntheticRoom().response), playback: .memory)
        let far = SyntheticRoom.babble(seconds: 5, seed: 1)
        let run = try await Recorded.run(on: card, wide) { playback in
            try await playback.play(AudioBuffer(samples: far, format: .speech))
            try await playback.drain()
        }
        let processor = try VoiceProcessor(canceller: SpeexEchoCanceller(rate: 16_000))
        let start = run.captured[0].capturedAt
        // The canceller counts in real seconds; the card's were shorter.
        func real(_ instant: ContinuousClock.Instant) -> ContinuousClock.Instant {
            start + start.duration(to: instant) * Int(speed)
        }
        for piece in run.announced {
            try processor.follow(
                .playing(
                    PlayedPiece(buffer: piece.buffer, position: piece.position, audibleAt: real(piece.audibleAt))))
        }
        var near: [Float] = []
        var output: [Float] = []
        for piece in run.captured {
            near += piece.buffer.samples
            let moved = CapturedBuffer(
                buffer: piece.buffer, position: piece.position, capturedAt: real(piece.capturedAt))
            output += try processor.process(moved)?.buffer.samples ?? []
        }
        let first = try #require(near.firstIndex { abs($0) > 0.001 })
        // From 2 s of sound on, for 2 s.
        let part = first + 32_000..<first + 64_000
        try #require(output.count >= part.upperBound)
        #expect(decibels(near[part]) - decibels(output[part]) > 15)
        #expect(processor.canceller?.report.lateFrames == 0)
    }

    private func find(_ needle: [Int16], in heard: [Int16], after isSecond: Bool) -> Int? {
        // Both runs play the same sound: the second one comes behind the middle of what was heard.
        let first = heard.firstIndex { $0 != 0 } ?? 0
        let from = isSecond ? first + 16_000 : first
        return AudioKitLinuxTestSupport.find(needle, in: Array(heard[from...])).map { $0 + from }
    }
}

/// One run of playback and capture on the same card.
private struct Recorded {
    var captured: [CapturedBuffer] = []
    var announced: [PlayedPiece] = []
    var flushes: [ContinuousClock.Instant] = []

    var heard: [Int16] { samples(of: captured) }

    /// When frame `index` of what was heard was at the microphone.
    func instant(of index: Int, _ speed: Double) -> ContinuousClock.Instant {
        var left = index
        for piece in captured {
            let frames = piece.buffer.frameCount
            if left < frames {
                return piece.capturedAt - .nanoseconds(Int64(Double(frames - 1 - left) / 16_000 / speed * 1e9))
            }
            left -= frames
        }
        return captured[captured.count - 1].capturedAt
    }

    static func run(
        on card: VirtualCard, _ configuration: StreamConfiguration,
        _ body: (AudioPlayback) async throws -> Void
    ) async throws -> Recorded {
        let capture = try await AudioCapture.start(device: .virtual(card), configuration: configuration)
        let playback = try await AudioPlayback.start(device: .virtual(card), configuration: configuration)
        let announcements = playback.announcements(limit: 10_000)
        try await body(playback)
        var run = Recorded()
        let end = ContinuousClock.now
        for try await piece in capture.buffers {
            run.captured.append(piece)
            if piece.capturedAt > end { break }
        }
        await capture.stop()
        await playback.stop()
        for announcement in announcements.take() {
            switch announcement {
            case .playing(let piece): run.announced.append(piece)
            case .flushed(let instant): run.flushes.append(instant)
            }
        }
        return run
    }
}

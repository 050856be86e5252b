// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct VirtualCardTests {
    /// The device holds so much that a thread that waits for its turn causes no underrun.
    private let wide = StreamConfiguration(buffer: .seconds(2), backlog: .seconds(20))

    @Test func loopbackIsSampleExact() async throws {
        let card = try VirtualCard.loopback(speed: 2)
        let sound = TestSignal.noise(frames: 8_000, seed: 1)
        let capture = try await AudioCapture.start(device: .virtual(card), configuration: wide)
        let playback = try await AudioPlayback.start(device: .virtual(card), configuration: wide)
        let first = try await playback.play(sound)
        try await playback.drain()
        var buffers: [CapturedBuffer] = []
        var loud = 0
        for try await buffer in capture.buffers {
            buffers.append(buffer)
            loud += buffer.buffer.samples.count { $0 != 0 }
            // The noise has no zeros, so this is all of it; the rest of its last period comes along.
            if loud >= 8_000 { break }
        }
        await capture.stop()
        await playback.stop()
        #expect(first == 0)
        #expect(playback.framesHeard == 8_000)
        #expect(playback.statistics.xruns == 0)
        #expect(difference(card.recorded, sound) == nil)
        let heard = samples(of: buffers)
        let start = heard.firstIndex { $0 != 0 } ?? 0
        #expect(difference(heard.dropFirst(start).prefix(8_000), sound.int16Samples()) == nil)
        let isSilentAfter = heard.dropFirst(start + 8_000).allSatisfy { $0 == 0 }
        #expect(isSilentAfter)
        #expect(buffers.map(\.position) == Array(stride(from: 0, to: heard.count, by: 320)))
    }

    @Test func fileCardPlaysTheFileThenNoiseThenEnds() async throws {
        let folder = try TemporaryFolder()
        let sound = TestSignal.noise(frames: 5_000, seed: 2)
        try writeFile(folder.file("in.wav"), sound)
        let card = try VirtualCard.file(
            input: folder.file("in.wav"), output: nil, trailingSilence: .milliseconds(250), speed: 50)
        let capture = try await AudioCapture.start(device: .virtual(card))
        let buffers = try await collect(capture)
        await capture.stop()
        let heard = samples(of: buffers)
        #expect(heard.count == 9_000)
        #expect(difference(heard.prefix(5_000), sound.int16Samples()) == nil)
        let tail = heard.dropFirst(5_000)
        #expect(Set(tail) == Set(-4...4))
        #expect(capture.statistics == StreamStatistics())
        for (earlier, later) in zip(buffers, buffers.dropFirst()) { #expect(earlier.capturedAt <= later.capturedAt) }
    }

    @Test func fileCardConvertsItsInput() async throws {
        let folder = try TemporaryFolder()
        let stereo = AudioFormat(sampleRate: 48_000, channels: 2)
        try writeFile(folder.file("in.flac"), TestSignal.sine(1_000, frames: 24_000, format: stereo))
        let card = try VirtualCard.file(
            input: folder.file("in.flac"), output: nil, trailingSilence: .zero, speed: 50)
        let capture = try await AudioCapture.start(device: .virtual(card))
        let heard = try await collect(capture).flatMap(\.buffer.samples)
        await capture.stop()
        #expect(abs(heard.count - 8_000) <= 1)
        let strength = TestSignal.amplitude(of: 1_000, in: heard[1_600..<6_400], rate: 16_000)
        #expect(abs(strength - 0.5) < 0.01)
    }

    @Test func theInputIsNotOverwrittenByTheOutput() throws {
        let folder = try TemporaryFolder()
        let sound = TestSignal.noise(frames: 100, seed: 8)
        try writeFile(folder.file("in.wav"), sound)
        let detour = folder.path + "/./in.wav"
        #expect(code { _ = try VirtualCard.file(input: folder.file("in.wav"), output: detour) } == .fileNotWritable)
        #expect(try difference(readFile(folder.file("in.wav")), sound) == nil)
    }

    @Test func outputFileHasExactlyWhatWasPlayed() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("out.wav")
        let card = try VirtualCard.file(input: nil, output: path, speed: 20)
        let playback = try await AudioPlayback.start(device: .virtual(card))
        let sounds = (0..<5).map { TestSignal.noise(frames: 777 + 400 * $0, seed: UInt64($0)) }
        for sound in sounds { try await playback.play(sound) }
        try await playback.drain()
        // No stop and no close: the file is whole as it is.
        #expect(try difference(readFile(path).samples, sounds.flatMap(\.samples)) == nil)
        try await playback.play(sounds[0])
        try await playback.drain()
        await playback.stop()
        try card.close()
        #expect(try difference(readFile(path).samples, (sounds + [sounds[0]]).flatMap(\.samples)) == nil)
    }

    @Test func cancelledOutputIsAWholeFileWithTheBeginning() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("out.wav")
        let card = try VirtualCard.file(input: nil, output: path, speed: 0.2)
        let playback = try await AudioPlayback.start(device: .virtual(card))
        let sound = TestSignal.noise(frames: 160_000, seed: 9)
        let task = Task {
            try await playback.play(sound)
            try await playback.drain()
        }
        _ = await playback.firstFrameAudible()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await playback.stop()
        let written = try readFile(path).samples
        #expect(written.count > 0 && written.count < 160_000)
        #expect(difference(written, sound.samples.prefix(written.count)) == nil)
    }

    @Test func flushIsSilenceAndNothingElseIsRecorded() async throws {
        let card = try VirtualCard(speed: 1, capture: nil, playback: .memory)
        let playback = try await AudioPlayback.start(
            device: .virtual(card), configuration: wide)
        let sound = TestSignal.noise(frames: 160_000, seed: 3)
        try await playback.play(sound)
        let heardAt = try #require(await playback.audible(frame: 2_000))
        let firstAt = try #require(await playback.firstFrameAudible())
        #expect(abs(firstAt.duration(to: heardAt) / Duration.milliseconds(2_000 / 16) - 1) < 0.01)
        await playback.flush()
        let afterFlush = card.recorded.frameCount
        #expect(afterFlush >= 2_000 && afterFlush < 160_000)
        #expect(await playback.audible(frame: 159_999) == nil)
        let next = TestSignal.noise(frames: 1_000, seed: 4)
        let number = try await playback.play(next)
        #expect(number == 160_000)
        try await playback.drain()
        #expect(await playback.audible(frame: number) != nil)
        await playback.stop()
        // Some of the sound, then at most 2 ms more and 5 ms that go down to silence, then what came next.
        let recorded = card.recorded.samples
        let whole = zip(recorded, sound.samples).prefix { $0 == $1 }.count
        let faded = recorded.count - 1_000 - whole
        #expect(whole >= 2_000 && faded > 0 && faded <= 5 * 16 && recorded.count - 1_000 - afterFlush <= 7 * 16)
        #expect(difference(recorded.suffix(1_000), next.samples) == nil)
        for index in 0..<faded { #expect(abs(recorded[whole + index]) <= abs(sound.samples[whole + index])) }
        #expect(playback.framesHeard == recorded.count)
    }

    @Test func soundAfterAFlushNeedsNoMoreThanPlay() async throws {
        let card = try VirtualCard(speed: 0.2, capture: nil, playback: .memory)
        let playback = try await AudioPlayback.start(device: .virtual(card), configuration: wide)
        for round in 0..<4 {
            let first = try await playback.play(TestSignal.noise(frames: 1_600, seed: 5))
            _ = await playback.audible(frame: first)
            await playback.flush()
            // While the fade of the flush is still in the device; nothing else wakes the stream.
            let next = try await playback.play(TestSignal.noise(frames: 160, seed: 6))
            #expect(await playback.audible(frame: next + 10) != nil, "round \(round)")
            await playback.flush()
        }
        await playback.stop()
    }

    @Test func soundMayComeWhileTheStreamDrains() async throws {
        let card = try VirtualCard(speed: 10, capture: nil, playback: .memory)
        let playback = try await AudioPlayback.start(device: .virtual(card), configuration: wide)
        let sound = TestSignal.noise(frames: 1_600, seed: 7)
        for _ in 0..<20 {
            try await playback.play(sound)
            async let drained: Void = playback.drain()
            try await playback.play(sound)
            try await drained
        }
        try await playback.drain()
        #expect(playback.framesHeard == 20 * 3_200)
        let expected = (0..<40).flatMap { _ in sound.samples }
        #expect(difference(card.recorded.samples, expected) == nil)
        await playback.stop()
    }

    @Test func playSuspendsWhileTheBacklogIsFull() async throws {
        let card = try VirtualCard(speed: 20, capture: nil, playback: .memory)
        let playback = try await AudioPlayback.start(
            device: .virtual(card), configuration: StreamConfiguration(backlog: .milliseconds(100)))
        let sound = TestSignal.noise(frames: 3_200, seed: 5)
        for _ in 0..<10 {
            try await playback.play(sound)
            let ahead = playback.framesAccepted - card.recorded.frameCount
            // 100 ms of backlog and 80 ms in the device.
            #expect(ahead <= 1_600 + 1_280)
        }
        try await playback.drain()
        #expect(playback.framesHeard == 32_000)
        await playback.stop()
    }

    @Test func slowConsumerDropsTheOldestOnAStrictCard() async throws {
        let card = try VirtualCard(
            speed: 5, capture: .generator { Float($0 % 1000) / 32768 }, playback: nil, timing: .strict)
        let capture = try await AudioCapture.start(
            device: .virtual(card),
            configuration: StreamConfiguration(buffer: .seconds(10), backlog: .milliseconds(100)))
        try await eventually { capture.statistics.dropped >= 10 }
        await capture.stop()
        let left = try await collect(capture)
        // What was on its way when the stream was stopped still comes, behind what the backlog held.
        #expect(!left.isEmpty && (left.first?.position ?? 0) >= capture.statistics.dropped * 320)
        for buffer in left {
            let expected = (0..<320).map { Int16((buffer.position + $0) % 1000) }
            #expect(difference(buffer.buffer.int16Samples(), expected) == nil)
        }
    }

    @Test func slowConsumerLosesNothingOnAPatientCard() async throws {
        let sound = TestSignal.noise(frames: 32_000, seed: 6)
        let card = try VirtualCard(speed: 100, capture: .samples(sound), playback: nil)
        let capture = try await AudioCapture.start(
            device: .virtual(card), configuration: StreamConfiguration(backlog: .milliseconds(60)))
        var heard: [Int16] = []
        for try await buffer in capture.buffers {
            await disturbOrder(50)
            heard += buffer.buffer.int16Samples()
        }
        #expect(difference(heard, sound.int16Samples()) == nil)
        #expect(capture.statistics == StreamStatistics())
        await capture.stop()
    }
}

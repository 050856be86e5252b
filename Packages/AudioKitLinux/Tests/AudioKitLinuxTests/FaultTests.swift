// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct FaultTests {
    @Test func captureRecoversFromAnOverrun() async throws {
        let card = try VirtualCard(
            speed: 5, capture: .generator { Float($0 % 30_000) / 32768 }, playback: nil, timing: .strict)
        let capture = try await AudioCapture.start(
            device: .virtual(card), configuration: StreamConfiguration(buffer: .seconds(2)))
        var iterator = capture.buffers.makeAsyncIterator()
        _ = try await iterator.next()
        let before = capture.statistics.xruns
        card.inject(.stall)
        while capture.statistics.xruns == before { _ = try await iterator.next() }
        let after = try #require(try await iterator.next())
        // Whole periods in a row again.
        let samples = after.buffer.int16Samples()
        #expect(difference(samples.dropFirst(), samples.dropLast().map { ($0 + 1) % 30_000 }) == nil)
        await capture.stop()
    }

    @Test func aLateReaderLosesFramesOnAStrictCard() async throws {
        // The device's buffer holds 2 ms of real time: some reader will be late soon on any machine.
        let card = try VirtualCard(
            speed: 400, capture: .generator { Float($0 % 30_000) / 32768 }, playback: nil, timing: .strict)
        let capture = try await AudioCapture.start(
            device: .virtual(card),
            configuration: StreamConfiguration(period: .milliseconds(10), buffer: .milliseconds(20)))
        try await eventually { capture.statistics.xruns > 0 }
        await capture.stop()
        #expect(capture.statistics.xruns > 0)
    }

    @Test func patientCardLosesNothingInAStall() async throws {
        let sound = TestSignal.noise(frames: 32_000, seed: 11)
        let card = try VirtualCard(speed: 20, capture: .samples(sound), playback: nil)
        // A short backlog: the card still runs when the faults come.
        let capture = try await AudioCapture.start(
            device: .virtual(card), configuration: StreamConfiguration(backlog: .milliseconds(60)))
        var heard: [Int16] = []
        for try await buffer in capture.buffers {
            heard += buffer.buffer.int16Samples()
            if heard.count == 3_200 { card.inject(.stall) }
            // Two faults that meet are one, and a stream that is being mended is not suspended: once more, then.
            if heard.count >= 6_400, capture.statistics.xruns == 1 { card.inject(.suspend) }
        }
        #expect(difference(heard, sound.int16Samples()) == nil)
        #expect((2...3).contains(capture.statistics.xruns))
        await capture.stop()
    }

    @Test(arguments: [VirtualFault.stall, .suspend])
    func playbackGoesOnAfter(_ fault: VirtualFault) async throws {
        let card = try VirtualCard(speed: 2, capture: nil, playback: .memory)
        let playback = try await AudioPlayback.start(
            device: .virtual(card), configuration: StreamConfiguration(buffer: .milliseconds(400)))
        let sound = TestSignal.noise(frames: 24_000, seed: 12)
        try await playback.play(sound)
        _ = await playback.audible(frame: 1_000)
        card.inject(fault)
        try await playback.drain()
        #expect(playback.statistics.xruns >= 1)
        #expect(playback.framesHeard == 24_000)
        #expect(difference(card.recorded, sound) == nil)
        await playback.stop()
    }

    @Test func aDryQueueIsCountedAndLosesNothing() async throws {
        let card = try VirtualCard(speed: 20, capture: nil, playback: .memory)
        let playback = try await AudioPlayback.start(device: .virtual(card))
        let sound = TestSignal.noise(frames: 1_600, seed: 13)
        try await playback.play(sound)
        try await eventually { playback.statistics.xruns > 0 }
        try await playback.play(sound)
        try await playback.drain()
        #expect(playback.statistics.xruns >= 1)
        #expect(difference(card.recorded.samples, sound.samples + sound.samples) == nil)
        let second = try #require(await playback.audible(frame: 1_600))
        let first = try #require(await playback.firstFrameAudible())
        #expect(first.duration(to: second) >= .milliseconds(1_600 / 16 / 20))
        await playback.stop()
    }

    @Test func unpluggedCaptureThrows() async throws {
        let card = try VirtualCard(speed: 20, capture: .silence, playback: nil)
        let capture = try await AudioCapture.start(device: .virtual(card))
        var iterator = capture.buffers.makeAsyncIterator()
        _ = try await iterator.next()
        card.inject(.unplug)
        let error = await #expect(throws: AudioError.self) {
            while try await iterator.next() != nil {}
        }
        #expect(error?.code == .unplugged)
        #expect(error?.message.contains("Plug it in") == true)
        await capture.stop()
    }

    @Test func unpluggedPlaybackThrows() async throws {
        // So slow that the ten seconds of sound cannot end before the plug is pulled, however busy the machine is.
        let card = try VirtualCard(speed: 0.1, capture: nil, playback: .memory)
        let playback = try await AudioPlayback.start(
            device: .virtual(card), configuration: StreamConfiguration(backlog: .seconds(20)))
        try await playback.play(TestSignal.noise(frames: 160_000, seed: 14))
        _ = await playback.firstFrameAudible()
        card.inject(.unplug)
        var error = await #expect(throws: AudioError.self) { try await playback.drain() }
        #expect(error?.code == .unplugged)
        error = await #expect(throws: AudioError.self) {
            try await playback.play(TestSignal.noise(frames: 16, seed: 15))
        }
        #expect(error?.code == .unplugged)
        #expect(await playback.audible(frame: 159_999) == nil)
        await playback.flush()
        await playback.stop()
        error = await #expect(throws: AudioError.self) { try await AudioPlayback.start(device: .virtual(card)) }
        #expect(error?.code == .deviceNotFound)
    }

    @Test func aSinkThatFailsEndsPlayback() async throws {
        let error = #expect(throws: AudioError.self) {
            try VirtualCard.file(input: nil, output: "/dev/full", speed: 20)
        }
        #expect(error?.code == .diskFull)
        // FLAC notices when its first block is written, in the middle of the sound.
        guard
            let card = try? VirtualCard(
                speed: 20, capture: nil, playback: .file("/dev/full", encoding: .flac16))
        else { return }
        let playback = try await AudioPlayback.start(device: .virtual(card))
        let later = await #expect(throws: AudioError.self) {
            try await playback.play(TestSignal.noise(frames: 160_000, seed: 16))
            try await playback.drain()
        }
        #expect(later?.code == .diskFull)
        await playback.stop()
        // Whoever only completes the file learns of it, too.
        let last = #expect(throws: AudioError.self) { try card.close() }
        #expect(last?.code == .diskFull)
    }

    @Test func aDirectionOpensOnceAtATimeAndOnlyIfItExists() async throws {
        let card = try VirtualCard(speed: 20, capture: .silence, playback: nil)
        let capture = try await AudioCapture.start(device: .virtual(card))
        var error = await #expect(throws: AudioError.self) { try await AudioCapture.start(device: .virtual(card)) }
        #expect(error?.code == .deviceBusy)
        error = await #expect(throws: AudioError.self) { try await AudioPlayback.start(device: .virtual(card)) }
        #expect(error?.code == .deviceNotFound)
        await capture.stop()
        let again = try await AudioCapture.start(device: .virtual(card))
        await again.stop()
    }

    @Test func anotherFormatIsRefused() async throws {
        let card = try VirtualCard.loopback(speed: 20)
        let wide = AudioFormat(sampleRate: 48_000, channels: 2)
        let playback = try await AudioPlayback.start(device: .virtual(card))
        var error = await #expect(throws: AudioError.self) {
            try await playback.play(AudioBuffer(silentFrames: 10, format: wide))
        }
        #expect(error?.code == .formatNotSupported)
        await playback.stop()
        error = await #expect(throws: AudioError.self) {
            try await playback.play(AudioBuffer(silentFrames: 10, format: .speech))
        }
        #expect(error?.code == .closed)
    }

    @Test func manyStreamsLeaveNothingBehind() async throws {
        let before = openDescriptors()
        for _ in 0..<200 {
            let card = try VirtualCard.loopback(speed: 100)
            let capture = try await AudioCapture.start(device: .virtual(card))
            let playback = try await AudioPlayback.start(device: .virtual(card))
            try await playback.play(TestSignal.noise(frames: 320, seed: 1))
            await playback.stop()
            await capture.stop()
        }
        // Other tests run at the same time and hold some of their own.
        #expect(openDescriptors() < before + 80)
    }

    @Test func aForgottenStreamStopsByItself() async throws {
        let card = try VirtualCard(speed: 20, capture: .silence, playback: nil)
        do { _ = try await AudioCapture.start(device: .virtual(card)) }
        var isFree = false
        while !isFree {
            do {
                let capture = try await AudioCapture.start(device: .virtual(card))
                isFree = true
                await capture.stop()
            } catch { #expect(error.code == .deviceBusy) }
        }
    }

    @Test func cancellingTheConsumerEndsTheStream() async throws {
        let card = try VirtualCard(speed: 1, capture: .silence, playback: nil)
        let capture = try await AudioCapture.start(device: .virtual(card))
        let task = Task { try await collect(capture).count }
        task.cancel()
        // The sound has no end: that the consumer comes to its own end is what is shown, and that the device is free.
        _ = try await task.value
        await capture.stop()
        await capture.stop()
        await (try await AudioCapture.start(device: .virtual(card))).stop()
    }
}

// SPDX-License-Identifier: MIT
import AudioKitLinuxTestSupport
import Testing

@testable import AudioKitLinux

@Suite struct RecoveryTests {
    /// Every frame of the source says its own number.
    private static func tape(_ frame: Int) -> Float { Float(number(frame)) / 32768 }

    private static func number(_ frame: Int) -> Int16 {
        var value = UInt64(truncatingIfNeeded: frame) &* 0x9E37_79B9_7F4A_7C15
        value ^= value >> 29
        return Int16(truncatingIfNeeded: value)
    }

    private let quick = AudioRecovery(
        reopens: true, firstDelay: .milliseconds(1), maximumDelay: .milliseconds(4), patience: .milliseconds(40))

    /// Whatever happens to the device, each buffer holds exactly the frames that its position says, and what is
    /// missing between them is what the statistics call lost.
    @Test(arguments: [VirtualFault.stall, .suspend, .freeze, .fail, .unplug])
    func theStreamGoesOnAfter(_ fault: VirtualFault) async throws {
        let card = try VirtualCard(speed: 10, capture: .generator(Self.tape), playback: nil, timing: .strict)
        let capture = try await AudioCapture.start(
            device: .virtual(card), configuration: StreamConfiguration(buffer: .seconds(1), backlog: .seconds(3_600)),
            recovery: quick)
        var expected = 0
        var lost = 0
        var buffers = 0
        var after = 0
        for try await buffer in capture.buffers {
            let samples = buffer.buffer.int16Samples()
            let right = (0..<samples.count).map { Self.number(buffer.position + $0) }
            #expect(difference(samples, right) == nil)
            #expect(buffer.position >= expected)
            lost += buffer.position - expected
            expected = buffer.position + samples.count
            buffers += 1
            if buffers == 10 {
                card.inject(fault)
                if fault == .unplug { card.replug() }
            }
            let statistics = capture.statistics
            after += statistics.xruns + statistics.reopens > 0 ? 1 : 0
            // What was captured until now still comes; then the stream ends.
            if after == 10 { await capture.stop() }
        }
        let statistics = capture.statistics
        #expect(statistics.xruns + statistics.reopens > 0)
        #expect(statistics.lost == lost)
        // A restart in place may be quick enough to lose nothing; another opening is not.
        #expect(lost > 0 || statistics.reopens == 0)
        var events: [AudioSession.Event] = []
        for await event in capture.events { events.append(event) }
        let ended = events.compactMap { event in
            if case .interruptionEnded(_, let frames) = event { frames } else { nil }
        }
        #expect(!ended.isEmpty)
        guard case .active = capture.state else {
            Issue.record("\(capture.state)")
            return
        }
    }

    @Test func aCardThatStaysAwayIsGivenUp() async throws {
        let card = try VirtualCard(speed: 20, capture: .silence, playback: nil)
        var recovery = quick
        recovery.giveUpAfter = .milliseconds(30)
        let capture = try await AudioCapture.start(device: .virtual(card), recovery: recovery)
        var iterator = capture.buffers.makeAsyncIterator()
        _ = try await iterator.next()
        card.inject(.unplug)
        let error = await #expect(throws: AudioError.self) { while try await iterator.next() != nil {} }
        #expect(error?.code == .deviceNotFound)
        guard case .gone = capture.state else {
            Issue.record("\(capture.state)")
            return
        }
        await capture.stop()
    }

    @Test func theFallbackTakesOver() async throws {
        let card = try VirtualCard(speed: 20, capture: .silence, playback: nil)
        let wide = AudioFormat(sampleRate: 48_000, channels: 2)
        let other = try VirtualCard(format: wide, speed: 20, capture: .generator { _ in 0.25 }, playback: nil)
        var recovery = quick
        recovery.fallback = .virtual(other)
        let capture = try await AudioCapture.start(device: .virtual(card), recovery: recovery)
        var position = 0
        for try await buffer in capture.buffers {
            #expect(buffer.buffer.format == .speech && buffer.position >= position)
            if position == 0 { card.inject(.unplug) }
            position = buffer.position + buffer.buffer.frameCount
            if let last = buffer.buffer.samples.last, abs(last - 0.25) < 0.01 { break }
        }
        await capture.stop()
        #expect(capture.statistics.reopens == 1)
        var routes = 0
        for await event in capture.events { if case .routeChanged = event { routes += 1 } }
        #expect(routes == 1)
    }
}

@Suite struct PlaybackRecoveryTests {
    private let quick = AudioRecovery(
        reopens: true, firstDelay: .milliseconds(1), maximumDelay: .milliseconds(4), patience: .milliseconds(40))

    /// What a device held when it failed is played again by the next one: nothing is lost. A device that vanished
    /// cannot say any more how far it was, so what it played after its last word is heard twice: at most a period or
    /// two.
    @Test(arguments: [VirtualFault.stall, .suspend, .freeze, .fail, .unplug])
    func everythingIsHeardOnceAfter(_ fault: VirtualFault) async throws {
        let card = try VirtualCard(speed: 4, capture: nil, playback: .memory)
        let playback = try await AudioPlayback.start(device: .virtual(card), recovery: quick)
        let sound = TestSignal.noise(frames: 32_000, seed: 31)
        try await playback.play(sound)
        _ = await playback.audible(frame: 4_000)
        card.inject(fault)
        if fault == .unplug { card.replug() }
        try await playback.drain()
        let statistics = playback.statistics
        #expect(statistics.xruns + statistics.reopens > 0)
        #expect(playback.framesHeard == 32_000)
        await playback.stop()
        guard fault == .unplug else {
            #expect(difference(card.recorded, sound) == nil)
            return
        }
        let recorded = card.recorded.samples
        let whole = zip(recorded, sound.samples).prefix { $0 == $1 }.count
        let again = recorded.count - sound.samples.count
        #expect(again >= 0 && again <= 1_280 && whole >= 4_000)
        #expect(difference(recorded.suffix(32_000 - whole), sound.samples.suffix(32_000 - whole)) == nil)
    }

    /// The flush is asked while no device runs, and the fallback has another format than the device that was to do it.
    @Test(.timeLimit(.minutes(5))) func aFlushInAnOutageReturns() async throws {
        let card = try VirtualCard(capture: nil, playback: .discard)
        let wide = AudioFormat(sampleRate: 48_000, channels: 2)
        let other = try VirtualCard(format: wide, speed: 4, capture: nil, playback: .memory)
        let recovery = AudioRecovery(
            reopens: true, firstDelay: .milliseconds(200), maximumDelay: .milliseconds(200),
            fallback: .virtual(other), triesBeforeFallback: 1)
        let playback = try await AudioPlayback.start(device: .virtual(card), recovery: recovery)
        try await playback.play(TestSignal.noise(frames: 32_000, seed: 34))
        _ = await playback.audible(frame: 1_600)
        card.inject(.unplug)
        for await event in playback.events { if case .interruptionBegan(.deviceLost) = event { break } }
        await playback.flush()
        try await playback.play(TestSignal.sine(1_000, frames: 4_000))
        try await playback.drain()
        #expect(playback.statistics.reopens == 1)
        #expect(abs(other.recorded.frameCount - 12_000) <= 3)
        await playback.stop()
    }

    /// The tail of what drain() waits for, on a card so slow that it would be cut off if anything cut it off.
    @Test func aSlowCardPlaysTheTail() async throws {
        let card = try VirtualCard(speed: 0.3, capture: nil, playback: .memory)
        let playback = try await AudioPlayback.start(device: .virtual(card))
        let sound = TestSignal.noise(frames: 3_333, seed: 32)
        try await playback.play(sound)
        try await playback.drain()
        #expect(difference(card.recorded, sound) == nil)
        await playback.stop()
    }

    @Test(arguments: [PCMSampleType.int16, .int24, .int24Packed, .int32, .float32], [false, true])
    func everySampleTypeCarriesTheSoundExactly(_ type: PCMSampleType, isMapped: Bool) async throws {
        let card = try VirtualCard(speed: 1, capture: .loopback, playback: .memory, sampleTypes: [type])
        var configuration = StreamConfiguration(buffer: .seconds(4), backlog: .seconds(60))
        configuration.access = isMapped ? .memoryMapped : .readWrite
        let sound = TestSignal.noise(frames: 5_000, seed: 33)
        let capture = try await AudioCapture.start(device: .virtual(card), configuration: configuration)
        let playback = try await AudioPlayback.start(device: .virtual(card), configuration: configuration)
        try await playback.play(sound)
        try await playback.drain()
        #expect(difference(card.recorded, sound) == nil)
        var heard: [Int16] = []
        var loud = 0
        for try await buffer in capture.buffers {
            heard += buffer.buffer.int16Samples()
            loud += buffer.buffer.samples.count { $0 != 0 }
            if loud >= 5_000 || heard.count > 160_000 { break }
        }
        let start = heard.firstIndex { $0 != 0 } ?? 0
        #expect(difference(heard.dropFirst(start).prefix(5_000), sound.int16Samples()) == nil)
        await capture.stop()
        await playback.stop()
    }

    /// A card of 48 kHz stereo serves a stream of 16 kHz mono in both directions.
    @Test func ratesAndChannelsAreConverted() async throws {
        let wide = AudioFormat(sampleRate: 48_000, channels: 2)
        let card = try VirtualCard(format: wide, speed: 1, capture: .loopback, playback: .memory)
        let configuration = StreamConfiguration(buffer: .milliseconds(2_500), backlog: .seconds(60))
        let capture = try await AudioCapture.start(device: .virtual(card), configuration: configuration)
        let playback = try await AudioPlayback.start(device: .virtual(card), configuration: configuration)
        try await playback.play(TestSignal.sine(1_000, frames: 16_000))
        try await playback.drain()
        #expect(playback.framesHeard == 16_000)
        #expect(abs(card.recorded.frameCount - 48_000) <= 3)
        var heard: [Float] = []
        var loud = 0
        for try await buffer in capture.buffers {
            #expect(buffer.buffer.format == .speech && buffer.position == heard.count)
            heard += buffer.buffer.samples
            loud += buffer.buffer.samples.count { $0 != 0 }
            if loud >= 15_900 || heard.count > 320_000 { break }
        }
        let start = heard.firstIndex { abs($0) > 0.01 } ?? 0
        try #require(heard.count >= start + 11_200)
        let strength = TestSignal.amplitude(of: 1_000, in: heard[(start + 1_600)..<(start + 11_200)], rate: 16_000)
        #expect(abs(strength - 0.5) < 0.01)
        await capture.stop()
        await playback.stop()
    }
}

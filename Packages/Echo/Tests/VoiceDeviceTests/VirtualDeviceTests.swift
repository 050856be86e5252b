// SPDX-License-Identifier: MIT
import AudioKitLinux
import AudioKitLinuxTestSupport
import TestKit
import Testing

@testable import Echo

/// A device over a virtual card, whose every frame is known.
@Suite(.timeLimit(.minutes(5))) struct VirtualDeviceTests {
    @Test func theMicrophoneHearsTheLoudspeakerSampleForSample() async throws {
        let card = try VirtualCard.loopback(format: .voice, speed: 4)
        let stream = try await ALSAVoiceDevice(card, .wide).open()
        let sound = TestSignal.noise(frames: 24_000, format: .voice, seed: 51)
        var log = DeviceLog()
        for first in stride(from: 0, to: 24_000, by: 2_400) { stream.play(sound.frames(first..<first + 2_400).pcm16) }
        try await log.read(stream) { $0.framesHeard == 24_000 }
        try await log.read(stream) { $0.sound.last == 0 && $0.sound.contains { $0 != 0 } }
        #expect(find(sound.int16Samples(), in: log.sound) != nil)
        #expect(difference(card.recorded, sound) == nil)
        #expect(log.pieces.allSatisfy { $0 == devicePeriod })
        await stream.close()
        try await log.read(stream) { _ in false }
        #expect(log.hasFinished)
    }

    @Test func heardIsWhatTheCardPlayedAlsoAroundAFlush() async throws {
        let card = try VirtualCard.loopback(format: .voice)
        let stream = try await ALSAVoiceDevice(card, .wide).open()
        let first = TestSignal.noise(frames: 480_000, format: .voice, seed: 52)
        let second = TestSignal.noise(frames: 12_000, format: .voice, seed: 53)
        var log = DeviceLog()
        stream.play(first.pcm16)
        try await log.read(stream) { $0.framesHeard >= 10_000 }
        let heard = await stream.flush()
        #expect(heard >= 10_000 && heard < 480_000)
        stream.play(second.pcm16)
        try await log.read(stream) { $0.framesHeard == heard + 12_000 }
        await stream.close()
        let played = card.recorded
        #expect(abs(played.frameCount - log.framesHeard) <= devicePeriod, "\(played.frameCount) \(log.framesHeard)")
        // The last 7 ms fade out.
        let loud = heard - 168
        #expect(difference(played.frames(0..<loud), first.frames(0..<loud)) == nil)
        #expect(difference(played.frames(played.frameCount - 12_000..<played.frameCount), second) == nil)
        // Told at each period, and never backwards.
        #expect(zip(log.heard, log.heard.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func aClosedMicrophoneHearsNothingAndSaysSo() async throws {
        let card = try VirtualCard.loopback(format: .voice, speed: 4)
        let stream = try await ALSAVoiceDevice(card, .wide).open()
        let sound = TestSignal.noise(frames: 24_000, format: .voice, seed: 54)
        var log = DeviceLog()
        try await log.read(stream, frames: devicePeriod)
        await stream.setMuted(true)
        await stream.setMuted(true)
        stream.play(sound.pcm16)
        try await log.read(stream) { $0.framesHeard == 24_000 && $0.levels.contains { $0.output > 0.9 } }
        await stream.setMuted(false)
        try await log.read(stream) { $0.statuses.last?.status == .listening && $0.statuses.count > 1 }
        let before = log.sound.count
        stream.play(sound.pcm16)
        try await log.read(stream) { $0.framesHeard == 48_000 }
        // A card's microphone waits for a thread that is late.
        try await log.read(stream) { $0.sound.last == 0 && $0.sound.dropFirst(before).contains { $0 != 0 } }
        await stream.close()
        #expect(log.statuses.map(\.status) == [.listening, .muted, .listening])
        // Not a frame came while it was closed: what was played then is nowhere, and what came later is.
        #expect(log.statuses[1].at == log.statuses[2].at && before == log.statuses[2].at)
        #expect(log.sound[..<before].allSatisfy { $0 == 0 })
        #expect(find(sound.int16Samples(), in: Array(log.sound[before...])) != nil)
        // A closed microphone's level is none, and the loudspeaker's goes on.
        #expect(log.levels.contains { $0.output > 0.9 && $0.input == 0 })
    }

    /// One for each 50 ms of sound, at both ends.
    @Test func levelsComeTwentyTimesASecond() async throws {
        let card = try VirtualCard.loopback(format: .voice)
        let stream = try await ALSAVoiceDevice(card, .wide).open()
        // Half of full scale: 6 dB below 60.
        let sound = TestSignal.sine(1_000, amplitude: 0.5, frames: 24_000, format: .voice)
        var log = DeviceLog()
        stream.play(sound.pcm16)
        try await log.read(stream) { $0.framesHeard == 24_000 }
        // A card's microphone waits for a thread that is late, so the sound's end may come later than it was played.
        try await log.read(stream) { log in
            log.levels.contains { $0.input > 0.8 } && log.levels.suffix(4).allSatisfy { $0.input == 0 }
        }
        await stream.close()
        #expect(log.levels.count == log.sound.count / 1_200)
        for (number, level) in log.levels.enumerated() {
            // With the piece that completes it.
            #expect((0..<devicePeriod).contains(level.at - (number + 1) * 1_200), "\(number)")
        }
        let loud = log.levels.filter { $0.input > 0.89 && $0.input < 0.91 }
        #expect((18...21).contains(loud.count))
        let played = log.levels.filter { $0.output > 0.89 && $0.output < 0.91 }
        #expect((10...21).contains(played.count))
    }

    @Test func aDeviceThatComesBackGoesOnWhereItStopped() async throws {
        let card = try VirtualCard.loopback(format: .voice)
        var options = VoiceDeviceOptions.wide
        options.recovery = AudioRecovery(reopens: true, firstDelay: .milliseconds(1), maximumDelay: .milliseconds(2))
        let stream = try await ALSAVoiceDevice(card, options).open()
        let sound = TestSignal.noise(frames: 36_000, format: .voice, seed: 55)
        var log = DeviceLog()
        stream.play(sound.pcm16)
        try await log.read(stream) { $0.framesHeard >= 8_000 }
        card.inject(.fail)
        try await log.read(stream) { $0.framesHeard == 36_000 }
        try await log.read(stream, frames: 4_800)
        try await log.read(stream) { $0.statuses.count >= 2 }
        await stream.close()
        #expect(log.statuses.allSatisfy { $0.status == .listening && $0.route == "virtual" })
        #expect(difference(card.recorded, sound) == nil)
    }

    /// The microphone and the loudspeaker are pulled in mid-conversation: another device takes over.
    @Test func anotherDeviceTakesOver() async throws {
        let card = try VirtualCard.loopback(format: .voice)
        var options = VoiceDeviceOptions.wide
        let spare = try VirtualCard(format: .voice, capture: .silence, playback: .memory)
        options.recovery = AudioRecovery(
            reopens: true, firstDelay: .milliseconds(1), maximumDelay: .milliseconds(2), fallback: .virtual(spare),
            triesBeforeFallback: 1)
        let stream = try await ALSAVoiceDevice(card, options).open()
        var log = DeviceLog()
        let sound = TestSignal.noise(frames: 240_000, format: .voice, seed: 56)
        stream.play(sound.pcm16)
        try await log.read(stream) { $0.framesHeard >= 4_800 }
        card.inject(.unplug)
        // Both ends say so; it hears, and plays on.
        try await log.read(stream) { $0.statuses.count == 3 }
        try await log.read(stream, frames: 4_800)
        try await log.read(stream) { _ in spare.recorded.frameCount >= 4_800 }
        await stream.close()
        #expect(log.statuses.allSatisfy { $0.status == .listening })
        #expect(find(Array(spare.recorded.int16Samples().prefix(2_400)), in: sound.int16Samples()) != nil)
    }

    @Test func aDeviceThatStaysAwayEndsTheEventsWithWhatToDo() async throws {
        let card = try VirtualCard.loopback(format: .voice)
        var options = VoiceDeviceOptions.wide
        options.recovery = AudioRecovery(
            reopens: true, firstDelay: .milliseconds(1), maximumDelay: .milliseconds(2), giveUpAfter: .zero)
        let stream = try await ALSAVoiceDevice(card, options).open()
        var log = DeviceLog()
        try await log.read(stream, frames: devicePeriod)
        card.inject(.unplug)
        let error = await #expect(throws: EchoError.self) { try await log.read(stream) { _ in false } }
        guard case .audioError(let message)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message.contains("virtual") && message.contains("plug"), "\(message)")
        // Still to be used, to no avail, and closed.
        stream.play([1, 2])
        #expect(await stream.flush() == 0)
        await stream.close()
    }

    @Test func whatCannotBeOpenedSaysWhyAndLeavesNothingOpen() async throws {
        let card = try VirtualCard.loopback(format: .voice)
        let missing = AudioDevice.alsa("missing", configuration: "pcm.other { type null }")
        for (capture, playback) in [(missing, .virtual(card)), (.virtual(card), missing), (missing, missing)] {
            let device = ALSAVoiceDevice(capture: capture, playback: playback, options: .wide)
            let error = await #expect(throws: EchoError.self) { try await device.open() }
            guard case .audioError(let message)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(message.contains("missing"), "\(message)")
        }
        // Each direction takes one stream at a time: neither was left open.
        let stream = try await ALSAVoiceDevice(card, .wide).open()
        let busy = await #expect(throws: EchoError.self) { try await ALSAVoiceDevice(card, .wide).open() }
        guard case .audioError? = busy else {
            Issue.record("\(String(describing: busy))")
            return
        }
        await stream.close()
        await (try ALSAVoiceDevice(card, .wide).open()).close()
    }

    @Test func aCancelledOpeningLeavesNothingOpen() async throws {
        let card = try VirtualCard.loopback(format: .voice)
        let opening = Task { () -> Bool in
            withUnsafeCurrentTask { $0?.cancel() }
            do {
                await (try ALSAVoiceDevice(card, .wide).open()).close()
                return false
            } catch { return error is CancellationError }
        }
        #expect(await opening.value)
        await (try ALSAVoiceDevice(card, .wide).open()).close()
    }

    /// Whoever forgets to close the stream does not keep the devices.
    @Test func aStreamThatIsDroppedLetsGoOfTheDevices() async throws {
        let card = try VirtualCard.loopback(format: .voice)
        do {
            let stream = try await ALSAVoiceDevice(card, .wide).open()
            stream.play(TestSignal.noise(frames: 4_800, format: .voice, seed: 57).pcm16)
        }
        try await eventually("the devices can be opened again") {
            guard let stream = try? await ALSAVoiceDevice(card, .wide).open() else { return false }
            await stream.close()
            return true
        }
    }

    @Test func theEndOfACardsSoundIsTold() async throws {
        let question = TestSignal.noise(frames: 7_000, format: .voice, seed: 58)
        let card = try VirtualCard(format: .voice, speed: 4, capture: .samples(question), playback: .memory)
        let stream = try await ALSAVoiceDevice(card, .wide).open()
        var log = DeviceLog()
        try await log.read(stream) { $0.inputEnd != nil }
        #expect(log.inputEnd == 7_000)
        #expect(difference(log.sound, question.int16Samples()) == nil)
        // It can still speak.
        stream.play(question.pcm16)
        try await log.read(stream) { $0.framesHeard == 7_000 }
        await stream.close()
        #expect(difference(card.recorded, question) == nil)
    }
}

extension ALSAVoiceDevice {
    /// Both on one card.
    init(_ card: VirtualCard, _ options: VoiceDeviceOptions) {
        self.init(capture: .virtual(card), playback: .virtual(card), options: options)
    }
}

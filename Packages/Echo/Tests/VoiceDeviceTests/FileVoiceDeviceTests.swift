// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import Foundation
import TestKit
import Testing

@testable import Echo

/// Sound files for microphone and loudspeaker.
@Suite struct FileVoiceDeviceTests {
    private let folder = try? TemporaryFolder()

    private func file(_ name: String) throws -> String { try #require(folder).file(name) }

    @Test func aFileIsHeardExactlyAndThenNoise() async throws {
        let question = TestSignal.noise(frames: 10_000, format: .voice, seed: 91)
        try writeFile(try file("question.wav"), question)
        let device = try FileVoiceDevice(
            input: file("question.wav"), output: file("answer.wav"), options: .wide, speed: 4)
        let stream = try await device.open()
        var log = DeviceLog()
        try await log.read(stream) { $0.inputEnd != nil }
        #expect(difference(log.sound.prefix(10_000), question.int16Samples()) == nil)
        let end = try #require(log.inputEnd)
        // Told with the piece that has its last frame.
        #expect((10_000..<10_000 + devicePeriod).contains(end))
        try await log.read(stream, frames: 24_000)
        let noise = log.sound.dropFirst(10_000)
        #expect(noise.allSatisfy { abs($0) <= 4 } && Set(noise).count > 4)
        await stream.close()
    }

    /// Any rate, any number of channels, any encoding.
    @Test(arguments: [("flac", 44_100, 2), ("ogg", 48_000, 1), ("wav", 8_000, 1), ("opus", 48_000, 2)])
    func anyFileIsConverted(_ encoding: String, _ rate: Int, _ channels: Int) async throws {
        let format = AudioFormat(sampleRate: rate, channels: channels)
        let tone = TestSignal.sine(700, amplitude: 0.4, frames: rate / 2, format: format)
        try writeFile(try file("tone.\(encoding)"), tone)
        let device = try FileVoiceDevice(
            input: file("tone.\(encoding)"), output: file("answer.wav"), options: .wide, speed: 4)
        let stream = try await device.open()
        var log = DeviceLog()
        try await log.read(stream) { $0.inputEnd != nil }
        await stream.close()
        let end = try #require(log.inputEnd)
        #expect((12_000..<12_000 + 2 * devicePeriod).contains(end), "\(end)")
        let middle = log.sound[2_400..<9_600].map { Float($0) / 32_768 }
        #expect(abs(TestSignal.amplitude(of: 700, in: middle, rate: 24_000) - 0.4) < 0.02)
    }

    @Test func theOutputHasWhatWasHeardCutAtFlushes() async throws {
        let answer = TestSignal.noise(frames: 480_000, format: .voice, seed: 92)
        let more = TestSignal.noise(frames: 9_600, format: .voice, seed: 93)
        try writeFile(try file("question.wav"), AudioBuffer(silentFrames: 240, format: .voice))
        let device = try FileVoiceDevice(
            input: file("question.wav"), output: file("answer.wav"), options: .wide, speed: 1)
        let stream = try await device.open()
        var log = DeviceLog()
        stream.play(answer.pcm16)
        try await log.read(stream) { $0.framesHeard >= 6_000 }
        let heard = await stream.flush()
        stream.play(more.pcm16)
        try await log.read(stream) { $0.framesHeard == heard + 9_600 }
        await stream.close()
        // Once more: it is appended to, the input is over, and what was heard is counted anew.
        let again = try await device.open()
        var second = DeviceLog()
        again.play(more.pcm16)
        try await second.read(again) { $0.framesHeard == 9_600 && $0.inputEnd != nil }
        await again.close()
        try device.finish()
        let written = try readFile(try file("answer.wav"))
        #expect(written.format == .voice)
        #expect(abs(written.frameCount - heard - 19_200) <= devicePeriod)
        #expect(difference(written.frames(0..<heard - 168), answer.frames(0..<heard - 168)) == nil)
        let tail = written.frames(written.frameCount - 19_200..<written.frameCount)
        #expect(difference(tail.samples, more.samples + more.samples) == nil)
    }

    @Test func theOldFileStaysUntilTheFirstSound() async throws {
        let sound = TestSignal.noise(frames: 4_800, format: .voice, seed: 95)
        let old = TestSignal.noise(frames: 960, format: .voice, seed: 96)
        try writeFile(try file("question.wav"), AudioBuffer(silentFrames: 240, format: .voice))
        try writeFile(try file("old.wav"), old)
        #expect(chmod(try file("old.wav"), 0o640) == 0)
        #expect(symlink("old.wav", try file("answer.wav")) == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: try file(""))
        let device = try FileVoiceDevice(
            input: file("question.wav"), output: file("answer.wav"), options: .wide, speed: 4)
        // Whatever ends the program now: everything is as it was.
        #expect(try FileManager.default.contentsOfDirectory(atPath: try file("")) == names)
        let stream = try await device.open()
        var log = DeviceLog()
        try await log.read(stream) { $0.inputEnd != nil }
        #expect(difference(try readFile(try file("old.wav")), old) == nil)
        stream.play(sound.pcm16)
        try await log.read(stream) { $0.framesHeard == 4_800 }
        // And now: everything that was heard is in it.
        #expect(difference(try readFile(try file("answer.wav")), sound) == nil)
        await stream.close()
        try device.finish()
        #expect(difference(try readFile(try file("old.wav")), sound) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: try file("")) == names)
        let attributes = try FileManager.default.attributesOfItem(atPath: try file("old.wav"))
        #expect(attributes[.posixPermissions] as? Int == 0o640)

        let silent = try FileVoiceDevice(input: nil, output: file("none.wav"), options: .wide, speed: 4)
        try silent.finish()
        #expect(try FileManager.default.contentsOfDirectory(atPath: try file("")) == names)
    }

    /// A microphone and a file to speak into, and the other way round.
    @Test func eitherSideMayBeARealDevice() async throws {
        let sound = TestSignal.noise(frames: 9_600, format: .voice, seed: 94)
        let card = try VirtualCard(format: .voice, capture: .samples(sound), playback: .memory)
        let microphone = try FileVoiceDevice(
            input: nil, output: file("answer.wav"), device: .virtual(card), options: .wide, speed: 1)
        var stream = try await microphone.open()
        var log = DeviceLog()
        stream.play(sound.pcm16)
        try await log.read(stream) { $0.framesHeard == 9_600 && $0.inputEnd != nil }
        await stream.close()
        #expect(difference(log.sound, sound.int16Samples()) == nil)
        #expect(difference(try readFile(try file("answer.wav")), sound) == nil)

        let loudspeaker = try FileVoiceDevice(
            input: file("answer.wav"), output: nil, device: .virtual(card), options: .wide, speed: 1)
        stream = try await loudspeaker.open()
        log = DeviceLog()
        stream.play(sound.pcm16)
        try await log.read(stream) { $0.framesHeard == 9_600 && $0.inputEnd != nil }
        await stream.close()
        #expect(difference(log.sound.prefix(9_600), sound.int16Samples()) == nil)
        #expect(difference(card.recorded, sound) == nil)
    }

    @Test func whatCannotBeOpenedSaysWhatToDo() throws {
        try writeFile(try file("question.wav"), AudioBuffer(silentFrames: 240, format: .voice))
        let text = try #require(folder).write(Array("no sound".utf8), to: "text.wav")
        let cases = [
            (try file("missing.wav"), try file("answer.wav"), "missing.wav"),
            (text, try file("answer.wav"), "text.wav"),
            (try file("question.wav"), try file("none/answer.wav"), "none"),
            // A folder in which nobody may make a file.
            (try file("question.wav"), "/sys/answer.wav", "/sys/answer.wav"),
            (try file("question.wav"), try file("./question.wav"), "overwritten"),
        ]
        for (input, output, word) in cases {
            let error = #expect(throws: AudioError.self) { try FileVoiceDevice(input: input, output: output) }
            let message = try #require(error).message
            #expect(message.contains(word) && !message.contains(".part"), "\(message)")
        }
        // The input is as it was.
        #expect(try readFile(try file("question.wav")).frameCount == 240)
    }
}

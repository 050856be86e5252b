// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import Glibc
import TestKit
import Testing

@Suite("Recording and playing files")
struct RecordingTests {
    private func card(_ folder: borrowing TemporaryFolder, frames: Int) throws -> (VirtualCard, AudioBuffer) {
        let sound = TestSignal.noise(frames: frames, seed: 5)
        try writeFile(folder.file("in.wav"), sound)
        return (
            try VirtualCard.file(input: folder.file("in.wav"), output: nil, trailingSilence: .zero, speed: 20), sound
        )
    }

    private var configuration: SoundRecorder.Configuration {
        var configuration = SoundRecorder.Configuration()
        configuration.format = .speech
        return configuration
    }

    @Test("what is heard is in the file, sample for sample")
    func exact() async throws {
        let folder = try TemporaryFolder()
        let (card, sound) = try card(folder, frames: 16_000)
        let summary = try await SoundRecorder(device: .virtual(card), configuration: configuration)
            .record(to: folder.file("out.wav"))
        #expect(summary.duration == .seconds(1))
        guard case .soundEnded = summary.ending else { return #expect(Bool(false), "ended by \(summary.ending)") }
        let read = try SoundFileReader(path: folder.file("out.wav")).readAll(as: .speech)
        #expect(difference(read.int16Samples()[...], sound.int16Samples()) == nil)
    }

    @Test("the limit cuts within a period, and a rest leaves out what is heard meanwhile")
    func limitAndRest() async throws {
        let folder = try TemporaryFolder()
        var limited = configuration
        limited.limit = .milliseconds(105)
        let (card, sound) = try card(folder, frames: 16_000)
        let control = TransportControl()
        control.togglePause()
        var periods = 0
        let summary = try await SoundRecorder(device: .virtual(card), configuration: limited)
            .record(to: folder.file("out.wav"), control: control) { progress in
                periods += 1
                #expect(progress.isPaused == (periods <= 5))
                if periods == 5 { control.togglePause() }
            }
        #expect(summary.duration == .milliseconds(105))
        let read = try SoundFileReader(path: folder.file("out.wav")).readAll(as: .speech)
        #expect(difference(read.int16Samples()[...], sound.frames(1_600..<1_600 + 1_680).int16Samples()) == nil)
    }

    @Test("a device that goes keeps what was recorded")
    func unplugged() async throws {
        let folder = try TemporaryFolder()
        let (card, _) = try card(folder, frames: 160_000)
        let summary = try await SoundRecorder(device: .virtual(card), configuration: configuration)
            .record(to: folder.file("out.wav")) { progress in
                if progress.duration == .milliseconds(200) { card.inject(.unplug) }
            }
        guard case .failed(let error) = summary.ending else { return #expect(Bool(false), "\(summary.ending)") }
        #expect(error.code == .unplugged)
        #expect(summary.duration >= .milliseconds(200))
        #expect(try SoundFileReader(path: folder.file("out.wav")).duration == summary.duration)
    }

    @Test func `a recording outlives its microphone and goes on with another`() async throws {
        let folder = try TemporaryFolder()
        let (first, _) = try card(folder, frames: 160_000)
        let (second, _) = try card(folder, frames: 160_000)
        let control = TransportControl()
        let summary = try await SoundRecorder(device: .virtual(first), configuration: configuration)
            .record(
                to: folder.file("out.wav"), control: control,
                report: { progress in
                    if progress.duration == .milliseconds(200) { first.inject(.unplug) }
                    if progress.duration >= .milliseconds(600) { control.stop() }
                },
                replacement: { error in
                    #expect(error.code == .unplugged)
                    #expect(control.isPaused)
                    control.resume()
                    return .virtual(second)
                })
        guard case .stopped = summary.ending else { return #expect(Bool(false), "\(summary.ending)") }
        #expect(summary.duration >= .milliseconds(600))
        #expect(try SoundFileReader(path: folder.file("out.wav")).duration == summary.duration)
    }

    @Test func `a microphone that is replaced is left, and its recording goes on`() async throws {
        let folder = try TemporaryFolder()
        let (first, _) = try card(folder, frames: 160_000)
        let (second, _) = try card(folder, frames: 160_000)
        let control = TransportControl()
        let summary = try await SoundRecorder(device: .virtual(first), configuration: configuration)
            .record(
                to: folder.file("out.wav"), control: control,
                report: { progress in
                    if progress.duration == .milliseconds(200) {
                        control.replaceDevice(AudioError(.deviceChanged, "Another one."))
                    }
                    if progress.duration >= .milliseconds(600) { control.stop() }
                },
                replacement: { error in
                    #expect(error.code == .deviceChanged && control.isPaused)
                    control.resume()
                    return .virtual(second)
                })
        guard case .stopped = summary.ending else { return #expect(Bool(false), "\(summary.ending)") }
        #expect(summary.duration >= .milliseconds(600))
        #expect(try SoundFileReader(path: folder.file("out.wav")).duration == summary.duration)
    }

    @Test func `whoever goes on with no other microphone keeps the recording`() async throws {
        let folder = try TemporaryFolder()
        let (card, _) = try card(folder, frames: 160_000)
        let control = TransportControl()
        let summary = try await SoundRecorder(device: .virtual(card), configuration: configuration)
            .record(
                to: folder.file("out.wav"), control: control,
                report: { if $0.duration == .milliseconds(200) { card.inject(.unplug) } },
                replacement: { _ in
                    control.stop()
                    return .default
                })
        guard case .stopped = summary.ending else { return #expect(Bool(false), "\(summary.ending)") }
        #expect(try SoundFileReader(path: folder.file("out.wav")).duration == summary.duration)
        #expect(summary.duration >= .milliseconds(200))
    }

    @Test("a recording that is there is not replaced unless it may be")
    func existing() async throws {
        let folder = try TemporaryFolder()
        let (card, _) = try card(folder, frames: 1_600)
        let error = await #expect(throws: AudioError.self) {
            try await SoundRecorder(device: .virtual(card), configuration: configuration).record(
                to: folder.file("in.wav"))
        }
        #expect(error?.code == .fileExists)
        var replacing = configuration
        replacing.replacesFile = true
        try writeFile(folder.file("old.wav"), TestSignal.noise(frames: 9_000, seed: 1))
        let summary = try await SoundRecorder(device: .virtual(card), configuration: replacing)
            .record(to: folder.file("old.wav"))
        #expect(summary.duration == .milliseconds(100))
    }

    @Test func `of two recordings into one new file only one begins`() async throws {
        let folder = try TemporaryFolder()
        let (first, sound) = try card(folder, frames: 16_000)
        let (second, _) = try card(folder, frames: 16_000)
        let (configuration, path) = (configuration, folder.file("out.wav"))
        let codes = await withTaskGroup(of: AudioError.Code?.self) { group in
            for card in [first, second] {
                group.addTask {
                    let recorder = SoundRecorder(device: .virtual(card), configuration: configuration)
                    do throws(AudioError) { _ = try await recorder.record(to: path) } catch { return error.code }
                    return nil
                }
            }
            return await group.reduce(into: [AudioError.Code?]()) { $0.append($1) }
        }
        #expect(codes.contains(nil) && codes.contains(.fileExists), "\(codes)")
        let read = try SoundFileReader(path: path).readAll(as: .speech)
        #expect(difference(read.int16Samples()[...], sound.int16Samples()) == nil)
    }

    @Test(arguments: ["in.wav", "link.wav"]) func `a file is not recorded over itself`(name: String) async throws {
        let folder = try TemporaryFolder()
        let (card, sound) = try card(folder, frames: 1_600)
        #expect(symlink(folder.file("in.wav"), folder.file("link.wav")) == 0)
        var replacing = configuration
        replacing.replacesFile = true
        let error = await #expect(throws: AudioError.self) {
            try await SoundRecorder(device: .virtual(card), configuration: replacing).record(to: folder.file(name))
        }
        #expect(error?.code == .fileNotWritable)
        #expect(try difference(readFile(folder.file("in.wav")), sound) == nil)
    }

    @Test("a file is played sample for sample, also from its middle")
    func playing() async throws {
        let folder = try TemporaryFolder()
        let sound = TestSignal.noise(frames: 8_000, seed: 3)
        try writeFile(folder.file("in.wav"), sound)
        for start in [0, 4_000] {
            let card = try VirtualCard.loopback(speed: 4)
            let position = try await SoundPlayer(device: .virtual(card))
                .play(folder.file("in.wav"), from: AudioFormat.speech.duration(ofFrames: start))
            #expect(position == .milliseconds(500))
            #expect(difference(card.recorded, sound.frames(start..<8_000)) == nil)
        }
    }

    @Test("a player that rests is silent until it goes on, and stops when it is told")
    func resting() async throws {
        let folder = try TemporaryFolder()
        try writeFile(folder.file("in.wav"), TestSignal.noise(frames: 160_000, seed: 3))
        let card = try VirtualCard.loopback(speed: 20)
        let control = TransportControl()
        var rests = 0
        let position = try await SoundPlayer(device: .virtual(card)).play(folder.file("in.wav"), control: control) {
            if $0.isPaused {
                rests += 1
                control.togglePause()
            } else if rests < 3 {
                control.togglePause()
            } else {
                control.stop()
            }
        }
        #expect(rests == 3)
        #expect(position < .seconds(2))
    }
}

// SPDX-License-Identifier: MIT

import AudioKitLinux
import Foundation
import SealedRecordings
import Testing

/// What is made of a sealed recording: plain files, and sound on a loudspeaker.
@Suite struct RecordingExportTests {
    private let folder: RecordingTestFolder

    init() throws { folder = try RecordingTestFolder() }

    @Test(arguments: ["out.wav", "out.flac", "out.opus"], [SoundFileEncoding.flac16, .oggOpus])
    func aPlainFileIsMade(_ name: String, _ encoding: SoundFileEncoding) async throws {
        let sound = recordedSound(frames: 40_000, seed: 1)
        try await folder.record(sound, as: "one", encoding: encoding)
        let reader = try await folder.open("one")
        try await reader.export(to: folder.file(name))
        #expect(folder.names == ["one", name].sorted())
        #expect(try folder.mode(of: name) == 0o600)
        let plain = try SoundFileReader(path: folder.file(name))
        #expect(!plain.isTruncated)
        #expect(plain.frameCount == 40_000)
        let read = try plain.readAll(as: .speech)
        if encoding == .flac16, name != "out.opus" { #expect(read == sound) }
        if encoding == .oggOpus, name == "out.opus" {
            #expect(try Data(folder.bytes(of: name)) == (try await reader.encodedBytes(at: 0, maximum: .max)))
        }
    }

    @Test func aFileThatIsThereStaysUnlessItMayGo() async throws {
        let sound = recordedSound(frames: 8_000, seed: 2)
        try await folder.record(sound, as: "one", encoding: .flac16)
        try folder.write("mine".utf8, to: "out.wav")
        let reader = try await folder.open("one")
        #expect(await recordingCode { try await reader.export(to: folder.file("out.wav")) } == .alreadyExists)
        #expect(try folder.bytes(of: "out.wav") == Array("mine".utf8))
        try await reader.export(to: folder.file("out.wav"), replacing: true)
        #expect(try SoundFileReader(path: folder.file("out.wav")).readAll(as: .speech) == sound)
        #expect(await recordingCode { try await reader.export(to: folder.file("no/out.wav")) } == .notFound)
        #expect(folder.names == ["one", "out.wav"])
    }

    @Test func whatFailsLeavesNothingBehind() async throws {
        let format = AudioFormat(sampleRate: 44_100)
        try await folder.record(recordedSound(frames: 44_100, format: format, seed: 3), as: "one", encoding: .flac16)
        let reader = try await folder.open("one")
        #expect(await recordingCode { try await reader.export(to: folder.file("out.opus")) } == .formatNotSupported)
        #expect(folder.names == ["one"])
        let exporting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await reader.export(to: folder.file("out.wav"))
        }
        await #expect(throws: CancellationError.self) { try await exporting.value }
        #expect(folder.names == ["one"])
    }

    @Test(arguments: [SoundFileEncoding.flac16, .oggOpus])
    func whatWasNeverCompletedIsExportedToo(_ encoding: SoundFileEncoding) async throws {
        let sound = recordedSound(frames: 64_000, seed: 4)
        try await folder.record(sound, as: "one", encoding: encoding)
        try folder.write(folder.bytes(of: "one").dropLast(9_000), to: "cut")
        let reader = try await folder.open("cut", id: "one")
        for name in ["out.wav", "out.flac", "out.opus"] {
            try await reader.export(to: folder.file(name))
            let plain = try SoundFileReader(path: folder.file(name))
            #expect(plain.frameCount == reader.frameCount && !plain.isTruncated, "\(name)")
        }
    }

    @Test func aRecordingIsPlayedFromAnyPlace() async throws {
        let sound = recordedSound(frames: 8_000, seed: 5)
        try await folder.record(sound, as: "one", encoding: .flac16)
        for start in [0, 4_000] {
            let card = try VirtualCard.loopback(speed: 4)
            let heard = try await SoundPlayer(device: .virtual(card)).play(
                try await folder.open("one"), from: AudioFormat.speech.duration(ofFrames: start))
            #expect(heard == .milliseconds(500))
            #expect(card.recorded == sound.frames(start..<8_000))
        }
    }
}

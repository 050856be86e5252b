// SPDX-License-Identifier: MIT

import AudioKitLinux
import Foundation
import Glibc
import SealedRecordings
import Security
import TestKit
import Testing

/// Recordings in sealed files, written and read.
@Suite struct SealedRecordingTests {
    private static let encodings: [SoundFileEncoding] = [.flac16, .flac24, .oggOpus]
    private let folder: RecordingTestFolder

    init() throws { folder = try RecordingTestFolder() }

    @Test(
        arguments: encodings,
        [AudioFormat.speech, AudioFormat(sampleRate: 48_000), AudioFormat(sampleRate: 48_000, channels: 2)])
    func whatIsRecordedIsRead(_ encoding: SoundFileEncoding, _ format: AudioFormat) async throws {
        let sound = recordedSound(frames: format.sampleRate * 2 + 123, format: format, seed: 1)
        let made = try await folder.record(sound, as: "one", encoding: encoding)
        let reader = try await folder.open("one")
        #expect(reader.recording == made)
        #expect(made.isComplete && made.frameCount == sound.frameCount && made.format == format)
        #expect(made.startedAt == RecordingTestFolder.start)
        let read = try await wholeSound(reader)
        #expect(read.frameCount == sound.frameCount)
        if encoding.isLossless { #expect(read == sound) }

        let encoded = try await reader.encodedBytes(at: 0, maximum: .max)
        #expect(encoded.count == made.byteCount)
        #expect(try made.sha256 == SHA256.hash(encoded))
        #expect(try await reader.digest() == made.sha256)
        #expect(encoded.starts(with: Array((encoding == .oggOpus ? "OggS" : "fLaC").utf8)))
        let sealed = try folder.bytes(of: "one")
        #expect(sealed.count == made.fileByteCount)
        #expect(Data(sealed).range(of: encoded.prefix(8)) == nil)
        #expect(Data(sealed).range(of: encoded.dropFirst(encoded.count / 2).prefix(12)) == nil)
        #expect(try folder.mode(of: "one") == 0o600)
        #expect(folder.names == ["one"])
    }

    @Test func anyPlaceIsReached() async throws {
        let sound = recordedSound(frames: 96_000, seed: 2)
        try await folder.record(sound, as: "one", encoding: .flac16)
        let reader = try await folder.open("one")
        let encoded = try await reader.encodedBytes(at: 0, maximum: .max)
        var random = SeededGenerator(seed: 2)
        for _ in 0..<60 {
            let frame = Int.random(in: 0..<96_000, using: &random)
            try await reader.seek(toFrame: frame)
            let piece = try #require(try await reader.read(frames: 700))
            #expect(piece == sound.frames(frame..<frame + piece.frameCount), "frame \(frame)")
            let offset = Int.random(in: 0...encoded.count, using: &random)
            let count = Int.random(in: 0...9_000, using: &random)
            let bytes = try await reader.encodedBytes(at: offset, maximum: count)
            #expect(bytes == encoded.dropFirst(offset).prefix(count), "\(count) bytes from \(offset) on")
        }
        // Backwards, from where a slot begins each time.
        for slot in (0...5).reversed() {
            let bytes = try await reader.encodedBytes(at: slot * 4_088, maximum: 10)
            #expect(bytes == encoded.dropFirst(slot * 4_088).prefix(10), "slot \(slot)")
        }
        #expect(try await reader.encodedBytes(at: encoded.count, maximum: 10).isEmpty)
        #expect(try await reader.encodedBytes(at: .max, maximum: .max).isEmpty)
        try await reader.seek(toFrame: 96_000)
        #expect(try await reader.read(frames: 10) == nil)
    }

    /// Everything is on the disk once in a second of sound, whatever the sound is: silence has next to no bytes.
    @Test(arguments: encodings, [false, true])
    func whatWasWrittenIsOnTheDisk(_ encoding: SoundFileEncoding, _ isSilent: Bool) async throws {
        let writer = try await SealedRecordingWriter.create(
            at: folder.file("one"), id: "one", key: folder.key, format: .speech, encoding: encoding,
            startedAt: RecordingTestFolder.start)
        let sound =
            isSilent ? AudioBuffer(silentFrames: 160_000, format: .speech) : recordedSound(frames: 160_000, seed: 3)
        let loss = AudioFormat.speech.frames(in: SealedRecordingWriter.longestLoss)
        var random = SeededGenerator(seed: 3)
        for start in stride(from: 0, to: 160_000, by: 320) {
            try await writer.write(sound.frames(start..<start + 320))
            guard start > 16_000, Int.random(in: 0..<25, using: &random) == 0 else { continue }
            // What a process that was killed now would leave.
            try folder.write(folder.bytes(of: "one"), to: "killed")
            let left = try await folder.open("killed", id: "one")
            #expect(!left.recording.isComplete)
            #expect(left.frameCount <= start + 320)
            #expect(left.frameCount >= start + 320 - loss, "\(left.frameCount) of \(start + 320)")
            if encoding.isLossless {
                let read = try await wholeSound(left)
                #expect(read == sound.frames(0..<left.frameCount))
            }
        }
    }

    @Test(arguments: encodings) func aFileThatIsCutIsReadUpToThere(_ encoding: SoundFileEncoding) async throws {
        let sound = recordedSound(frames: 64_000, seed: 4)
        try await folder.record(sound, as: "one", encoding: encoding)
        let sealed = try folder.bytes(of: "one")
        let reader = try await folder.open("one")
        let encoded = try await reader.encodedBytes(at: 0, maximum: .max)
        var random = SeededGenerator(seed: 4)
        for cut in (0..<25).map({ _ in Int.random(in: 0..<sealed.count, using: &random) }) + [
            0, 63, 64, sealed.count - 1,
        ] {
            try folder.write(sealed.prefix(cut), to: "cut")
            do {
                let left = try await folder.open("cut", id: "one")
                #expect(!left.recording.isComplete && left.recording.sha256 == nil)
                let bytes = try await left.encodedBytes(at: 0, maximum: .max)
                #expect(bytes == encoded.prefix(bytes.count) && bytes.count == left.recording.byteCount)
                #expect(try await left.digest() == SHA256.hash(bytes))
                let read = try await wholeSound(left)
                #expect(read.frameCount == left.frameCount, "cut at \(cut)")
                if encoding.isLossless { #expect(read == sound.frames(0..<read.frameCount), "cut at \(cut)") }
            } catch let error as RecordingError {
                #expect(
                    cut < 20_000 && (error.code == .empty || cut >= 64 && error.code == .damaged),
                    "cut at \(cut): \(error)")
            }
        }
    }

    @Test func `the digest of an incomplete recording is computed once`() async throws {
        try await folder.record(recordedSound(frames: 64_000, seed: 9), as: "one", encoding: .flac16)
        try folder.write(folder.bytes(of: "one").dropLast(10_000), to: "cut")
        let reader = try await folder.open("cut", id: "one")
        #expect(!reader.recording.isComplete)
        let digest = try await reader.digest()
        #expect(truncate(folder.file("cut"), 0) == 0)
        #expect(try await reader.digest() == digest, "a second reading would fail")
    }

    /// Whatever is changed, no other sound comes out.
    @Test func aFileThatWasChangedNeverGivesOtherSound() async throws {
        let sound = recordedSound(frames: 48_000, seed: 5)
        try await folder.record(sound, as: "one", encoding: .flac16)
        let sealed = try folder.bytes(of: "one")
        var random = SeededGenerator(seed: 5)
        for _ in 0..<60 {
            let place = Int.random(in: 0..<sealed.count, using: &random)
            var changed = sealed
            changed[place] ^= 1 << Int.random(in: 0..<8, using: &random)
            try folder.write(changed, to: "changed")
            guard let reader = try? await folder.open("changed", id: "one") else { continue }
            do {
                let read = try await wholeSound(reader)
                #expect(read == sound.frames(0..<read.frameCount) && !reader.recording.isComplete, "byte \(place)")
            } catch let error as AudioError {
                #expect(error.code == .io, "byte \(place): \(error)")
            }
        }
    }

    @Test func onlyTheKeyAndTheIdentifierOpenIt() async throws {
        try await folder.record(recordedSound(frames: 16_000, seed: 6), as: "one", encoding: .flac16)
        let other = try SymmetricKey()
        let path = folder.file("one")
        #expect(
            await recordingCode { _ = try await SealedRecordingReader.open(path, id: "one", key: other) } == .wrongKey)
        #expect(await recordingCode { _ = try await folder.open("one", id: "two") } == .wrongKey)
        #expect(await recordingCode { _ = try await folder.open("none") } == .notFound)
        let plain = try await SealedFileWriter.create(
            at: folder.file("plain"), key: folder.key, context: Array("parley recording\nplain".utf8), chunkExponent: 12
        )
        try await plain.append(Data(count: 20_000))
        try await plain.finish()
        #expect(await recordingCode { _ = try await folder.open("plain") } == .damaged)
    }

    @Test func aNewFileIsRefusedWhereItCannotBe() async throws {
        try folder.write("mine".utf8, to: "taken")
        func code(_ name: String, _ encoding: SoundFileEncoding, rate: Int = 16_000) async -> RecordingError.Code? {
            await recordingCode {
                _ = try await SealedRecordingWriter.create(
                    at: folder.file(name), id: name, key: folder.key, format: AudioFormat(sampleRate: rate),
                    encoding: encoding, startedAt: RecordingTestFolder.start)
            }
        }
        #expect(await code("taken", .flac16) == .alreadyExists)
        #expect(await code("nowhere/one", .flac16) == .notFound)
        #expect(await code("one", .wavPCM16) == .formatNotSupported)
        #expect(await code("one", .oggOpus, rate: 44_100) == .formatNotSupported)
        let imported = await recordingCode {
            _ = try await SealedRecordingImport.create(
                at: folder.file("one"), id: "one", key: folder.key, format: .speech, encoding: .wavPCM16,
                startedAt: RecordingTestFolder.start)
        }
        #expect(imported == .formatNotSupported)
        #expect(folder.names == ["taken"])
        #expect(try folder.bytes(of: "taken") == Array("mine".utf8))
    }

    @Test func aCompletedRecordingTakesNoMore() async throws {
        let writer = try await SealedRecordingWriter.create(
            at: folder.file("one"), id: "one", key: folder.key, format: .speech, startedAt: RecordingTestFolder.start)
        try await writer.write(recordedSound(frames: 5_000, seed: 7))
        let made = try await writer.finish()
        #expect(try await writer.finish() == made)
        await #expect(throws: AudioError.self) { try await writer.write(recordedSound(frames: 10, seed: 7)) }
        try await writer.close()
        #expect(try await folder.open("one").recording == made)
    }
}

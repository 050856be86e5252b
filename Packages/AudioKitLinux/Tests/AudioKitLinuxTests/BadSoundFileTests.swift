// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import Foundation
import TestKit
import Testing

@Suite struct BadSoundFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func filesThatCannotBeReadSayWhy() throws {
        #expect(failure(of: folder.file("none.wav")) == .fileNotFound)
        #expect(failure(of: try folder.write([], to: "empty.wav")) == .emptyFile)
        #expect(failure(of: try folder.write("no sound in here, only words".utf8, to: "text.wav")) == .notASoundFile)
        #expect(failure(of: try folder.write(Array("RIFF".utf8) + [9, 9, 9], to: "stub.wav")) == .truncatedFile)
        #expect(failure(of: folder.path) == .fileNotReadable)
        #expect(failure(of: "/dev/null") == .fileNotReadable)
        #expect(failure(of: "/dev/zero") == .fileNotReadable)
        #expect(failure(of: "/proc/version") != nil)
        #expect(failure(of: folder.file("none/x.wav")) == .fileNotFound)
        let silent = folder.file("zero.wav")
        try SoundFileWriter(path: silent, format: .speech).close()
        #expect(failure(of: silent) == .emptyFile)
    }

    @Test func aPipeIsRefusedWithoutWaiting() throws {
        let pipe = folder.file("pipe.wav")
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(failure(of: pipe) == .fileNotReadable)
    }

    @Test func aForbiddenFileIsSaidToBeForbidden() throws {
        let path = folder.file("secret.wav")
        try writeFile(path, TestSignal.noise(frames: 10, seed: 1))
        try #require(chmod(path, 0) == 0)
        // Root may read everything: this thread's file access becomes nobody's for a moment. No suspension in between.
        let isRoot = getuid() == 0
        // The C library has it, the Glibc module does not declare it.
        typealias SetFileUser = @convention(c) (UInt32) -> Int32
        let setFileUser = unsafeBitCast(try #require(dlsym(dlopen(nil, RTLD_NOW), "setfsuid")), to: SetFileUser.self)
        if isRoot { _ = setFileUser(65_534) }
        defer { if isRoot { _ = setFileUser(0) } }
        #expect(failure(of: path) == .fileNotReadable)
        #expect(code { _ = try SoundFileWriter(path: path, format: .speech) } == .fileNotWritable)
    }

    @Test func aTruncatedWavGivesWhatIsThere() throws {
        let path = folder.file("cut.wav")
        let sound = TestSignal.noise(frames: 10_000, seed: 1)
        try writeFile(path, sound)
        try #require(truncate(path, 44 + 2 * 4_000) == 0)
        let reader = try SoundFileReader(path: path)
        #expect(reader.isTruncated)
        #expect(reader.frameCount == 4_000)
        let rest = try reader.readAll(as: .speech)
        #expect(difference(rest.samples, sound.samples.prefix(4_000)) == nil)
    }

    @Test func aTruncatedFlacGivesTheBeginning() throws {
        let path = folder.file("cut.flac")
        let sound = TestSignal.noise(frames: 40_000, seed: 1)
        try writeFile(path, sound)
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        try #require(truncate(path, off_t(size / 2)) == 0)
        let reader = try SoundFileReader(path: path)
        let rest = try reader.readAll(as: .speech)
        #expect(reader.isTruncated)
        #expect(rest.frameCount > 10_000 && rest.frameCount < 40_000)
        #expect(difference(rest.samples, sound.samples.prefix(rest.frameCount)) == nil)
    }

    /// STREAMINFO says 0 samples, which means an unknown number (RFC 9639 §8.2): a few bytes of silence could be hours.
    private func flacOfUnknownLength(seconds: Int) throws -> String {
        let path = folder.file("unknown.flac")
        try writeFile(path, AudioBuffer(silentFrames: 16_000 * seconds, format: .speech))
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        bytes[21] &= 0xF0
        for index in 22...25 { bytes[index] = 0 }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `frames are counted up to a limit`() throws {
        let path = try flacOfUnknownLength(seconds: 20)
        #expect(try SoundFileReader(path: path, longest: .seconds(30)).frameCount == 320_000)
        #expect(try SoundFileReader(path: path).read(frames: .max)?.frameCount == 320_000)
        #expect(code { _ = try SoundFileReader(path: path, longest: .seconds(10)) } == .tooLong)
    }

    @Test func `counting frames ends with its task`() async throws {
        let path = try flacOfUnknownLength(seconds: 20)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return code { _ = try SoundFileReader(path: path) }
        }
        #expect(await task.value == .closed)
    }

    @Test func aWholeFileIsNotTruncated() throws {
        for name in ["whole.wav", "whole.flac", "whole.ogg"] {
            try writeFile(folder.file(name), TestSignal.sine(440, frames: 10_000))
            let reader = try SoundFileReader(path: folder.file(name))
            #expect(try reader.readAll(as: .speech).frameCount == 10_000)
            #expect(!reader.isTruncated, "\(name)")
        }
    }

    @Test func everyCutAndEveryFlippedByteIsSurvived() throws {
        let path = folder.file("small.wav")
        try writeFile(path, TestSignal.noise(frames: 100, seed: 1))
        let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        for length in 0..<whole.count {
            read(try folder.write(whole.prefix(length), to: "piece.wav"))
        }
        for index in 0..<44 {
            for value in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
                var bytes = whole
                bytes[index] = value
                read(try folder.write(bytes, to: "piece.wav"))
            }
        }
    }

    @Test func refusedFilesLeaveNoDescriptorBehind() throws {
        let text = try folder.write("no sound in here, only words".utf8, to: "text.wav")
        let before = openDescriptors()
        for _ in 0..<300 { #expect(failure(of: text) == .notASoundFile) }
        for _ in 0..<300 { #expect(code { _ = try SoundFileWriter(path: "/dev/full", format: .speech) } == .diskFull) }
        // Other tests run at the same time and hold some of their own.
        #expect(openDescriptors() < before + 200)
    }

    @Test func aSilentFileIsJustSilent() throws {
        let path = folder.file("silent.wav")
        try writeFile(path, AudioBuffer(silentFrames: 16_000, format: .speech))
        #expect(AudioLevel(of: try readFile(path)).peak == AudioLevel.floor)
    }

    @Test func aHugeFileIsStreamed() throws {
        // 1 GB of 48 kHz stereo: a header and a hole in the file system.
        let path = folder.file("huge.wav")
        let format = AudioFormat(sampleRate: 48_000, channels: 2)
        try writeFile(path, TestSignal.sine(440, frames: 1_000, format: format))
        let size = 1_000_000_000
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.truncate(atOffset: UInt64(size))
        for (offset, value) in [(4, size - 8), (40, size - 44)] {
            try handle.seek(toOffset: UInt64(offset))
            try handle.write(contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
        }
        try handle.close()
        let reader = try SoundFileReader(path: path)
        #expect(reader.frameCount == (size - 44) / 4 && !reader.isTruncated)
        var frames = 0
        while frames < 200_000, let piece = try reader.readConverted(to: .speech) { frames += piece.frameCount }
        #expect(frames >= 200_000)
        // A third as many at 16 kHz; it reads little more than what was asked for.
        #expect(reader.framesRead < frames * 3 + 100_000, "\(reader.framesRead)")
    }

    /// A header may claim a frame a second: what it becomes at 16 kHz is made as it is asked for, not for 4,096 frames at once.
    @Test func aFileOfFewFramesASecondIsStreamedToo() throws {
        let path = folder.file("slow.wav")
        try writeFile(path, TestSignal.sine(440, frames: 8_000))
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.seek(toOffset: 24)
        try handle.write(contentsOf: [1, 0, 0, 0])
        try handle.close()
        let reader = try SoundFileReader(path: path)
        #expect(reader.format.sampleRate == 1)
        for piece in 1...20 {
            #expect(try reader.readConverted(to: .speech, frames: 4_000)?.frameCount == 4_000)
            #expect(reader.framesRead <= piece + 100, "\(reader.framesRead) frames for \(piece) quarters of a second")
        }
    }

    private func failure(of path: String) -> AudioError.Code? {
        code {
            _ = try SoundFileReader(path: path)
        }
    }

    /// Reads to the end; any `AudioError` is as good as sound.
    private func read(_ path: String) {
        do {
            let reader = try SoundFileReader(path: path)
            _ = try reader.readAll(as: .speech, maximum: .seconds(10))
        } catch { #expect(!error.message.isEmpty) }
    }
}

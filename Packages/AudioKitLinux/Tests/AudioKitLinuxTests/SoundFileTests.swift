// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import Foundation
import TestKit
import Testing

@Suite struct SoundFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: SoundFileEncoding.allCases, [1, 2])
    func roundTrip(_ encoding: SoundFileEncoding, channels: Int) throws {
        let format = AudioFormat(sampleRate: 16_000, channels: channels)
        let sound = TestSignal.sine(440, amplitude: 0.8, frames: 8_000, format: format)
        let exact = AudioBuffer(int16: sound.int16Samples(), format: format)
        let path = folder.file("sound-\(encoding.rawValue)-\(channels)")
        try writeFile(path, exact, encoding: encoding)
        let back = try readFile(path)
        #expect(back.format == format)
        #expect(back.frameCount == 8_000)
        if !encoding.isLossless {
            let left = stride(from: 4_000 * channels, to: 7_000 * channels, by: channels).map { back.samples[$0] }
            #expect(abs(TestSignal.amplitude(of: 440, in: left, rate: 16_000) - 0.8) < 0.1)
        } else {
            #expect(difference(back, exact) == nil)
        }
    }

    @Test func floatsKeepEveryBit() throws {
        let sound = AudioBuffer(samples: [0.1, -0.123456, 1.5, -2, .leastNonzeroMagnitude], format: .speech)
        let path = folder.file("float.wav")
        try writeFile(path, sound, encoding: .wavFloat)
        #expect(try readFile(path) == sound)
    }

    @Test func every16BitValueSurvives() throws {
        let all = AudioBuffer(int16: Array(Int16.min...Int16.max), format: .speech)
        #expect(difference(all.int16Samples(), Array(Int16.min...Int16.max)) == nil)
        for name in ["all.wav", "all.flac"] {
            try writeFile(folder.file(name), all)
            #expect(try difference(readFile(folder.file(name)), all) == nil)
        }
    }

    @Test func theNameChoosesTheEncoding() throws {
        #expect(SoundFileEncoding(path: "a.FLAC") == .flac16)
        #expect(SoundFileEncoding(path: "a.oga") == .oggVorbis)
        #expect(SoundFileEncoding(path: "a.wav") == .wavPCM16)
        #expect(SoundFileEncoding(path: "a") == .wavPCM16)
        #expect(try SoundFileEncoding.named("a.Opus") == .oggOpus)
        #expect(code { _ = try SoundFileEncoding.named("a.xyz") } == .formatNotSupported)
        #expect(Set(SoundFileEncoding.available).isSuperset(of: [.wavPCM16, .wavPCM24, .wavFloat]))
    }

    @Test func theFileIsWholeAfterEveryWrite() throws {
        let path = folder.file("growing.wav")
        let sound = TestSignal.noise(frames: 500, seed: 1)
        let writer = try SoundFileWriter(path: path, format: .speech)
        for round in 1...3 {
            try writer.write(sound)
            #expect(try readFile(path).frameCount == 500 * round)
        }
        #expect(writer.framesWritten == 1_500)
        try writer.close()
        try writer.close()
        #expect(code { try writer.write(sound) } == .closed)
        #expect(code { try writer.write(AudioBuffer(silentFrames: 1, format: AudioFormat(sampleRate: 8_000))) } != nil)
    }

    @Test func anExistingFileIsReplaced() throws {
        let path = folder.file("twice.wav")
        try writeFile(path, TestSignal.noise(frames: 5_000, seed: 1))
        try writeFile(path, TestSignal.noise(frames: 100, seed: 2))
        #expect(try difference(readFile(path), TestSignal.noise(frames: 100, seed: 2)) == nil)
    }

    @Test func anExistingFileCanBeKept() throws {
        let path = folder.file("kept.wav")
        try writeFile(path, TestSignal.noise(frames: 50, seed: 1))
        #expect(code { _ = try SoundFileWriter(path: path, format: .speech, replacing: false) } == .fileExists)
        #expect(try readFile(path).frameCount == 50)
        // Refused for its format: not touched either.
        let odd = AudioFormat(sampleRate: 44_100)
        #expect(code { _ = try SoundFileWriter(path: path, format: odd, encoding: .oggOpus) } == .formatNotSupported)
        #expect(try readFile(path).frameCount == 50)
    }

    @Test func `a file that is being written is not replaced`() throws {
        let path = folder.file("busy.ogg")
        let format = AudioFormat(sampleRate: 48_000)
        let writer = try SoundFileWriter(path: path, format: format)
        #expect(code { _ = try SoundFileWriter(path: path, format: format) } == .fileExists)
        try writer.write(AudioBuffer(silentFrames: 4_800, format: format))
        try writer.close()
        #expect(try readFile(path).frameCount == 4_800)
    }

    @Test(arguments: [SoundFileEncoding.wavPCM16, .wavPCM24, .flac16, .flac24, .oggVorbis, .oggOpus])
    func anyFrameCanBeReached(_ encoding: SoundFileEncoding) throws {
        let path = folder.file("seek")
        try writeFile(path, TestSignal.noise(frames: 20_000, seed: 4), encoding: encoding)
        let whole = try readFile(path).samples
        let reader = try SoundFileReader(path: path)
        #expect(reader.frameCount == 20_000)
        for frame in [15_000, 3, 0, 19_999, 20_000, 7_777, -5, 99_999, 4_096] {
            try reader.seek(toFrame: frame)
            let start = min(max(0, frame), 20_000)
            #expect(reader.position == start)
            let piece = try reader.read(frames: 500)?.samples ?? []
            if encoding.isLossless {
                #expect(difference(piece, whole[start..<min(20_000, start + 500)]) == nil, "\(frame)")
            } else {
                #expect(piece.count == min(500, 20_000 - start))
            }
        }
        #expect(!reader.isTruncated)
        try reader.seek(toFrame: 10_000)
        #expect(try reader.readAll(as: .speech).frameCount == 10_000)
    }

    @Test(arguments: [SoundFileEncoding.wavPCM16, .flac16, .oggVorbis, .oggOpus])
    func tagsComeBack(_ encoding: SoundFileEncoding) throws {
        let path = folder.file("tags")
        let tags = SoundFileTags(title: "Frühstück", artist: "A voice", date: "2026-03-01", comment: "by ear")
        let writer = try SoundFileWriter(path: path, format: .speech, encoding: encoding, tags: tags)
        try writer.write(TestSignal.noise(frames: 5_000, seed: 1))
        try writer.sync()
        try writer.close()
        let reader = try SoundFileReader(path: path)
        #expect(reader.tags.title == "Frühstück" && reader.tags.artist == "A voice")
        #expect(reader.tags.date == "2026-03-01" && reader.tags.comment == "by ear")
        #expect(reader.frameCount == 5_000 && !reader.encodingDescription.isEmpty)
        #expect(SoundFileTags().isEmpty && !reader.tags.isEmpty)
        #expect(code { try writer.sync() } == .closed)
    }

    @Test func aFullDiskHasItsOwnError() throws {
        for encoding in SoundFileEncoding.allCases {
            let failure = code {
                let writer = try SoundFileWriter(path: "/dev/full", format: .speech, encoding: encoding)
                try writer.write(TestSignal.noise(frames: 50_000, seed: 1))
                try writer.close()
            }
            #expect(failure == .diskFull, "\(encoding)")
        }
    }

    @Test func placesThatCannotBeWrittenAreRefused() throws {
        #expect(code { _ = try SoundFileWriter(path: folder.path, format: .speech) } == .fileNotWritable)
        #expect(code { _ = try SoundFileWriter(path: folder.file("no/x.wav"), format: .speech) } == .fileNotFound)
        #expect(code { _ = try SoundFileWriter(path: "/proc/version", format: .speech) } != nil)
        let pipe = folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(code { _ = try SoundFileWriter(path: pipe, format: .speech) } == .fileNotWritable)
        let odd = AudioFormat(sampleRate: 0, channels: 1)
        #expect(code { _ = try SoundFileWriter(path: folder.file("x.wav"), format: odd) } == .formatNotSupported)
    }

    @Test func anyRateChannelsAndDepthIsRead() throws {
        let format = AudioFormat(sampleRate: 96_000, channels: 6)
        let sound = TestSignal.sine(1_000, frames: 48_000, format: format)
        let path = folder.file("six.wav")
        try writeFile(path, sound, encoding: .wavPCM24)
        let reader = try SoundFileReader(path: path)
        #expect(reader.format == format)
        #expect(reader.duration == .milliseconds(500))
        let speech = try reader.readAll(as: .speech)
        #expect(abs(speech.frameCount - 8_000) <= 1)
        let strength = TestSignal.amplitude(of: 1_000, in: speech.samples[1_600..<6_400], rate: 16_000)
        #expect(abs(strength - 0.5) < 0.01)
    }

    @Test func eightBitWavIsRead() throws {
        var bytes = Array("RIFF".utf8) + little(36 + 100, 4) + Array("WAVEfmt ".utf8)
        bytes += little(16, 4) + little(1, 2) + little(1, 2) + little(8_000, 4) + little(8_000, 4)
        bytes += little(1, 2) + little(8, 2) + Array("data".utf8) + little(100, 4)
        bytes += (0..<100).map { UInt8($0 + 78) }
        let buffer = try readFile(try folder.write(bytes, to: "eight.wav"))
        #expect(buffer.format == AudioFormat(sampleRate: 8_000))
        #expect(buffer.samples == (0..<100).map { Float($0 - 50) / 128 })
    }

    @Test func theReaderDeliversPiecesAndThenNil() throws {
        let path = folder.file("pieces.wav")
        try writeFile(path, TestSignal.noise(frames: 1_000, seed: 1))
        let reader = try SoundFileReader(path: path)
        var counts: [Int] = []
        while let piece = try reader.read(frames: 300) { counts.append(piece.frameCount) }
        #expect(counts == [300, 300, 300, 100])
        #expect(try reader.read(frames: 300) == nil)
        #expect(reader.framesRead == 1_000 && !reader.isTruncated)
    }

    @Test func readAllHasALimit() throws {
        let path = folder.file("long.wav")
        try writeFile(path, TestSignal.noise(frames: 32_000, seed: 1))
        #expect(code { _ = try SoundFileReader(path: path).readAll(as: .speech, maximum: .seconds(1)) } == .tooLong)
        #expect(try SoundFileReader(path: path).readAll(as: .speech, maximum: .seconds(2)).frameCount == 32_000)
    }

    private func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

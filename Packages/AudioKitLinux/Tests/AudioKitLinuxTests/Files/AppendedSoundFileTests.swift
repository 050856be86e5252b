// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import Foundation
import TestKit
import Testing

/// Sound files that are written by appending alone, and read from bytes.
@Suite struct AppendedSoundFileTests {
    private static let compressed: [SoundFileEncoding] = [.flac16, .flac24, .oggOpus, .oggVorbis]
    /// Vorbis encodes by how the sound is cut, and does not come back exactly after a seek.
    private static let repeatable: [SoundFileEncoding] = [.flac16, .flac24, .oggOpus]
    private static let formats = [
        AudioFormat.speech, AudioFormat(sampleRate: 48_000), AudioFormat(sampleRate: 48_000, channels: 2),
    ]

    /// Speech-like enough for every encoder: a tone in noise.
    private static func sound(frames: Int, format: AudioFormat, seed: UInt64) -> AudioBuffer {
        let noise = TestSignal.noise(frames: frames, format: format, seed: seed).samples
        let tone = TestSignal.sine(440, frames: frames, format: format).samples
        return AudioBuffer(int16: zip(noise, tone).map { Int16(($0 * 0.05 + $1) * 32_767) }, format: format)
    }

    /// Writes in pieces of 20 ms; also says how many bytes had come when so many frames had been given.
    private func encoded(
        _ sound: AudioBuffer, _ encoding: SoundFileEncoding
    ) throws -> (bytes: [UInt8], marks: [(frames: Int, bytes: Int)]) {
        let sink = MemorySink()
        let writer = try SoundFileWriter(appendingTo: sink, name: "memory", format: sound.format, encoding: encoding)
        let step = sound.format.sampleRate / 50
        var marks: [(Int, Int)] = []
        for start in stride(from: 0, to: sound.frameCount, by: step) {
            try writer.write(sound.frames(start..<min(start + step, sound.frameCount)))
            marks.append((writer.framesWritten, sink.bytes.count))
        }
        try writer.close()
        return (sink.bytes, marks)
    }

    /// `difference`, slow as it is, only where there is one.
    private func differs(_ left: AudioBuffer, _ right: AudioBuffer) -> String? {
        left == right ? nil : difference(left, right)
    }

    private func decoded(_ reader: SoundFileReader) throws -> AudioBuffer {
        var samples: [Float] = []
        while let piece = try reader.read(frames: 1_000) { samples += piece.samples }
        return AudioBuffer(samples: samples, format: reader.format)
    }

    @Test(arguments: repeatable, formats)
    func theBytesAreThoseOfAPlainFileButForTheHeader(_ encoding: SoundFileEncoding, _ format: AudioFormat) throws {
        let folder = try TemporaryFolder()
        let sound = Self.sound(frames: format.sampleRate + 77, format: format, seed: 1)
        let (bytes, _) = try encoded(sound, encoding)
        try writeFile(folder.file("plain"), sound, encoding: encoding)
        let reader = try SoundFileReader(source: MemorySource(bytes), name: "memory", frameCount: sound.frameCount)
        #expect(reader.frameCount == sound.frameCount)
        #expect(!reader.isTruncated)
        let plain = try readFile(folder.file("plain"))
        #expect(try differs(decoded(reader), plain) == nil)
        if encoding == .flac16 {
            #expect(differs(plain, sound) == nil)
            let written = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.file("plain"))))
            // "fLaC", the block's head and its 34 bytes, which hold block sizes, total and MD5.
            #expect(difference(bytes.dropFirst(42), written.dropFirst(42)) == nil)
        }
    }

    @Test(arguments: repeatable) func seekingIsExact(_ encoding: SoundFileEncoding) throws {
        let sound = Self.sound(frames: 48_000 * 2, format: AudioFormat(sampleRate: 48_000), seed: 2)
        let (bytes, _) = try encoded(sound, encoding)
        let whole = try decoded(SoundFileReader(source: MemorySource(bytes), name: "memory"))
        #expect(whole.frameCount == sound.frameCount)
        let reader = try SoundFileReader(source: MemorySource(bytes), name: "memory", frameCount: sound.frameCount)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<40 {
            let frame = Int.random(in: 0..<sound.frameCount, using: &random)
            try reader.seek(toFrame: frame)
            let piece = try #require(try reader.read(frames: 500))
            // Opus converges after a seek; the others are exact.
            if encoding == .oggOpus {
                #expect(piece.frameCount == min(500, sound.frameCount - frame))
            } else {
                #expect(differs(piece, whole.frames(frame..<frame + piece.frameCount)) == nil, "frame \(frame)")
            }
        }
    }

    /// A crash leaves the beginning of the stream, cut anywhere: what was encoded before the cut is there.
    @Test(arguments: compressed, formats)
    func whatComesBeforeACutIsRead(_ encoding: SoundFileEncoding, _ format: AudioFormat) throws {
        let sound = Self.sound(frames: format.sampleRate * 2, format: format, seed: 4)
        let (bytes, marks) = try encoded(sound, encoding)
        let whole = try decoded(
            SoundFileReader(source: MemorySource(bytes), name: "memory", frameCount: sound.frameCount))
        // Blocks and pages that are not whole, and what the encoder looks ahead.
        let loss =
            encoding == .oggVorbis
            ? format.sampleRate * 2 : encoding == .oggOpus ? format.sampleRate / 2 : 2 * 4_096 + 1
        var random = SeededGenerator(seed: UInt64(format.sampleRate + format.channels))
        let boundaries = (1...10).map { _ in Int.random(in: 1...max(1, bytes.count / 4_088), using: &random) * 4_088 }
        let anywhere = (1...10).map { _ in Int.random(in: 0...bytes.count, using: &random) }
        for cut in boundaries + anywhere + [0, 1, 41, 42, 43, bytes.count - 1] where cut <= bytes.count {
            let fed = marks.last { $0.bytes <= cut }?.frames ?? 0
            do {
                let reader = try SoundFileReader(source: MemorySource(bytes.prefix(cut)), name: "memory")
                let samples = try decoded(reader)
                #expect(samples.frameCount == reader.frameCount, "\(cut) of \(bytes.count) bytes")
                #expect(samples.frameCount >= fed - loss, "\(cut) of \(bytes.count) bytes hold \(samples.frameCount)")
                // The last frames before a cut lack what Opus and Vorbis overlap them with.
                let sure = encoding.isLossless ? samples.frameCount : max(0, samples.frameCount - format.sampleRate / 8)
                #expect(differs(samples.frames(0..<sure), whole.frames(0..<sure)) == nil, "\(cut) bytes")
            } catch let error as AudioError {
                #expect(fed <= loss, "\(cut) of \(bytes.count) bytes: \(error)")
            }
        }
    }

    @Test func aWavIsReadWholeThoughItsHeaderSaysNothing() throws {
        for encoding in [SoundFileEncoding.wavPCM16, .wavPCM24, .wavFloat] {
            let sound = Self.sound(frames: 10_001, format: .speech, seed: 5)
            let (bytes, _) = try encoded(sound, encoding)
            let reader = try SoundFileReader(source: MemorySource(bytes), name: "memory")
            #expect(try differs(decoded(reader), sound) == nil)
        }
        // A header that promises half of it is set right on the way.
        let folder = try TemporaryFolder()
        let sound = Self.sound(frames: 10_000, format: .speech, seed: 5)
        try writeFile(folder.file("whole.wav"), sound)
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.file("whole.wav"))))
        bytes.replaceSubrange(40..<44, with: [0x10, 0x27, 0, 0])
        let reader = try SoundFileReader(source: MemorySource(bytes), name: "memory")
        #expect(try differs(decoded(reader), sound) == nil)
    }

    @Test(arguments: compressed) func aSinkThatFailsIsHeard(_ encoding: SoundFileEncoding) throws {
        let sound = Self.sound(frames: 64_000, format: .speech, seed: 6)
        for limit in [0, 50, 1_000, 9_000] {
            let sink = MemorySink(limit: limit)
            var codes: [AudioError.Code?] = []
            var writer: SoundFileWriter?
            codes.append(
                code {
                    writer = try SoundFileWriter(appendingTo: sink, name: "memory", format: .speech, encoding: encoding)
                })
            for start in stride(from: 0, to: 64_000, by: 320) {
                codes.append(code { try writer?.write(sound.frames(start..<start + 320)) })
            }
            codes.append(code { try writer?.close() })
            #expect(codes.contains(.diskFull))
            #expect(codes.allSatisfy { $0 == nil || $0 == .diskFull }, "\(codes)")
            #expect(sink.callsAfterFailure == 0)
        }
    }

    @Test(arguments: compressed) func aSourceThatFailsIsHeard(_ encoding: SoundFileEncoding) throws {
        let (bytes, _) = try encoded(Self.sound(frames: 80_000, format: .speech, seed: 7), encoding)
        let source = MemorySource(bytes)
        let reader = try SoundFileReader(source: source, name: "memory", frameCount: 80_000)
        source.failsFrom = bytes.count / 2
        #expect(code { _ = try decoded(reader) } == .io)
        #expect(code { _ = try SoundFileReader(source: source, name: "memory") } == .io)
        source.failsFrom = 0
        #expect(code { _ = try SoundFileReader(source: source, name: "memory") } == .io)
        #expect(code { _ = try SoundFileReader(source: MemorySource([]), name: "memory") } == .emptyFile)
        #expect(
            code { _ = try SoundFileReader(source: MemorySource("no sound at all".utf8), name: "memory") }
                == .notASoundFile)
    }

    @Test(arguments: compressed) func aWriterThatIsReleasedGivesNothingMore(_ encoding: SoundFileEncoding) throws {
        let sink = MemorySink()
        var count = 0
        do {
            let writer = try SoundFileWriter(appendingTo: sink, name: "memory", format: .speech, encoding: encoding)
            try writer.write(Self.sound(frames: 20_000, format: .speech, seed: 8))
            count = sink.bytes.count
        }
        #expect(sink.bytes.count == count)
    }

    @Test func aFormatThatTheEncodingCannotHoldIsRefused() {
        let format = AudioFormat(sampleRate: 44_100)
        #expect(
            code {
                _ = try SoundFileWriter(appendingTo: MemorySink(), name: "memory", format: format, encoding: .oggOpus)
            }
                == .formatNotSupported)
    }
}

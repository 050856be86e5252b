// SPDX-License-Identifier: MIT

import AudioBuffers
import SpeechServicesTestSupport
import Testing

@testable import SpeechServices

@Suite struct SoundTests {
    private static let tone = ScriptedSpeechServer.tone(frames: 100)

    @Test func `a WAV file is read as it was written, at every split`() throws {
        var file = WAVFile(format: Self.tone.format)
        file.append(Self.tone)
        file.finish()
        #expect(file.bytes.count == 244 && file.soundLength == 200)
        for split in 0...file.bytes.count {
            var reader = WAVReader()
            var samples = try reader.read(Array(file.bytes[..<split]))?.samples ?? []
            #expect(reader.isComplete == (split == file.bytes.count))
            samples += try reader.read(Array(file.bytes[split...]))?.samples ?? []
            #expect(samples == Self.tone.samples)
            #expect(reader.isComplete && reader.format == Self.tone.format)
        }
    }

    @Test func `sound that waits is joined, and cut at the limit`() async {
        let waiting = WaitingSound(format: Self.tone.format)
        for _ in 0..<3 { waiting.add(Self.tone) }
        waiting.end()
        var elements = 0
        for await _ in waiting.more { elements += 1 }
        #expect(elements == 1)
        let pieces = waiting.take(pieces: 250)
        #expect(pieces.map(\.frameCount) == [250, 50])
        #expect(pieces.flatMap(\.samples) == Self.tone.samples + Self.tone.samples + Self.tone.samples)
        #expect(waiting.take(pieces: 250).isEmpty)
    }

    @Test func `what follows the sound is left out`() throws {
        var file = WAVFile(format: Self.tone.format)
        file.append(Self.tone)
        file.finish()
        var reader = WAVReader()
        let found = try reader.read(file.bytes + Array("LIST\u{4}\0\0\0INFO".utf8))
        #expect(found == Self.tone)
    }

    @Test(arguments: ["ID3\u{4}", "OggS", "RIFF....AVI ", "{\"error\""])
    func `another kind of file is refused`(start: String) {
        var reader = WAVReader()
        #expect(throws: WAVReader.Failure.notWAV) { _ = try reader.read(Array(start.utf8)) }
    }

    @Test func `a WAV file of floats is refused`() {
        var file = WAVFile(format: Self.tone.format).bytes
        file[20] = 3
        file[34] = 32
        var reader = WAVReader()
        #expect(throws: WAVReader.Failure.coding(tag: 3, bits: 32)) { _ = try reader.read(file) }
    }

    @Test func `samples are whole whatever the pieces`() {
        let bytes = Self.tone.littleEndianBytes
        for size in 1...7 {
            var reader = PCMReader(format: Self.tone.format)
            var samples: [Float] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                samples += reader.read(bytes[start..<min(bytes.count, start + size)])?.samples ?? []
            }
            #expect(samples == Self.tone.samples && !reader.isWithinFrame)
        }
        var reader = PCMReader(format: AudioFormat(sampleRate: 8_000, channels: 2))
        #expect(reader.read([1, 2, 3]) == nil)
        #expect(reader.isWithinFrame)
    }

    @Test func `a rate is found in a content type`() {
        #expect(ServiceSound.rate(in: "audio/l16; rate=16000; channels=1") == 16_000)
        #expect(ServiceSound.rate(in: "audio/pcm") == nil)
    }
}

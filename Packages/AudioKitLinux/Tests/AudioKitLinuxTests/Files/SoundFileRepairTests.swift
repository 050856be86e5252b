// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import Foundation
import TestKit
import Testing

@Suite struct SoundFileRepairTests {
    private let folder: TemporaryFolder
    private let sound = TestSignal.noise(frames: 5_000, format: AudioFormat(sampleRate: 16_000, channels: 2), seed: 1)

    init() throws { folder = try TemporaryFolder() }

    /// The promised bytes of sound; the file has 20,000.
    @Test(arguments: [0, 4, 4_000, 19_996, 20_004, 1_000_000, 0x7FFF_FFF0, 0xFFFF_FFFF])
    func aStaleHeaderHidesNothing(_ promised: Int) throws {
        let path = try stale(promised)
        let before = try bytes(path)
        let reader = try SoundFileReader(path: path)
        #expect(reader.frameCount == 5_000)
        #expect(reader.isTruncated == (promised > 20_000 && promised < 0x7FFF_0000))
        #expect(try difference(readFile(path), sound) == nil)
        // Reading changes nothing on the disk.
        #expect(try bytes(path) == before)

        let found = try SoundFileRepair.repairHeader(path)
        #expect(found.condition == .staleHeader && found.promisedFrames == promised / 4 && found.frames == 5_000)
        let after = try bytes(path)
        #expect(after.count == before.count && after.dropFirst(44) == before.dropFirst(44))
        #expect(try after == bytes(folder.file("right.wav")))
        #expect(try SoundFileRepair.repairHeader(path).condition == .whole)
    }

    @Test func aFrameCutInTheMiddleIsLeftOut() throws {
        let path = try stale(0)
        try #require(truncate(path, 44 + 4_001 * 4 + 3) == 0)
        #expect(try SoundFileReader(path: path).frameCount == 4_001)
        #expect(try SoundFileRepair.repairHeader(path).frames == 4_001)
        #expect(try SoundFileRepair.examine(path).condition == .whole)
        #expect(try bytes(path).count == 44 + 4_001 * 4 + 3)
        let samples = try readFile(path).samples
        #expect(difference(samples, sound.samples.prefix(8_002)) == nil)
    }

    @Test func chunksBehindTheSoundAreNotSound() throws {
        let path = folder.file("tagged.wav")
        try writeFile(path, sound)
        let comment = Array("LIST".utf8) + [12, 0, 0, 0] + Array("INFOICMT".utf8) + [0, 0, 0, 0]
        _ = try folder.write(bytes(path) + comment, to: "tagged.wav")
        #expect(try SoundFileReader(path: path).frameCount == 5_000)
        #expect(try SoundFileRepair.examine(path).condition == .whole)
        #expect(try SoundFileRepair.repairHeader(path).condition == .whole)
        #expect(try bytes(path).count == 20_044 + comment.count)
    }

    @Test func aFloatHeaderWithItsFactIsRepaired() throws {
        let path = folder.file("float.wav")
        try writeFile(path, sound, encoding: .wavFloat)
        let right = try bytes(path)
        var broken = right
        for index in 4..<8 { broken[index] = 0 }
        for mark in ["fact", "data"] {
            let place = try #require(position(of: mark, in: right))
            for index in place + (mark == "fact" ? 8 : 4)..<place + (mark == "fact" ? 12 : 8) { broken[index] = 0 }
        }
        _ = try folder.write(broken, to: "float.wav")
        #expect(try difference(readFile(path), sound) == nil)
        try SoundFileRepair.repairHeader(path)
        #expect(try difference(readFile(path), sound) == nil)
        // libsndfile's own header has more to say about the sound's peak; the sizes are the same.
        #expect(try bytes(path).prefix(8) == right.prefix(8))
    }

    /// Every place where a compressed file can be cut.
    @Test(arguments: ["cut.flac", "cut.ogg", "cut.opus"]) func everyCutIsReadAndRepaired(_ name: String) throws {
        let path = folder.file(name)
        let tone = TestSignal.sine(300, frames: 48_000)
        try writeFile(path, tone)
        let whole = try bytes(path)
        let full = try readFile(path).samples
        var longest = 0
        for length in Array(stride(from: 0, to: whole.count, by: max(1, whole.count / 40))) + [whole.count] {
            let cut = try folder.write(whole.prefix(length), to: "piece")
            let target = folder.file("repaired-\(length)-\(name)")
            let failure = code {
                let found = try SoundFileRepair.examine(cut)
                #expect(found.condition == (length == whole.count ? .whole : .unfinished))
                let frames = try SoundFileRepair.rewrite(cut, to: target)
                let samples = try readFile(target).samples
                #expect(frames == found.frames && samples.count == frames)
                if name.hasSuffix("flac") { #expect(difference(samples, full.prefix(frames)) == nil) }
                #expect(try SoundFileRepair.examine(target).condition == .whole)
                longest = max(longest, frames)
            }
            // So little is left that there is no sound in it.
            if let failure { #expect([.emptyFile, .truncatedFile].contains(failure), "\(length) bytes") }
        }
        #expect(longest == 48_000)
    }

    @Test func repairHasItsOwnRefusals() throws {
        let flac = folder.file("a.flac")
        try writeFile(flac, sound)
        #expect(code { try SoundFileRepair.repairHeader(flac) } == .formatNotSupported)
        #expect(code { try SoundFileRepair.rewrite(flac, to: flac) } == .fileExists)
        #expect(code { try SoundFileRepair.rewrite(flac, to: folder.file("no/b.flac")) } == .fileNotFound)
        #expect(code { _ = try SoundFileRepair.examine(folder.file("none.wav")) } == .fileNotFound)
        let text = try folder.write("no sound in here, only words".utf8, to: "text.wav")
        #expect(code { try SoundFileRepair.repairHeader(text) } == .notASoundFile)
        let silent = folder.file("zero.wav")
        try SoundFileWriter(path: silent, format: .speech).close()
        #expect(code { _ = try SoundFileRepair.examine(silent) } == .emptyFile)
    }

    /// A WAV of 20,000 bytes of sound whose header promises others.
    private func stale(_ promised: Int) throws -> String {
        try writeFile(folder.file("right.wav"), sound)
        var bytes = try bytes(folder.file("right.wav"))
        try #require(bytes.count == 20_044 && position(of: "data", in: bytes) == 36)
        for index in 0..<4 {
            bytes[4 + index] = UInt8(truncatingIfNeeded: (promised + 36) >> (8 * index))
            bytes[40 + index] = UInt8(truncatingIfNeeded: promised >> (8 * index))
        }
        return try folder.write(bytes, to: "stale.wav")
    }

    private func bytes(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

    private func position(of mark: String, in bytes: [UInt8]) -> Int? {
        (0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(mark.utf8) }
    }
}

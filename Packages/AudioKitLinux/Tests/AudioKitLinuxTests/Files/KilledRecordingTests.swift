// SPDX-License-Identifier: MIT

import AudioKitLinux
import AudioKitLinuxTestSupport
import Foundation
import TestKit
import Testing

/// A recording process that is killed with SIGKILL at whatever instant it has reached.
@Suite struct KilledRecordingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: 1...12) func aWavHasAllThatWasWritten(_ round: Int) throws {
        let path = folder.file("killed.wav")
        let acknowledged = try killedRecording(path, after: round * round * 5, seed: UInt64(round))
        let sound = TestSignal.noise(frames: acknowledged + 10_000, seed: UInt64(round)).samples
        let reader = try SoundFileReader(path: path)
        #expect(reader.frameCount >= acknowledged)
        let samples = try readFile(path).samples
        #expect(samples.count == reader.frameCount)
        #expect(difference(samples.prefix(sound.count), sound.prefix(samples.count)) == nil)
        try SoundFileRepair.repairHeader(path)
        #expect(try SoundFileRepair.examine(path).condition == .whole)
        let repaired = try readFile(path).samples
        #expect(difference(repaired, samples) == nil)
    }

    @Test(arguments: ["killed.flac", "killed.ogg", "killed.opus"])
    func aCompressedRecordingIsReadAndMadeWhole(_ name: String) throws {
        let path = folder.file(name)
        let acknowledged = try killedRecording(path, after: 300, seed: 3)
        let found = try SoundFileRepair.examine(path)
        #expect(found.condition == .unfinished)
        // At most one block of FLAC or two pages of Ogg are missing; how long these are is the encoder's business.
        #expect(found.frames > acknowledged - 40_000)
        let samples = try readFile(path).samples
        #expect(samples.count == found.frames)
        let whole = folder.file("whole-" + name)
        let written = try SoundFileRepair.rewrite(path, to: whole)
        #expect(written == found.frames)
        let after = try SoundFileRepair.examine(whole)
        #expect(after.condition == .whole && after.frames == found.frames)
        let again = try readFile(whole).samples
        #expect(difference(again, samples) == nil)
        if name.hasSuffix("flac") {
            let sound = TestSignal.noise(frames: found.frames, seed: 3).samples
            #expect(difference(samples, sound) == nil)
        }
    }

    /// Lets a child record until it has said so many pieces, and kills it. Returns the frames that it said last.
    private func killedRecording(_ path: String, after pieces: Int, seed: UInt64) throws -> Int {
        let child = try ChildProcess(
            ChildProcess.path(besideTests: "SoundFileCrashTestSupport"), [path, "\(seed)"])
        var lines: [String] = []
        while lines.count < pieces {
            lines.append(try #require(child.line(), "the recording ended by itself: \(lines.last ?? "")"))
        }
        child.kill()
        lines += child.lines()
        #expect(child.wait() == .signalled(SIGKILL))
        return try #require(Int(lines.last ?? ""))
    }
}

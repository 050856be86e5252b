// SPDX-License-Identifier: MIT

import AudioKitLinux
import Foundation
import SealedRecordings
import Security
import TestKit
import Testing

/// A process that records a microphone into a sealed file, and ends as nobody wants it to.
@Suite struct KilledSealedRecordingTests {
    private let folder: RecordingTestFolder

    init() throws { folder = try RecordingTestFolder() }

    /// Killed with SIGKILL at a seeded instant: what it had recorded is there, but for what is stated.
    @Test(
        arguments: 1...6,
        [("noise", SoundFileEncoding.flac16), ("silence", .flac16), ("noise", .oggOpus), ("silence", .oggOpus)])
    func whatWasRecordedIsThere(_ seed: Int, _ kind: (sound: String, encoding: SoundFileEncoding)) async throws {
        var random = SeededGenerator(seed: UInt64(seed * 31 + kind.sound.count + kind.encoding.rawValue.count))
        let periods = Int.random(in: 1...400, using: &random)
        let child = try ChildProcess(
            ChildProcess.path(besideTests: "RecordingCrashTestSupport"),
            [folder.file("one"), "\(seed)", kind.sound, kind.encoding.rawValue])
        var lines = (0..<periods).compactMap { _ in child.line() }
        child.kill()
        lines += child.lines()
        #expect(child.wait() == .signalled(SIGKILL), "it ended by itself")
        let recorded = try #require(Int(lines.last ?? ""))
        let key = try SymmetricKey([UInt8](repeating: UInt8(seed), count: 32))
        let loss = AudioFormat.speech.frames(in: SealedRecordingWriter.longestLoss)
        do {
            let reader = try await SealedRecordingReader.open(folder.file("one"), id: "\(seed)", key: key)
            #expect(!reader.recording.isComplete)
            #expect(reader.frameCount >= recorded - loss, "\(reader.frameCount) of \(recorded) frames")
            let sound = try await wholeSound(reader)
            #expect(sound.frameCount == reader.frameCount)
            if kind.encoding.isLossless {
                let heard = (0..<sound.frameCount).map {
                    kind.sound == "silence" ? 0 : Int16(truncatingIfNeeded: ($0 &+ seed) &* 2_654_435_761 >> 7)
                }
                #expect(sound == AudioBuffer(int16: heard, format: .speech))
            }
        } catch let error as RecordingError {
            #expect(error.code == .empty && recorded <= loss, "\(recorded) frames were recorded: \(error)")
        }
    }

    /// The disk is full in the middle of a write (a file size limit does the same): what was there stays.
    @Test(arguments: [30_000, 100_000, 262_144], [SoundFileEncoding.flac16, .oggOpus])
    func whatWasThereBeforeTheDiskWasFullStays(_ bytes: Int, _ encoding: SoundFileEncoding) async throws {
        let lines = try ChildProcess(
            ChildProcess.path(besideTests: "RecordingCrashTestSupport"),
            [folder.file("one"), "3", "noise", encoding.rawValue, "\(bytes)"]
        ).lines()
        #expect(lines.contains("failed diskFull"), "\(lines.suffix(3))")
        let reader = try await SealedRecordingReader.open(
            folder.file("one"), id: "3", key: try SymmetricKey([UInt8](repeating: 3, count: 32)))
        #expect(!reader.recording.isComplete)
        #expect(lines.last == "kept \(reader.frameCount) false")
        let recorded = lines.compactMap { Int($0) }.last ?? 0
        #expect(reader.frameCount >= recorded - AudioFormat.speech.frames(in: SealedRecordingWriter.longestLoss))
        let sound = try await wholeSound(reader)
        #expect(sound.frameCount == reader.frameCount && sound.frameCount > 0)
    }

    @Test(arguments: [0, 10, 63]) func `a disk without room for the header has no file`(_ bytes: Int) throws {
        let lines = try ChildProcess(
            ChildProcess.path(besideTests: "RecordingCrashTestSupport"),
            [folder.file("one"), "3", "noise", "flac16", "\(bytes)"]
        ).lines()
        #expect(lines.count == 1 && lines[0].hasPrefix("error "), "\(lines)")
        #expect(folder.names.isEmpty)
    }
}

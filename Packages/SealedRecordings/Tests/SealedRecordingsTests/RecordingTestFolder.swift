// SPDX-License-Identifier: MIT

import AudioKitLinux
import Foundation
import SealedRecordings
import Security
import TestKit

/// A folder that goes away with the test, and what recordings in it are made of.
final class RecordingTestFolder: Sendable {
    let key: SymmetricKey
    private let folder: TemporaryFolder
    var path: String { folder.path }

    init() throws {
        folder = try TemporaryFolder()
        key = try SymmetricKey([UInt8](repeating: 7, count: 32))
    }

    func file(_ name: String) -> String { folder.file(name) }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    func bytes(of name: String) throws -> [UInt8] { try folder.bytes(name) }

    func write(_ bytes: some Sequence<UInt8>, to name: String) throws { try folder.write(bytes, to: name) }

    func mode(of name: String) throws -> Int? { try folder.mode(name) }

    /// Records `sound` in pieces of 20 ms.
    @discardableResult
    func record(_ sound: AudioBuffer, as name: String, encoding: SoundFileEncoding) async throws -> SealedRecording {
        let writer = try await SealedRecordingWriter.create(
            at: file(name), id: name, key: key, format: sound.format, encoding: encoding, startedAt: Self.start)
        let step = sound.format.sampleRate / 50
        for start in stride(from: 0, to: sound.frameCount, by: step) {
            try await writer.write(sound.frames(start..<min(start + step, sound.frameCount)))
        }
        return try await writer.finish()
    }

    func open(_ name: String, id: String? = nil) async throws -> SealedRecordingReader {
        try await SealedRecordingReader.open(file(name), id: id ?? name, key: key)
    }

    static let start = Date(timeIntervalSince1970: 1_750_000_000.123)
}

/// A tone in noise: every encoder has something to do.
func recordedSound(frames: Int, format: AudioFormat = .speech, seed: UInt64) -> AudioBuffer {
    var random = SeededGenerator(seed: seed)
    let samples = (0..<frames * format.channels).map { index -> Int16 in
        let tone = 8_000 * sin(Double(index / format.channels) * 0.11)
        return Int16(tone + Double(Int.random(in: -2_000...2_000, using: &random)))
    }
    return AudioBuffer(int16: samples, format: format)
}

/// All the rest of a recording.
func wholeSound(_ reader: SealedRecordingReader) async throws -> AudioBuffer {
    var samples: [Float] = []
    while let piece = try await reader.read(frames: 5_000) { samples += piece.samples }
    return AudioBuffer(samples: samples, format: reader.format)
}

/// The code of the error that `body` throws.
func recordingCode(_ body: () async throws -> Void) async -> RecordingError.Code? {
    do {
        try await body()
        return nil
    } catch { return (error as? RecordingError)?.code }
}

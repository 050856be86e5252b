// SPDX-License-Identifier: MIT

public import AudioKitLinux
import FoundationEssentials

extension SealedRecordingReader {
    /// Writes the recording into a plain, unencrypted sound file that other programs read, with the mode 0600. The file
    /// appears when it is complete; until then it is beside the target as `TARGET.parley-part`, which is removed when
    /// this fails.
    ///
    /// FLAC and WAV get the same samples with a complete header; Opus into Opus is copied without decoding it.
    ///
    /// - Parameters:
    ///   - target: The path of the sound file.
    ///   - encoding: Any encoding; by the target's name unless given.
    ///   - replacing: True if a file of that name may be replaced.
    /// - Throws: ``RecordingError``: `alreadyExists`, `notFound` (the folder), `permission`, `diskFull`,
    ///   `formatNotSupported`, `damaged`; and `CancellationError`.
    public func export(
        to target: String, encoding: SoundFileEncoding? = nil, replacing: Bool = false
    ) async throws {
        let encoding = encoding ?? SoundFileEncoding(path: target)
        // Holds the name, so that no other file can take it meanwhile.
        if !replacing { try RecordingFiles.claim(target) }
        let part = target + ".parley-part"
        do {
            try RecordingFiles.remove(part)
            try RecordingFiles.claim(part)
            if encoding == .oggOpus, recording.encoding == .oggOpus, recording.isComplete {
                try await copy(to: part)
            } else {
                try await decode(to: part, encoding)
            }
            try RecordingFiles.replace(target, by: part)
        } catch {
            try? RecordingFiles.remove(part)
            if !replacing { try? RecordingFiles.remove(target) }
            throw error is CancellationError ? error : RecordingError(translating: error)
        }
    }

    private func decode(to path: String, _ encoding: SoundFileEncoding) async throws {
        let writer = try SoundFileWriter(path: path, format: recording.format, encoding: encoding)
        // A decoder of its own: other tasks may read meanwhile.
        let decoder = try makeDecoder()
        while let piece = try decoder.read(frames: 16_384) {
            try Task.checkCancellation()
            try writer.write(piece)
            await Task.yield()
        }
        try writer.close()
    }

    private func copy(to path: String) async throws {
        let file = try PlainFile(path)
        var offset = 0
        while offset < recording.byteCount {
            try Task.checkCancellation()
            let piece = try encodedBytes(at: offset, maximum: 1 << 18)
            try file.write(piece)
            offset += piece.count
            await Task.yield()
        }
    }
}

// SPDX-License-Identifier: MIT

import AudioKitLinux
import FoundationEssentials
import Security

/// The recording in a sealed file, and its number of slots.
struct OpenedRecording: Sendable {
    let recording: SealedRecording
    let slotCount: Int
}

extension SealedFileReader {
    /// Reads a recording's facts from the file. If it was never completed the sound is counted, which decodes FLAC to
    /// its end.
    func openedRecording(id: String, path: String) throws(RecordingError) -> OpenedRecording {
        // A recording that was killed before its first chunk was on the disk has none.
        guard count >= RecordingSlot.byteCount else { throw Self.empty(path) }
        let beginning = try recordingErrors { try read(at: 0, maximum: RecordingSlot.byteCount) }
        let header = try RecordingHeader(parsing: beginning, path: path)
        var slotCount = count / RecordingSlot.byteCount - 1
        var trailer: RecordingTrailer?
        if isComplete {
            let last = try SealedSource.slot(slotCount, of: self, path: path)
            guard last.count == RecordingSlot.payloadByteCount else { throw SealedSource.damaged(path) }
            trailer = RecordingTrailer(parsing: last.payload)
            slotCount -= 1
        }
        guard slotCount > 0 else { throw Self.empty(path) }
        let end = try SealedSource.slot(slotCount, of: self, path: path)
        let byteCount = end.offset + end.count
        let isWhole = trailer.map { $0.byteCount == byteCount && $0.frameCount >= 0 } ?? true
        guard isWhole else { throw SealedSource.damaged(path) }
        var frameCount = trailer?.frameCount
        if frameCount == nil {
            let source = SealedSource(self, path: path, slotCount: slotCount, byteCount: byteCount)
            do throws(AudioError) {
                frameCount = try SoundFileReader(source: source, name: path).frameCount
            } catch {
                // The encoder's first bytes are a header without sound.
                throw error.code == .io ? RecordingError(translating: error) : Self.empty(path)
            }
        }
        let recording = SealedRecording(
            id: id, path: path, encoding: header.encoding, format: header.format, startedAt: header.startedAt,
            subject: header.subject, frameCount: frameCount ?? 0, byteCount: byteCount, sha256: trailer?.sha256,
            fileByteCount: RecordingFiles.sealedByteCount(count))
        return OpenedRecording(recording: recording, slotCount: slotCount)
    }

    private static func empty(_ path: String) -> RecordingError {
        RecordingError(.empty, "\(path) ended before any sound was in it. Delete it, and record again.")
    }
}

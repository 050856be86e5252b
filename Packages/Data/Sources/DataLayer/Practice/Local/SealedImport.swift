// SPDX-License-Identifier: MIT

import AudioKitLinux
import Domain
import FoundationEssentials
import Security

/// Puts encoded sound that came from elsewhere into a sealed file, as a recorder does with what it encodes.
///
/// The sound is taken as it is: that it can be played is for whoever plays it, that it is what it should be for the hash.
actor SealedImport {
    private let file: SealedFileWriter
    private var sink: SealedSink?

    /// The sealed file's queue.
    nonisolated var unownedExecutor: UnownedSerialExecutor { file.unownedExecutor }

    private init(_ file: SealedFileWriter) { self.file = file }

    /// Creates the file; nothing must be there.
    static func create(
        at path: String, of recording: Recording, key: SymmetricKey
    ) async throws(RecordingError) -> SealedImport {
        let file = try await recordingErrors {
            try await SealedFileWriter.create(
                at: path, key: key, context: RecordingFiles.context(recording.id.description),
                chunkExponent: RecordingSlot.exponent)
        }
        let opened = SealedImport(file)
        try await opened.begin(
            RecordingHeader(
                encoding: recording.format == .flac ? .flac16 : .oggOpus,
                format: AudioFormat(sampleRate: recording.sampleRate), startedAt: recording.createdAt))
        return opened
    }

    private func begin(_ header: RecordingHeader) throws(RecordingError) {
        try recordingErrors { sink = try SealedSink(file, header: header) }
    }

    func append(_ bytes: [UInt8]) throws(RecordingError) {
        guard let sink else { return }
        try recordingErrors { try bytes.withUnsafeBytes { try sink.append($0) } }
    }

    /// Completes the file on the disk, and says what is in it.
    func finish(frameCount: Int) throws(RecordingError) -> (byteCount: Int, hash: String) {
        guard let sink else { return (0, "") }
        let trailer = try sink.finish(frameCount: frameCount)
        let digits = Array("0123456789abcdef")
        return (
            trailer.byteCount, String(trailer.sha256.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        )
    }
}

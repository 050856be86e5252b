// SPDX-License-Identifier: MIT

import AudioKitLinux
import Domain
import FoundationEssentials
import Security

/// Seals sound that is encoded already, byte by byte as it is.
actor SealedCopy {
    private let file: SealedFileWriter
    private var sink: SealedSink?

    /// The sealed file's queue.
    nonisolated var unownedExecutor: UnownedSerialExecutor { file.unownedExecutor }

    private init(_ file: SealedFileWriter) { self.file = file }

    /// Creates the file and puts the content into it; what was put there.
    ///
    /// - Throws: ``RecordingError``, or what the content throws. There is no file then, unless it is `alreadyExists`.
    static func write(
        _ recording: Recording, _ content: any RecordingContent, at path: String, key: SymmetricKey
    ) async throws -> RecordingTrailer {
        let file = try await recordingErrors {
            try await SealedFileWriter.create(
                at: path, key: key, context: RecordingFiles.context(recording.id.description),
                chunkExponent: RecordingSlot.exponent)
        }
        do {
            let copy = SealedCopy(file)
            try await copy.begin(recording)
            var offset = 0
            while true {
                let piece = try await content.bytes(at: offset, maximum: 1 << 18)
                if piece.isEmpty { break }
                try await copy.append(piece)
                offset += piece.count
            }
            return try await copy.finish(recording)
        } catch {
            try? await OffPool.run { () throws(RecordingError) in try RecordingFiles.remove(path) }
            throw error
        }
    }

    private func begin(_ recording: Recording) throws(RecordingError) {
        let header = RecordingHeader(
            encoding: recording.format == .flac ? .flac16 : .oggOpus,
            format: .init(sampleRate: recording.sampleRate), startedAt: recording.createdAt)
        sink = try recordingErrors { try SealedSink(file, header: header) }
    }

    private func append(_ bytes: [UInt8]) throws(RecordingError) {
        try recordingErrors { try bytes.withUnsafeBytes { try sink?.append($0) } }
    }

    private func finish(_ recording: Recording) throws(RecordingError) -> RecordingTrailer {
        guard let sink else { throw RecordingError(.inputOutput, "The file was not begun.") }
        return try sink.finish(frameCount: Int((recording.duration * Double(recording.sampleRate)).rounded()))
    }
}

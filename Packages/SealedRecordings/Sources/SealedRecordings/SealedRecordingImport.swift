// SPDX-License-Identifier: MIT

public import AudioKitLinux
public import FoundationEssentials
public import Security

/// Puts encoded sound that came from elsewhere into a sealed file, as a recorder does with what it encodes.
///
/// The sound is not decoded: playing it shows whether it can be played, and the digest whether it is what was expected.
public actor SealedRecordingImport {
    private let file: SealedFileWriter
    private var sink: SealedSink?

    /// The sealed file's queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { file.unownedExecutor }

    private init(_ file: SealedFileWriter) { self.file = file }

    /// Creates the file, with the mode 0600, in a folder that exists.
    ///
    /// - Parameters:
    ///   - path: Where; nothing must be there.
    ///   - id: Which recording this is. The reader must give the same.
    ///   - key: The master key; each file gets a key of its own from it.
    ///   - format: The rate and channels of the sound.
    ///   - encoding: How the sound is encoded: FLAC or Ogg Opus.
    ///   - startedAt: When the recording began.
    /// - Throws: ``RecordingError``: `alreadyExists`, `notFound`, `permission`, `diskFull`.
    public static func create(
        at path: String, id: String, key: SymmetricKey, format: AudioFormat, encoding: SoundFileEncoding,
        startedAt: Date
    ) async throws(RecordingError) -> SealedRecordingImport {
        let file = try await recordingErrors {
            try await SealedFileWriter.create(
                at: path, key: key, context: RecordingFiles.context(id), chunkExponent: RecordingSlot.exponent)
        }
        let opened = SealedRecordingImport(file)
        try await opened.begin(RecordingHeader(encoding: encoding, format: format, startedAt: startedAt))
        return opened
    }

    private func begin(_ header: RecordingHeader) throws(RecordingError) {
        try recordingErrors { sink = try SealedSink(file, header: header) }
    }

    /// Appends encoded bytes.
    ///
    /// - Throws: ``RecordingError``, `diskFull` for one.
    public func append(_ bytes: [UInt8]) throws(RecordingError) {
        guard let sink else { return }
        try recordingErrors { try bytes.withUnsafeBytes { try sink.append($0) } }
    }

    /// Completes the file on the disk.
    ///
    /// - Parameter frameCount: How many frames the sound has, as its sender says.
    /// - Returns: The length of the encoded sound in bytes, and its SHA-256.
    /// - Throws: ``RecordingError``, `diskFull` for one.
    public func finish(frameCount: Int) throws(RecordingError) -> (byteCount: Int, sha256: [UInt8]) {
        guard let sink else { return (0, []) }
        let trailer = try sink.finish(frameCount: frameCount)
        return (trailer.byteCount, trailer.sha256)
    }
}

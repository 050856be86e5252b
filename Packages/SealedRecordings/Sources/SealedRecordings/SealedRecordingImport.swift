// SPDX-License-Identifier: MIT

public import AudioKitLinux
public import FoundationEssentials
public import Security

/// Puts encoded sound from another source into a sealed file, as a recorder does with its own.
///
/// The sound is not decoded: playing it shows if it can be played, and the digest if it is the expected one.
public actor SealedRecordingImport {
    private let file: SealedFileWriter
    private var sink: SealedSink?

    /// The sealed file's queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { file.unownedExecutor }

    private init(_ file: SealedFileWriter) { self.file = file }

    /// Creates the file, with the mode 0600, in a folder that exists.
    ///
    /// - Parameters:
    ///   - path: The new file, which must not exist.
    ///   - id: The recording's id. The reader must give the same.
    ///   - key: The master key; each file gets a key of its own from it.
    ///   - format: The rate and channels of the sound.
    ///   - encoding: The encoding of the sound: FLAC or Ogg Opus.
    ///   - startedAt: The time at which the recording began.
    /// - Throws: ``RecordingError``: `alreadyExists`, `notFound`, `permission`, `diskFull`, `formatNotSupported`.
    public static func create(
        at path: String, id: String, key: SymmetricKey, format: AudioFormat, encoding: SoundFileEncoding,
        startedAt: Date
    ) async throws(RecordingError) -> SealedRecordingImport {
        try RecordingHeader.check(encoding)
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
    /// - Throws: ``RecordingError``, for example `diskFull`.
    public func append(_ bytes: [UInt8]) throws(RecordingError) {
        guard let sink else { return }
        try recordingErrors { try bytes.withUnsafeBytes { try sink.append($0) } }
    }

    /// Completes the file on the disk.
    ///
    /// - Parameter frameCount: The number of frames, as the sound's sender declares it.
    /// - Returns: The length of the encoded sound in bytes, and its SHA-256.
    /// - Throws: ``RecordingError``, for example `diskFull`.
    public func finish(frameCount: Int) throws(RecordingError) -> (byteCount: Int, sha256: [UInt8]) {
        guard let sink else { return (0, []) }
        let trailer = try sink.finish(frameCount: frameCount)
        return (trailer.byteCount, trailer.sha256)
    }
}

// SPDX-License-Identifier: MIT

public import AudioKitLinux
import Digests
public import FoundationEssentials
public import Security

/// Reads a recording in a sealed file, complete or not, from any position on: as sound, and as encoded bytes.
/// `SoundPlayer` plays it.
///
/// Every byte is authenticated before it is used. Decryption, decoding and the disk run on the sealed file's own queue;
/// one chunk and the decoder's blocks are in memory.
public actor SealedRecordingReader: SoundSource {
    /// The facts about the recording.
    public nonisolated let recording: SealedRecording

    /// The recording's rate and channels.
    public nonisolated var format: AudioFormat { recording.format }
    /// The number of frames.
    public nonisolated var frameCount: Int { recording.frameCount }

    private let file: SealedFileReader
    private let slotCount: Int
    private var decoder: SoundFileReader?
    private var bytes: SealedSource?
    private var computedDigest: [UInt8]?

    /// The sealed file's queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { file.unownedExecutor }

    /// Opens a recording. Of one that was never completed, the existing part is read. Opening it takes longer then,
    /// since FLAC is decoded once to find its length.
    ///
    /// - Parameter id: The id that it was made with.
    /// - Throws: ``RecordingError``: `notFound`, `wrongKey` (or another recording's file), `empty` (killed before any
    ///   sound was on the disk), `damaged`, `newer`, `permission`.
    public static func open(
        _ path: String, id: String, key: SymmetricKey
    ) async throws(RecordingError) -> SealedRecordingReader {
        let file: SealedFileReader
        do {
            file = try await SealedFileReader.open(
                path, key: key, context: RecordingFiles.context(id), allowsIncomplete: true)
        } catch {
            throw RecordingError(translating: error)
        }
        let opened = try await file.openedRecording(id: id, path: path)
        return SealedRecordingReader(file, opened)
    }

    private init(_ file: SealedFileReader, _ opened: OpenedRecording) {
        self.file = file
        recording = opened.recording
        slotCount = opened.slotCount
    }

    /// The next frames in the recording's own format, at most `limit`; nil at the end.
    public func read(frames limit: Int) throws(AudioError) -> AudioBuffer? {
        try opened().read(frames: limit)
    }

    /// The next frames in another format; see `SoundFileReader.readConverted(to:frames:)`.
    public func readConverted(to target: AudioFormat, frames limit: Int) throws(AudioError) -> AudioBuffer? {
        try opened().readConverted(to: target, frames: limit)
    }

    /// Moves to `frame` (0…`frameCount`, clamped to it): the next read begins there.
    public func seek(toFrame frame: Int) throws(AudioError) {
        try opened().seek(toFrame: frame)
    }

    /// Encoded bytes from an offset on, as an upload sends them: fewer than `maximum` only before the end; empty at the
    /// end.
    public func encodedBytes(at offset: Int, maximum: Int) throws(RecordingError) -> Data {
        let source = bytes ?? makeSource()
        bytes = source
        let count = max(0, min(maximum, recording.byteCount - offset))
        guard offset >= 0, count > 0 else { return Data() }
        var data = Data(count: count)
        try recordingErrors {
            _ = try data.withUnsafeMutableBytes { try source.read(at: offset, into: $0) }
        }
        return data
    }

    /// The SHA-256 of the encoded bytes: the stored one, or, for a recording that was never completed, computed by the
    /// first call, which reads all of it.
    public func digest() throws(RecordingError) -> [UInt8] {
        if let digest = recording.sha256 ?? computedDigest { return digest }
        let digest = try recordingErrors {
            var hash = try MessageDigest(.sha256)
            var offset = 0
            while offset < recording.byteCount {
                let piece = try encodedBytes(at: offset, maximum: 1 << 18)
                piece.withUnsafeBytes { hash.update($0) }
                offset += piece.count
            }
            return hash.finish()
        }
        computedDigest = digest
        return digest
    }

    private func opened() throws(AudioError) -> SoundFileReader {
        if let decoder { return decoder }
        let reader = try makeDecoder()
        decoder = reader
        return reader
    }

    /// Decodes from the beginning on.
    func makeDecoder() throws(AudioError) -> SoundFileReader {
        try SoundFileReader(source: makeSource(), name: recording.path, frameCount: recording.frameCount)
    }

    private func makeSource() -> SealedSource {
        SealedSource(file, path: recording.path, slotCount: slotCount, byteCount: recording.byteCount)
    }
}

// SPDX-License-Identifier: MIT

public import AudioKitLinux
public import FoundationEssentials
public import Security

/// Writes a recording into a sealed file while it is made: encoded, then encrypted and authenticated in chunks,
/// strictly appending. Nothing unencrypted touches the disk.
///
/// A process that is killed, and a machine that loses its power, lose at most ``longestLoss`` of the written sound:
/// once in ``checkpointInterval`` of sound, all encoded sound is on the disk. That takes at most 4 KiB a second more
/// than the encoded sound. Encoding, encryption and the disk run on the sealed file's own queue, never on Swift's
/// cooperative threads.
public actor SealedRecordingWriter: SoundDestination {
    /// The length of sound between two synchronisations with the disk: one second.
    public static let checkpointInterval = Duration.seconds(1)
    /// The most sound that a crash loses: a second, and the sound that the encoder holds back (FLAC 4,096 frames, Opus
    /// two pages of 200 ms).
    public static let longestLoss = Duration.milliseconds(1_500)

    /// The recording's rate and channels.
    public nonisolated let format: AudioFormat
    /// The encoding of the sound.
    public nonisolated let encoding: SoundFileEncoding
    /// The bytes of the file so far.
    public var fileByteCount: Int { sink?.fileByteCount ?? 0 }
    /// The error after which nothing more is written; nil while the disk works.
    public var failure: RecordingError? { sink?.failure }

    private let file: SealedFileWriter
    private let id: String
    private let path: String
    private let startedAt: Date
    private let subject: UUID?
    private var sink: SealedSink?
    private var writer: SoundFileWriter?
    private var framesSinceCheckpoint = 0
    private var result: SealedRecording?

    /// The sealed file's queue: its calls and these follow one another without a change of thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { file.unownedExecutor }

    /// Creates the file, with the mode 0600, in a folder that exists.
    ///
    /// - Parameters:
    ///   - path: The new file, which must not exist.
    ///   - id: The recording's id. The reader must give the same, so that no file passes for another.
    ///   - key: The master key; each file gets a key of its own from it.
    ///   - format: The format of every buffer: 48 or 16 kHz, any number of channels that the encoding takes.
    ///   - encoding: FLAC (16 or 24 bits) or Ogg Opus.
    ///   - startedAt: The time at which it begins.
    ///   - subject: The id of the subject, for programs that find the file after a crash.
    /// - Throws: ``RecordingError``: `alreadyExists`, `notFound`, `permission`, `diskFull`, `formatNotSupported`.
    public static func create(
        at path: String, id: String, key: SymmetricKey, format: AudioFormat = AudioFormat(sampleRate: 48_000),
        encoding: SoundFileEncoding = .flac16, startedAt: Date, subject: UUID? = nil
    ) async throws(RecordingError) -> SealedRecordingWriter {
        try RecordingHeader.check(encoding)
        let file = try await recordingErrors {
            try await SealedFileWriter.create(
                at: path, key: key, context: RecordingFiles.context(id), chunkExponent: RecordingSlot.exponent)
        }
        let writer = SealedRecordingWriter(file, id, path, format, encoding, startedAt, subject)
        do throws(RecordingError) {
            try await writer.begin()
        } catch {
            try? RecordingFiles.remove(path)
            throw error
        }
        return writer
    }

    /// True if a recording can be made in this encoding: FLAC and Ogg Opus, which can be cut anywhere.
    public static func takes(_ encoding: SoundFileEncoding) -> Bool { RecordingHeader.takes(encoding) }

    private init(
        _ file: SealedFileWriter, _ id: String, _ path: String, _ format: AudioFormat, _ encoding: SoundFileEncoding,
        _ startedAt: Date, _ subject: UUID?
    ) {
        self.file = file
        self.id = id
        self.path = path
        self.format = format
        self.encoding = encoding
        self.startedAt = startedAt
        self.subject = subject
    }

    private func begin() throws(RecordingError) {
        let header = RecordingHeader(encoding: encoding, format: format, startedAt: startedAt, subject: subject)
        try recordingErrors {
            let sink = try SealedSink(file, header: header)
            self.sink = sink
            writer = try SoundFileWriter(appendingTo: sink, name: path, format: format, encoding: encoding)
            try sink.checkpoint()
        }
    }

    /// Appends sound.
    ///
    /// Throws `formatNotSupported` for another format, `diskFull`, `io`, and `closed` after ``finish()``. After an
    /// error of the disk the file stays as it is, and can be read up to there.
    public func write(_ buffer: AudioBuffer) throws(AudioError) {
        guard let writer else { throw AudioError(.closed, "\(path) is already completed.") }
        try writer.write(buffer)
        framesSinceCheckpoint += buffer.frameCount
        if framesSinceCheckpoint >= format.frames(in: Self.checkpointInterval) {
            do throws(RecordingError) { try checkpoint() } catch { throw error.audioError }
        }
    }

    /// Synchronises all encoded sound with the disk, as happens once in ``checkpointInterval`` by itself; for a pause.
    ///
    /// - Throws: ``RecordingError``: `diskFull`, `inputOutput`.
    public func checkpoint() throws(RecordingError) {
        framesSinceCheckpoint = 0
        try sink?.checkpoint()
    }

    /// Completes the file and waits until it is on the disk. A repeated call returns the same.
    ///
    /// - Throws: ``RecordingError``: `diskFull`, `inputOutput`. The file can then be read up to the last synchronised
    ///   part.
    @discardableResult
    public func finish() throws(RecordingError) -> SealedRecording {
        if let result { return result }
        guard let writer, let sink else { throw failure ?? RecordingError(.inputOutput, "\(path) was not begun.") }
        self.writer = nil
        try recordingErrors { try writer.close() }
        let trailer = try sink.finish(frameCount: writer.framesWritten)
        let recording = SealedRecording(
            id: id, path: path, encoding: encoding, format: format,
            startedAt: RecordingHeader.rounded(startedAt), subject: subject, frameCount: trailer.frameCount,
            byteCount: trailer.byteCount, sha256: trailer.sha256,
            fileByteCount: RecordingFiles.sealedByteCount(sink.fileByteCount))
        result = recording
        return recording
    }

    /// The free space beside the file, determined on this queue.
    func availableBytes(_ ask: @Sendable (String) -> Int?) -> Int? { ask(path) }

    /// ``finish()`` for a recorder, without an error that `write` has thrown already.
    public func close() throws(AudioError) {
        guard failure == nil else { return }
        do throws(RecordingError) { try finish() } catch { throw error.audioError }
    }
}

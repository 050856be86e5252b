// SPDX-License-Identifier: MIT

public import AudioKitLinux
public import FoundationEssentials
public import Security

/// Records a device into a sealed file, with a meter, pauses, and a well-defined end in every case.
///
/// Any end of a recording keeps it: the removal of the device, a full disk, the end of the task, and, up to
/// `SealedRecordingWriter.longestLoss`, the end of the process.
public struct SealedRecorder: Sendable {
    /// The format and limits of recordings.
    public struct Configuration: Sendable {
        /// The rate and channels: 48 kHz mono unless set.
        public var format = AudioFormat(sampleRate: 48_000)
        /// FLAC (the default, or with 24 bits) or Ogg Opus.
        public var encoding = SoundFileEncoding.flac16
        /// The longest recording, pauses left out: an hour unless set. Without a limit if nil.
        public var limit: Duration? = .seconds(3_600)
        /// The bytes of the disk that stay free: 64 MiB unless set.
        public var reservedByteCount = 64 << 20
        /// The bytes available beside a path; by the file system unless set. Nil if it is unknown.
        public var availableBytes: @Sendable (_ path: String) -> Int? = { RecordingFiles.availableBytes(at: $0) }

        /// Makes a configuration with the values named above.
        public init() {}
    }

    private let device: AudioDevice
    private let configuration: Configuration

    /// Makes a recorder; the device is opened by `start`.
    public init(device: AudioDevice = .default, configuration: Configuration = Configuration()) {
        self.device = device
        self.configuration = configuration
    }

    /// Begins a recording in a new file, and returns when the device runs and the file exists.
    ///
    /// - Parameters:
    ///   - path: The new file, which must not exist; its folder must.
    ///   - id: The recording's id; the reader must give the same.
    ///   - key: The master key; each file gets a key of its own from it. The caller keeps it in a `SecretStore`.
    ///   - startedAt: The time by the caller's clock.
    ///   - subject: The id of the subject, for programs that find the file after a crash.
    ///   - replacement: Finds the device to continue with when this one was removed; the recording pauses until
    ///     `resume()`.
    /// - Throws: ``RecordingError``: `tooLittleSpace`, `device`, and the errors of `SealedRecordingWriter.create`. The
    ///   file does not exist then.
    public func start(
        at path: String, id: String, key: SymmetricKey, startedAt: Date, subject: UUID? = nil,
        replacement: @escaping SoundRecorder.Replacement = { _ in nil }
    ) async throws(RecordingError) -> RecordingSession {
        guard SealedRecordingWriter.takes(configuration.encoding) else {
            throw RecordingError(
                .formatNotSupported, "A recording is FLAC or Ogg Opus, not \(configuration.encoding.rawValue).")
        }
        let run = RecordingRun(
            device: device, configuration: configuration, path: path, id: id, key: key, startedAt: startedAt,
            subject: subject, replacement: replacement)
        return try await RecordingSession.begin(run)
    }
}

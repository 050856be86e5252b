// SPDX-License-Identifier: MIT

public import AudioKitLinux
public import FoundationEssentials
public import Security

/// Records a device into a sealed file, with a meter, pauses, and an ending that is clear whatever happens.
///
/// Whatever ends a recording keeps it: a device that goes, a disk that is full, the end of the task, and, up to
/// `SealedRecordingWriter.longestLoss`, the end of the process.
public struct SealedRecorder: Sendable {
    /// How to record.
    public struct Configuration: Sendable {
        /// The rate and channels: 48 kHz mono unless set.
        public var format = AudioFormat(sampleRate: 48_000)
        /// FLAC (the default, or with 24 bits) or Ogg Opus.
        public var encoding = SoundFileEncoding.flac16
        /// The longest recording, pauses left out: an hour unless set. Without end if nil.
        public var limit: Duration? = .seconds(3_600)
        /// How many bytes of the disk stay free: 64 MiB unless set.
        public var reservedByteCount = 64 << 20
        /// How many bytes there are beside a path; the file system's word unless set. Nil where it is not known.
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

    /// Begins a recording in a new file, and returns when the device runs and the file is there.
    ///
    /// - Parameters:
    ///   - path: Where; nothing must be there, and the folder must.
    ///   - id: Which recording this is; the reader must give the same.
    ///   - key: The master key; each file gets a key of its own from it. The caller keeps it in a `SecretStore`.
    ///   - startedAt: The time by the caller's clock.
    ///   - subject: What it is about, for whoever finds the file after a crash.
    ///   - replacement: Finds the device to go on with when this one has gone; the recording rests until `resume()`.
    /// - Throws: ``RecordingError``: `tooLittleSpace`, `device`, and what `SealedRecordingWriter.create` throws. There is no
    ///   file then.
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

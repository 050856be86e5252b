// SPDX-License-Identifier: MIT
internal import CSndFile

/// Reads a sound file piece by piece: WAV, FLAC, Ogg Vorbis and Opus, MP3, AIFF and whatever else libsndfile knows,
/// at any rate, number of channels and depth. Memory stays flat however long the file is.
///
/// Not for use from two threads at once. The calls block on the disk.
public final class SoundFileReader {
    /// The path it was opened with.
    public let path: String
    /// The file's own rate and channels.
    public let format: AudioFormat
    /// How many frames the header promises (for a WAV cut short: how many there are); 1 or more.
    public let frameCount: Int
    /// Whether the file holds less than its header promises. Known at once for WAV, for other formats when reading
    /// reached the early end. What is there is read all the same.
    public private(set) var isTruncated: Bool
    /// How many frames `read` has returned so far.
    public private(set) var framesRead = 0

    private let handle: OpaquePointer
    var conversion: SoundFileConversion?

    /// How long the file is, by its header.
    public var duration: Duration { format.duration(ofFrames: frameCount) }

    /// Opens a file. A pipe, a folder and a device are refused without waiting for them.
    ///
    /// Throws `fileNotFound`, `fileNotReadable`, `emptyFile` (no bytes, or no frames),
    /// `notASoundFile`, `truncatedFile` (not even the header is whole), `formatNotSupported`.
    public init(path: String) throws(AudioError) {
        let file = try SoundFileDescriptor.openForReading(path)
        var info = SF_INFO()
        // libsndfile owns the descriptor from here on: told not to close it, it still does when it cannot open it.
        guard let handle = sf_open_fd(file.descriptor, Int32(SFM_READ), &info, Int32(SF_TRUE)) else {
            let reason = SoundFileDescriptor.reason(nil)
            throw SoundFileDescriptor.readFailure(path, beginning: file.beginning, reason: reason)
        }
        let format = AudioFormat(sampleRate: Int(info.samplerate), channels: Int(info.channels))
        guard info.frames > 0, format.isPlausible else {
            sf_close(handle)
            if info.frames > 0 {
                throw AudioError(.formatNotSupported, "\(path) claims \(format), which cannot be played.")
            }
            throw AudioError(.emptyFile, "\(path) is a sound file without any sound. Record it again.")
        }
        self.path = path
        self.handle = handle
        self.format = format
        frameCount = Int(info.frames)
        isTruncated = file.isCutShort
    }

    deinit { sf_close(handle) }

    /// The next frames, at most `limit`, in the file's own format; nil at the end.
    ///
    /// Throws `io` when the disk fails. Damage inside a compressed file ends the sound early and sets `isTruncated`.
    public func read(frames limit: Int) throws(AudioError) -> AudioBuffer? {
        guard limit > 0 else { return nil }
        var got = 0
        let samples = [Float](unsafeUninitializedCapacity: limit * format.channels) { target, count in
            if let base = target.baseAddress { got = Int(sf_readf_float(handle, base, sf_count_t(limit))) }
            count = max(0, got) * format.channels
        }
        guard got > 0 else {
            let code = sf_error(handle)
            if code == Int32(SF_ERR_SYSTEM) {
                throw AudioError(
                    .io, "\(path) cannot be read to its end; check the disk.",
                    underlying: SoundFileDescriptor.reason(handle))
            }
            if framesRead < frameCount { isTruncated = true }
            return nil
        }
        framesRead += got
        return AudioBuffer(samples: samples, format: format)
    }
}

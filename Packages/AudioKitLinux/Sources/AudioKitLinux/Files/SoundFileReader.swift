// SPDX-License-Identifier: MIT
internal import CSndFile
internal import Glibc

/// Reads a sound file in parts, from any frame on: WAV, FLAC, Ogg Vorbis and Opus, MP3, AIFF and whatever else
/// libsndfile knows, at any rate, number of channels and depth. Memory stays flat however long the file is.
///
/// A file whose recording was cut short, by a crash or a full disk, is read to the end of its sound, regardless of its
/// header; `SoundFileRepair` corrects it for other programs.
///
/// Not for use from two threads at once. The calls block on the disk.
public final class SoundFileReader {
    /// The path it was opened with.
    public let path: String
    /// The file's own rate and channels.
    public let format: AudioFormat
    /// The number of frames (for FLAC and MP3: the number that the header promises); 1 or more. A FLAC file that was
    /// never completed has no such number: then opening it counts them, at the cost of decoding it once.
    public let frameCount: Int
    /// The file's tags.
    public let tags: SoundFileTags
    /// libsndfile's description of the file's format, such as "WAV (Microsoft), Signed 16 bit PCM".
    public let encodingDescription: String
    /// True if the file was cut short or never completed. Known at once for WAV, Ogg, and FLAC that was never
    /// completed; for other files once reading reached the early end. The existing sound is read all the same.
    public private(set) var isTruncated: Bool
    /// The frame that the next `read` begins with.
    public private(set) var position = 0
    /// The number of frames that `read` has returned so far.
    public private(set) var framesRead = 0

    private let handle: OpaquePointer
    /// libsndfile's source if it does not read the file itself.
    private let patched: PatchedSource?
    var conversion: SoundFileConversion?

    /// The duration of the file by `frameCount`.
    public var duration: Duration { format.duration(ofFrames: frameCount) }

    /// Opens a file. A pipe, a folder and a device are refused without waiting for them.
    ///
    /// Throws `fileNotFound`, `fileNotReadable`, `emptyFile` (no bytes, or no frames), `notASoundFile`, `truncatedFile`
    /// (not even the header is whole), `formatNotSupported`, `tooLong`, and `closed` when the task is cancelled while
    /// frames are counted.
    ///
    /// - Parameter longest: The most sound that is counted if the file does not state its length; no limit if nil.
    public convenience init(path: String, longest: Duration? = nil) throws(AudioError) {
        var opened = try OpenedSoundFile(path)
        if opened.info.frames == Self.unknownFrames {
            let format = AudioFormat(sampleRate: Int(opened.info.samplerate), channels: Int(opened.info.channels))
            let frames = try opened.countFrames(limit: longest.map { format.frames(in: $0) }, path)
            sf_close(opened.handle)
            opened = try OpenedSoundFile(path)
            (opened.info.frames, opened.isTruncated) = (frames, true)
        }
        try self.init(opened, path: path)
    }

    /// Opens sound from a source of bytes other than a file, with seeking. `name` appears in errors and in `path`.
    ///
    /// FLAC that was written to a `SoundByteSink` does not state its length: pass `frameCount` if it is known, else it
    /// is counted by decoding everything once, and `isTruncated` is true. Other formats state theirs.
    ///
    /// Throws the errors of opening a file and those of the source.
    public convenience init(source: any SoundByteSource, name: String, frameCount: Int? = nil) throws(AudioError) {
        var opened = try OpenedSoundFile(source, name: name)
        if opened.info.frames == Self.unknownFrames {
            if let frameCount {
                opened.info.frames = sf_count_t(frameCount)
            } else {
                let frames = try opened.countFrames(limit: nil, name)
                sf_close(opened.handle)
                if let failure = opened.patched?.failure { throw failure }
                opened = try OpenedSoundFile(source, name: name)
                (opened.info.frames, opened.isTruncated) = (frames, true)
            }
        }
        try self.init(opened, path: name)
    }

    /// Takes ownership of the handle.
    private init(_ opened: OpenedSoundFile, path: String) throws(AudioError) {
        let info = opened.info
        let format = AudioFormat(sampleRate: Int(info.samplerate), channels: Int(info.channels))
        guard info.frames > 0, format.isPlausible else {
            sf_close(opened.handle)
            if info.frames > 0 {
                throw AudioError(.formatNotSupported, "\(path) claims \(format), which cannot be played.")
            }
            throw AudioError(.emptyFile, "\(path) is a sound file without any sound. Record it again.")
        }
        self.path = path
        self.format = format
        handle = opened.handle
        patched = opened.patched
        frameCount = Int(info.frames)
        isTruncated = opened.isTruncated
        tags = SoundFileTags(of: handle)
        encodingDescription = OpenedSoundFile.description(of: info.format)
    }

    deinit {
        patched?.isClosed = true
        sf_close(handle)
    }

    /// The next frames, at most `limit`, in the file's own format; nil at the end.
    ///
    /// Throws `io` when the disk fails. Damage inside a compressed file ends the sound early and sets `isTruncated`.
    public func read(frames limit: Int) throws(AudioError) -> AudioBuffer? {
        guard limit > 0 else { return nil }
        let limit = min(limit, max(1 << 16, frameCount - position))
        var got = 0
        let samples = [Float](unsafeUninitializedCapacity: limit * format.channels) { target, count in
            if let base = target.baseAddress { got = Int(sf_readf_float(handle, base, sf_count_t(limit))) }
            count = max(0, got) * format.channels
        }
        if let failure = patched?.failure { throw failure }
        guard got > 0 else {
            let code = sf_error(handle)
            if code == Int32(SF_ERR_SYSTEM) {
                throw AudioError(
                    .io, "\(path) cannot be read to its end; check the disk.",
                    underlying: SoundFileDescriptor.reason(handle))
            }
            if position < frameCount { isTruncated = true }
            return nil
        }
        framesRead += got
        position += got
        return AudioBuffer(samples: samples, format: format)
    }

    /// Moves to `frame` (0…`frameCount`; clamped to it): the next `read` begins exactly there, in compressed files too.
    /// A conversion by `readConverted` begins anew.
    ///
    /// Throws `io` if the frame cannot be reached, for example because a damaged part lies before it; `position` is
    /// then unknown until another `seek` succeeds.
    public func seek(toFrame frame: Int) throws(AudioError) {
        let target = min(max(0, frame), frameCount)
        conversion = nil
        guard target != position else { return }
        let (read, wasTruncated) = (framesRead, isTruncated)
        // FLAC cannot seek to the end itself, and near its end Vorbis stops early and cannot continue: then the frames
        // before the target are read from further back.
        for start in [min(target, frameCount - 1), max(0, target - 16_384), 0] {
            let reached = sf_seek(handle, sf_count_t(start), SEEK_SET)
            guard reached >= 0, reached <= target else { continue }
            position = Int(reached)
            while position < target, try self.read(frames: min(4_096, target - position)) != nil {}
            framesRead = read
            guard position < target else {
                isTruncated = wasTruncated
                return
            }
        }
        throw AudioError(
            .io, "\(path) is damaged: frame \(target) cannot be reached.",
            underlying: SoundFileDescriptor.reason(handle))
    }

    private static let unknownFrames = sf_count_t.max
}

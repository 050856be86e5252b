// SPDX-License-Identifier: MIT
internal import AudioDSP
internal import CSndFile
internal import Glibc

/// Writes a sound file in parts.
///
/// A WAV file is whole after every `write`: a program that is killed leaves a readable file with everything written so
/// far. FLAC and Ogg write their blocks as they are full: a program that is killed loses the last 4,096 frames of FLAC,
/// about a second of Vorbis and Opus, and `SoundFileReader` reads the rest. Not for use from two threads at once. The
/// calls block on the disk.
public final class SoundFileWriter {
    /// The path of the file, or the name of the sink.
    public let path: String
    /// The format of the file and of every buffer written.
    public let format: AudioFormat
    /// The encoding of the samples.
    public let encoding: SoundFileEncoding
    /// The number of frames written.
    public private(set) var framesWritten = 0

    private var handle: OpaquePointer?
    /// libsndfile's destination if it does not write a file; must live as long as `handle`.
    private let appended: AppendedStream?

    /// Makes the file, in the encoding of its name's extension unless another is given. `tags` are written if the
    /// format can hold them. An existing file is replaced, unless `replacing` is false or a writer has it open.
    ///
    /// Throws `fileNotFound` (no such folder), `fileExists`, `fileNotWritable` (a permission, a folder, a pipe, a
    /// terminal, a read-only disk), `formatNotSupported` (the encoding cannot hold the format, or this machine's
    /// libsndfile has no such encoding), `diskFull`. A file that is refused for its format is not touched.
    public init(
        path: String, format: AudioFormat, encoding: SoundFileEncoding? = nil, tags: SoundFileTags = SoundFileTags(),
        replacing: Bool = true
    ) throws(AudioError) {
        let encoding = encoding ?? SoundFileEncoding(path: path)
        var info = try encoding.libraryInfo(for: format, name: path)
        let descriptor = try SoundFileDescriptor.openForWriting(path, replacing: replacing)
        errno = 0
        // libsndfile owns the descriptor from here on, also when opening fails.
        guard let handle = sf_open_fd(descriptor, Int32(SFM_WRITE), &info, Int32(SF_TRUE)) else {
            throw Self.writeFailure(path, handle: nil, errno: errno)
        }
        tags.apply(to: handle)
        if encoding.wavSampleBytes != nil {
            _ = sf_command(handle, Int32(SFC_SET_UPDATE_HEADER_AUTO), nil, Int32(SF_TRUE))
        }
        self.path = path
        self.format = format
        self.encoding = encoding
        self.handle = handle
        appended = nil
    }

    /// Encodes into a sink, strictly by appending; errors name it `name`. No file is written.
    ///
    /// The sink gets each block of 4,096 frames of FLAC, each 200 ms of Opus and all of a WAV as soon as it is encoded,
    /// and the bytes so far can be read at any time. Since the header cannot be completed, FLAC does not state its
    /// length (`SoundFileReader.init(source:name:frameCount:)` takes it), and a WAV's header states that it is empty,
    /// which `SoundFileReader` corrects and other programs may not. A writer that is released without `close()` appends
    /// nothing more.
    ///
    /// Throws `formatNotSupported`, and the errors of the sink.
    public init(
        appendingTo sink: any SoundByteSink, name: String, format: AudioFormat, encoding: SoundFileEncoding,
        tags: SoundFileTags = SoundFileTags()
    ) throws(AudioError) {
        var info = try encoding.libraryInfo(for: format, name: name)
        let appended = AppendedStream(sink)
        guard let handle = appended.open(&info) else {
            throw appended.failure ?? Self.writeFailure(name, handle: nil, errno: 0)
        }
        tags.apply(to: handle)
        if encoding == .oggOpus {
            var latency = 200.0
            _ = sf_command(
                handle, Int32(SFC_SET_OGG_PAGE_LATENCY_MS), &latency, Int32(MemoryLayout<Double>.size))
        }
        path = name
        self.format = format
        self.encoding = encoding
        self.handle = handle
        self.appended = appended
    }

    deinit {
        appended?.isAbandoned = true
        if let handle { sf_close(handle) }
    }

    /// Appends a buffer of the file's own format.
    ///
    /// Throws `formatNotSupported` for another format, `diskFull`, `io`, `closed` after `close()`, and `tooLong` before
    /// a WAV file would pass 4 GB, the limit of its header; earlier frames stay.
    public func write(_ buffer: AudioBuffer) throws(AudioError) {
        guard buffer.format == format else {
            throw AudioError(
                .formatNotSupported, "\(path) holds \(format) and cannot take \(buffer.format); convert it first.")
        }
        guard let handle else { throw AudioError(.closed, "\(path) is already closed.") }
        guard buffer.frameCount > 0 else { return }
        if let bytes = encoding.wavSampleBytes,
            (framesWritten + buffer.frameCount) * format.channels * bytes > Self.largestWAV
        {
            throw AudioError(.tooLong, "\(path) has reached 4 GB, the most that a WAV file holds. Begin another file.")
        }
        errno = 0
        let done = Int(writeFrames(buffer, handle))
        framesWritten += max(0, done)
        if let failure = appended?.failure { throw failure }
        if done != buffer.frameCount || sf_error(handle) != 0 {
            throw Self.writeFailure(path, handle: handle, errno: errno)
        }
    }

    /// Flushes everything written so far to the disk itself, so that it survives a power failure; slow, so not after
    /// every buffer. The incomplete block of FLAC and Ogg stays in memory. A sink is not flushed.
    ///
    /// Throws `closed` after `close()`.
    public func sync() throws(AudioError) {
        guard let handle else { throw AudioError(.closed, "\(path) is already closed.") }
        if appended == nil { sf_write_sync(handle) }
    }

    /// Completes the file. Calling it again does nothing.
    ///
    /// Throws `diskFull` or `io` when the last bytes do not reach the disk, and the errors of the sink.
    public func close() throws(AudioError) {
        guard let handle else { return }
        self.handle = nil
        errno = 0
        let code = sf_close(handle)
        if let failure = appended?.failure { throw failure }
        if code != 0 { throw Self.writeFailure(path, handle: nil, errno: errno) }
    }

    /// Leaves room for a header with tags.
    private static let largestWAV = 0xFFFF_FFFF - 0xF_FFFF

    private func writeFrames(_ buffer: AudioBuffer, _ handle: OpaquePointer) -> sf_count_t {
        let frames = sf_count_t(buffer.frameCount)
        switch encoding {
        case .wavPCM16, .flac16:
            // libsndfile scales floats by 32767, which is not the inverse of its scale for reading.
            return buffer.int16Samples().withUnsafeBufferPointer { sf_writef_short(handle, $0.baseAddress, frames) }
        case .wavPCM24, .flac24:
            let samples = buffer.samples.map(SampleConversion.int32)
            return samples.withUnsafeBufferPointer { sf_writef_int(handle, $0.baseAddress, frames) }
        case .wavFloat, .oggVorbis, .oggOpus:
            return buffer.samples.withUnsafeBufferPointer { sf_writef_float(handle, $0.baseAddress, frames) }
        }
    }

    private static func writeFailure(_ path: String, handle: OpaquePointer?, errno code: Int32) -> AudioError {
        let reason = SoundFileDescriptor.reason(handle)
        let full = String(cString: strerror(ENOSPC))
        if code == ENOSPC || code == EDQUOT || reason.contains(full) {
            return SoundFileDescriptor.diskFull(path, reason: full)
        }
        return AudioError(.io, "\(path) could not be written; check the disk.", underlying: reason)
    }
}

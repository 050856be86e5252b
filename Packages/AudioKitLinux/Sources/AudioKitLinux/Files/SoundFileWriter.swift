// SPDX-License-Identifier: MIT
internal import CSndFile
internal import Glibc

/// Writes a sound file piece by piece.
///
/// A WAV file is whole after every `write`: a program that is killed leaves a readable file with everything written
/// so far. An existing file is replaced. Not for use from two threads at once. The calls block on the disk.
public final class SoundFileWriter {
    /// The path it was opened with.
    public let path: String
    /// The format of the file and of every buffer written.
    public let format: AudioFormat
    /// How the samples are stored.
    public let encoding: SoundFileEncoding
    /// How many frames were written.
    public private(set) var framesWritten = 0

    private var handle: OpaquePointer?

    /// Makes the file, in the encoding that its name asks for unless another is given.
    ///
    /// Throws `fileNotFound` (no such folder), `fileNotWritable` (a permission, a folder, a pipe, a terminal, a
    /// read-only disk), `formatNotSupported`, `diskFull`.
    public init(path: String, format: AudioFormat, encoding: SoundFileEncoding? = nil) throws(AudioError) {
        let encoding = encoding ?? SoundFileEncoding(path: path)
        var info = SF_INFO()
        info.format = encoding.libraryFormat
        info.samplerate = Int32(clamping: format.sampleRate)
        info.channels = Int32(clamping: format.channels)
        guard format.isPlausible, sf_format_check(&info) != 0 else {
            throw AudioError(
                .formatNotSupported, "\(path): the encoding \(encoding.rawValue) cannot hold \(format).")
        }
        let descriptor = try SoundFileDescriptor.openForWriting(path)
        errno = 0
        // libsndfile owns the descriptor from here on, also when it cannot use it.
        guard let handle = sf_open_fd(descriptor, Int32(SFM_WRITE), &info, Int32(SF_TRUE)) else {
            throw Self.writeFailure(path, handle: nil, errno: errno)
        }
        if encoding.hasGrowingHeader {
            _ = sf_command(handle, Int32(SFC_SET_UPDATE_HEADER_AUTO), nil, Int32(SF_TRUE))
        }
        self.path = path
        self.format = format
        self.encoding = encoding
        self.handle = handle
    }

    deinit {
        if let handle { sf_close(handle) }
    }

    /// Appends a buffer of the file's own format.
    ///
    /// Throws `formatNotSupported` for another format, `diskFull`, `io`, `closed` after `close()`.
    public func write(_ buffer: AudioBuffer) throws(AudioError) {
        guard buffer.format == format else {
            throw AudioError(
                .formatNotSupported, "\(path) holds \(format) and cannot take \(buffer.format); convert it first.")
        }
        guard let handle else { throw AudioError(.closed, "\(path) is already closed.") }
        guard buffer.frameCount > 0 else { return }
        errno = 0
        let done = Int(writeFrames(buffer, handle))
        framesWritten += max(0, done)
        if done != buffer.frameCount || sf_error(handle) != 0 {
            throw Self.writeFailure(path, handle: handle, errno: errno)
        }
    }

    /// Completes the file. Calling it again does nothing.
    ///
    /// Throws `diskFull` or `io` when the last bytes do not reach the disk.
    public func close() throws(AudioError) {
        guard let handle else { return }
        self.handle = nil
        errno = 0
        if sf_close(handle) != 0 { throw Self.writeFailure(path, handle: nil, errno: errno) }
    }

    private func writeFrames(_ buffer: AudioBuffer, _ handle: OpaquePointer) -> sf_count_t {
        let frames = sf_count_t(buffer.frameCount)
        switch encoding {
        case .wavPCM16, .flac16:
            // libsndfile scales floats by 32767, which is not the inverse of how it reads them.
            return buffer.int16Samples().withUnsafeBufferPointer { sf_writef_short(handle, $0.baseAddress, frames) }
        case .wavPCM24:
            let samples = buffer.samples.map(SampleConversion.int32)
            return samples.withUnsafeBufferPointer { sf_writef_int(handle, $0.baseAddress, frames) }
        case .wavFloat, .oggVorbis:
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

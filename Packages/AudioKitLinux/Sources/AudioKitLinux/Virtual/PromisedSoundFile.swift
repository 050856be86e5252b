// SPDX-License-Identifier: MIT
internal import Glibc

/// A sound file that takes its place with its first sound.
///
/// Until then, whatever has that name stays as it is: nothing may ever be heard, since there is no network or somebody
/// ends the program. The first piece is written beside it, and renamed onto it when it is written; a program that is
/// killed leaves the old file or the new one with what was heard so far. A symbolic link stays one: what it points to
/// is replaced, with its mode. A device is written to as it is.
final class PromisedSoundFile {
    private let path: String
    private let format: AudioFormat
    private let encoding: SoundFileEncoding
    /// What is replaced, and what is written first; a device has neither.
    private let target: String
    private let partial: String?
    private let mode: mode_t?
    private var writer: SoundFileWriter?

    /// Sees to it that the file can be written, and leaves everything as it was.
    ///
    /// Throws what `SoundFileWriter` throws; also for a folder that takes no new file.
    init(path: String, format: AudioFormat, encoding: SoundFileEncoding?) throws(AudioError) {
        var status = stat()
        let exists = stat(path, &status) == 0
        let isSpecial = exists && status.st_mode & S_IFMT != S_IFREG
        self.path = path
        self.format = format
        self.encoding = encoding ?? SoundFileEncoding(path: path)
        mode = exists && !isSpecial ? status.st_mode & 0o7777 : nil
        target = exists && !isSpecial ? Self.resolved(path) : path
        partial = isSpecial ? nil : target + ".part-\(getpid())"
        if let partial {
            if exists, faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 {
                throw SoundFileDescriptor.openFailure(path, errno: errno, isWriting: true)
            }
            defer { unlink(partial) }
            do throws(AudioError) { try begin(partial).close() } catch { throw named(error) }
        } else {
            writer = try SoundFileWriter(path: path, format: format, encoding: encoding)
        }
    }

    /// Appends a buffer. Throws what `SoundFileWriter.write` throws; what could not take the file's place is removed.
    func write(_ buffer: AudioBuffer) throws(AudioError) {
        guard buffer.frameCount > 0 else { return }
        do throws(AudioError) {
            if let writer { try writer.write(buffer) } else if let partial { try replace(by: partial, buffer) }
        } catch { throw named(error) }
    }

    /// Completes the file, if there is one. Throws what `SoundFileWriter.close` throws.
    func close() throws(AudioError) {
        do throws(AudioError) { try writer?.close() } catch { throw named(error) }
    }

    private func replace(by partial: String, _ buffer: AudioBuffer) throws(AudioError) {
        do throws(AudioError) {
            let writer = try begin(partial)
            try writer.write(buffer)
            if let mode { chmod(partial, mode) }
            guard rename(partial, target) == 0 else {
                throw SoundFileDescriptor.openFailure(path, errno: errno, isWriting: true)
            }
            self.writer = writer
        } catch {
            unlink(partial)
            throw error
        }
    }

    private func begin(_ partial: String) throws(AudioError) -> SoundFileWriter {
        // Left by a program that was killed, and had the same number.
        unlink(partial)
        return try SoundFileWriter(path: partial, format: format, encoding: encoding, replacing: false)
    }

    /// An error as it is told to whoever has named the file.
    private func named(_ error: AudioError) -> AudioError {
        guard let partial else { return error }
        return AudioError(error.code, error.message.replacing(partial, with: path), underlying: error.underlying)
    }

    /// Where the links of `path` lead.
    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

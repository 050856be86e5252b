// SPDX-License-Identifier: MIT
internal import Glibc

/// A sound file that is created with its first sound.
///
/// Until then, a file of that name stays as it is: there may never be sound, because there is no network or the person
/// ends the program. The first buffer is written to a file beside it, which is then renamed onto it; a program that is
/// killed leaves the old file or the new one with the sound so far. A symbolic link stays one: its target is replaced,
/// with its mode. A device is written to directly.
final class PromisedSoundFile {
    private let path: String
    private let format: AudioFormat
    private let encoding: SoundFileEncoding
    /// The file to replace, and the file that is written first; nil for a device.
    private let target: String
    private let partial: String?
    private let mode: mode_t?
    private var writer: SoundFileWriter?

    /// Checks that the file can be written, and leaves everything as it was.
    ///
    /// Throws the errors of `SoundFileWriter`; also for a folder in which no file can be created.
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

    /// Appends a buffer. Throws the errors of `SoundFileWriter.write`; a new file that replaced nothing is removed.
    func write(_ buffer: AudioBuffer) throws(AudioError) {
        guard buffer.frameCount > 0 else { return }
        do throws(AudioError) {
            if let writer { try writer.write(buffer) } else if let partial { try replace(by: partial, buffer) }
        } catch { throw named(error) }
    }

    /// Completes the file, if there is one. Throws the errors of `SoundFileWriter.close`.
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
        // Left by a killed program with the same number.
        unlink(partial)
        return try SoundFileWriter(path: partial, format: format, encoding: encoding, replacing: false)
    }

    /// The error with the name of the file that the caller gave.
    private func named(_ error: AudioError) -> AudioError {
        guard let partial else { return error }
        return AudioError(error.code, error.message.replacing(partial, with: path), underlying: error.underlying)
    }

    /// The target of the links of `path`.
    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

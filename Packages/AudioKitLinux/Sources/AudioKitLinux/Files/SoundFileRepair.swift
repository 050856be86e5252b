// SPDX-License-Identifier: MIT
internal import CSndFile
internal import Glibc

/// Repairs a recording after a crash, a full disk or a pulled plug. It never loses sound: a header is corrected in
/// place without touching a sample, everything else is written into a new file.
public enum SoundFileRepair {
    /// The condition of a file.
    public enum Condition: String, Sendable, Hashable {
        /// Header and sound agree.
        case whole
        /// The WAV header promises less or more sound than the file has: `repairHeader` corrects it in place.
        case staleHeader
        /// A FLAC or Ogg file that was never completed, or was cut: `rewrite` makes a whole file of its sound.
        case unfinished
    }

    /// A file's condition, and the length of its sound.
    public struct Finding: Sendable, Hashable {
        /// The condition of the file.
        public let condition: Condition
        /// The number of frames that the header promises; nil if it has no such number.
        public let promisedFrames: Int?
        /// The number of frames that can be read.
        public let frames: Int
    }

    /// Examines a file without changing it. Decodes FLAC files to their end; WAV and Ogg take almost no time.
    ///
    /// Throws the errors of `SoundFileReader`; a file without sound whose header promises no sound is `emptyFile`.
    public static func examine(_ path: String) throws(AudioError) -> Finding {
        if let layout = try layout(of: path) {
            let (promised, actual) = (layout.promisedBytes / layout.frameBytes, layout.actualBytes / layout.frameBytes)
            guard actual > 0 else { throw AudioError(.emptyFile, "\(path) holds no sound. Record it again.") }
            return Finding(
                condition: layout.isWhole ? .whole : .staleHeader, promisedFrames: promised, frames: actual)
        }
        let reader = try SoundFileReader(path: path)
        if reader.isTruncated { return Finding(condition: .unfinished, promisedFrames: nil, frames: reader.frameCount) }
        guard reader.encodingDescription.hasPrefix("FLAC") else {
            return Finding(condition: .whole, promisedFrames: reader.frameCount, frames: reader.frameCount)
        }
        while try reader.read(frames: 16_384) != nil {}
        return Finding(
            condition: reader.isTruncated ? .unfinished : .whole, promisedFrames: reader.frameCount,
            frames: reader.position)
    }

    /// Corrects a WAV file's header in place: writes the sizes in it, and nothing else. If the process is killed
    /// meanwhile, it can be called again. Returns the earlier condition; a whole file is left alone.
    ///
    /// Throws the errors of `SoundFileReader`, `fileNotWritable`, `formatNotSupported` for a file that is not WAV, and
    /// `tooLong` for more than 4 GB, which a WAV header cannot hold (`rewrite` it as FLAC).
    @discardableResult
    public static func repairHeader(_ path: String) throws(AudioError) -> Finding {
        let finding = try examine(path)
        guard let layout = try layout(of: path) else {
            throw AudioError(
                .formatNotSupported,
                "\(path) is not a WAV file, so it cannot be repaired in place. Give a new file as the target.")
        }
        guard finding.condition == .staleHeader else { return finding }
        guard layout.dataOffset + layout.actualBytes <= WAVLayout.largestFile else {
            throw AudioError(.tooLong, "\(path) is larger than a WAV header can say. Rewrite it as FLAC.")
        }
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SoundFileDescriptor.openFailure(path, errno: errno, isWriting: true) }
        defer { close(descriptor) }
        for (offset, bytes) in layout.corrections
        where pwrite(descriptor, bytes, bytes.count, off_t(offset)) != bytes.count {
            throw AudioError(
                .io, "\(path) could not be written; check the disk.", underlying: String(cString: strerror(errno)))
        }
        guard fsync(descriptor) == 0 else {
            throw AudioError(
                .io, "\(path) could not be written; check the disk.", underlying: String(cString: strerror(errno)))
        }
        return finding
    }

    /// Writes all the readable sound of `path` into the new file `target`, in the same encoding: Ogg page by page
    /// without decoding it, FLAC and WAV sample for sample. Returns the number of frames. `path` is not changed.
    ///
    /// Throws the errors of `SoundFileReader` and `SoundFileWriter`; `fileExists` if `target` exists;
    /// `formatNotSupported` for formats that cannot be written here.
    @discardableResult
    public static func rewrite(_ path: String, to target: String) throws(AudioError) -> Int {
        let reader = try SoundFileReader(path: path)
        if reader.encodingDescription.hasPrefix("OGG") {
            try OggRewrite.run(path, target)
            return reader.frameCount
        }
        // Each of these keeps every bit of the original.
        let encoding: SoundFileEncoding
        switch reader.encodingDescription {
        case let name where name.hasPrefix("FLAC"): encoding = name.contains("24") ? .flac24 : .flac16
        case let name where name.hasPrefix("WAV") && name.hasSuffix("32 bit float"): encoding = .wavFloat
        case let name where name.hasPrefix("WAV") && name.hasSuffix("24 bit PCM"): encoding = .wavPCM24
        case let name where name.hasPrefix("WAV") && (name.hasSuffix("16 bit PCM") || name.hasSuffix("8 bit PCM")):
            encoding = .wavPCM16
        default:
            throw AudioError(
                .formatNotSupported, "\(path) (\(reader.encodingDescription)) cannot be rewritten in its own format.")
        }
        let writer = try SoundFileWriter(
            path: target, format: reader.format, encoding: encoding, tags: reader.tags, replacing: false)
        while let piece = try reader.read(frames: 16_384) { try writer.write(piece) }
        try writer.close()
        return writer.framesWritten
    }

    private static func layout(of path: String) throws(AudioError) -> WAVLayout? {
        let file = try SoundFileDescriptor.openForReading(path)
        defer { close(file.descriptor) }
        return WAVLayout(size: file.size) { offset, count in
            SoundFileDescriptor.bytes(of: file.descriptor, from: offset, count: count)
        }
    }
}

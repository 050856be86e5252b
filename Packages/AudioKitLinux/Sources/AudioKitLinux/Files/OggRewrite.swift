// SPDX-License-Identifier: MIT
internal import Glibc

/// Copies the whole pages of an Ogg file and marks the last one as the end. No sample is decoded.
enum OggRewrite {
    static func run(_ path: String, _ target: String) throws(AudioError) {
        let source = try SoundFileDescriptor.openForReading(path)
        defer { close(source.descriptor) }
        let start = max(0, source.size - 2 * OggPages.longest)
        let tail = SoundFileDescriptor.bytes(of: source.descriptor, from: start, count: source.size - start)
        guard let last = OggPages.lastPage(in: tail) else {
            throw AudioError(.truncatedFile, "\(path) contains no complete Ogg page. Record it again.")
        }
        let descriptor = try SoundFileDescriptor.openForWriting(target, replacing: false)
        defer { close(descriptor) }
        var offset = 0
        let end = start + last.offset
        while offset < end {
            let piece = SoundFileDescriptor.bytes(
                of: source.descriptor, from: offset, count: min(1 << 20, end - offset))
            guard !piece.isEmpty else { throw AudioError(.io, "\(path) cannot be read to its end; check the disk.") }
            try write(piece, to: descriptor, target)
            offset += piece.count
        }
        let page = Array(tail[last.offset..<last.offset + last.length])
        try write(OggPages.completed(page), to: descriptor, target)
        if fsync(descriptor) != 0 { throw failure(target, errno) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(AudioError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(path, errno) }
            done += count
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> AudioError {
        let reason = String(cString: strerror(code))
        return code == ENOSPC || code == EDQUOT
            ? SoundFileDescriptor.diskFull(path, reason: reason)
            : AudioError(.io, "\(path) could not be written; check the disk.", underlying: reason)
    }
}

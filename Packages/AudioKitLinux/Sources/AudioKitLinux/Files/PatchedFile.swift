// SPDX-License-Identifier: MIT
internal import CSndFile
internal import Glibc

/// A file as libsndfile should see it: a few bytes of a stale header are replaced while reading; the disk stays as it
/// is. Owned by the reader, which keeps it alive as long as libsndfile's handle.
final class PatchedFile {
    private let descriptor: Int32
    private let size: Int
    private let patches: [(offset: Int, bytes: [UInt8])]
    private var position = 0

    /// Owns the descriptor from here on.
    init(descriptor: Int32, size: Int, patches: [(offset: Int, bytes: [UInt8])]) {
        self.descriptor = descriptor
        self.size = size
        self.patches = patches
    }

    deinit { close(descriptor) }

    /// Opens it with libsndfile, for reading.
    func open(_ info: inout SF_INFO) -> OpaquePointer? {
        var calls = SF_VIRTUAL_IO(
            get_filelen: { sf_count_t(PatchedFile.from($0).size) },
            seek: { PatchedFile.from($2).seek(Int($0), $1) },
            read: { PatchedFile.from($2).read($0, Int($1)) },
            write: { _, _, _ in 0 },
            tell: { sf_count_t(PatchedFile.from($0).position) })
        return sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> PatchedFile {
        guard let pointer else { preconditionFailure("libsndfile gives back what it was given") }
        return Unmanaged<PatchedFile>.fromOpaque(pointer).takeUnretainedValue()
    }

    private func seek(_ offset: Int, _ whence: Int32) -> sf_count_t {
        let start = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : size
        position = min(max(0, start + offset), size)
        return sf_count_t(position)
    }

    private func read(_ target: UnsafeMutableRawPointer?, _ count: Int) -> sf_count_t {
        guard let target, count > 0 else { return 0 }
        var done = 0
        while done < count {
            let got = pread(descriptor, target + done, count - done, off_t(position + done))
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { break }
            done += got
        }
        for patch in patches {
            for (index, byte) in patch.bytes.enumerated() {
                let place = patch.offset + index - position
                if (0..<done).contains(place) { target.storeBytes(of: byte, toByteOffset: place, as: UInt8.self) }
            }
        }
        position += done
        return sf_count_t(done)
    }
}

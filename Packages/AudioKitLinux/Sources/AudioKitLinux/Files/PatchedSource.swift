// SPDX-License-Identifier: MIT
internal import CSndFile
internal import Glibc

/// A plain file as a source of bytes. A read error ends it.
final class DescriptorSource: SoundByteSource {
    let byteCount: Int
    private let descriptor: Int32

    /// Takes ownership of the descriptor.
    init(descriptor: Int32, size: Int) {
        self.descriptor = descriptor
        byteCount = size
    }

    deinit { close(descriptor) }

    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) -> Int {
        var done = 0
        while done < target.count {
            let place = target.baseAddress.map { $0 + done }
            let got = pread(descriptor, place, target.count - done, off_t(offset + done))
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { break }
            done += got
        }
        return done
    }
}

/// Bytes for libsndfile in which a stale header is replaced while reading; the source stays unchanged. Owned by the
/// reader, which keeps it alive as long as libsndfile's handle.
final class PatchedSource {
    /// The source's error; nil while reads succeed.
    private(set) var failure: AudioError?
    /// True once the source must not be called any more: closing may happen on any thread.
    var isClosed = false

    private let source: any SoundByteSource
    private let size: Int
    private let patches: [(offset: Int, bytes: [UInt8])]
    private var position = 0

    init(_ source: any SoundByteSource, patches: [(offset: Int, bytes: [UInt8])]) {
        self.source = source
        size = source.byteCount
        self.patches = patches
    }

    /// Opens it with libsndfile, for reading.
    func open(_ info: inout SF_INFO) -> OpaquePointer? {
        var calls = SF_VIRTUAL_IO(
            get_filelen: { sf_count_t(PatchedSource.from($0).size) },
            seek: { PatchedSource.from($2).seek(Int($0), $1) },
            read: { PatchedSource.from($2).read($0, Int($1)) },
            write: { _, _, _ in 0 },
            tell: { sf_count_t(PatchedSource.from($0).position) })
        return sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> PatchedSource {
        guard let pointer else { preconditionFailure("libsndfile gives back what it was given") }
        // SAFETY: the reader that holds the handle holds this object, too.
        return Unmanaged<PatchedSource>.fromOpaque(pointer).takeUnretainedValue()
    }

    private func seek(_ offset: Int, _ whence: Int32) -> sf_count_t {
        let start = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : size
        position = min(max(0, start + offset), size)
        return sf_count_t(position)
    }

    private func read(_ target: UnsafeMutableRawPointer?, _ count: Int) -> sf_count_t {
        guard let target, count > 0, failure == nil, !isClosed else { return 0 }
        var done = 0
        do throws(AudioError) {
            let room = UnsafeMutableRawBufferPointer(start: target, count: min(count, size - position))
            done = try source.read(at: position, into: room)
        } catch {
            failure = error
            return 0
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

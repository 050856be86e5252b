// SPDX-License-Identifier: MIT
internal import CSndFile
internal import Glibc

/// A stream for libsndfile that can only be appended to.
///
/// libsndfile seeks back only to complete the header: FLAC's total, block sizes and check sum when it is closed, WAV's
/// sizes. The seek succeeds, and the bytes written there are dropped: a header without the length is valid in FLAC (RFC
/// 9639 §8.2), and is corrected by the reader in WAV. Opus and Vorbis never seek back.
final class AppendedStream {
    /// The sink's error; nil while the sink takes bytes.
    private(set) var failure: AudioError?
    /// Set to true to drop all further bytes of libsndfile: the file was not completed.
    var isAbandoned = false

    private let sink: any SoundByteSink
    private var size = 0
    private var position = 0

    init(_ sink: any SoundByteSink) { self.sink = sink }

    /// Opens it with libsndfile, for writing.
    func open(_ info: inout SF_INFO) -> OpaquePointer? {
        var calls = SF_VIRTUAL_IO(
            get_filelen: { sf_count_t(AppendedStream.from($0).size) },
            seek: { AppendedStream.from($2).seek(Int($0), $1) },
            read: { _, _, _ in 0 },
            write: { AppendedStream.from($2).write($0, Int($1)) },
            tell: { sf_count_t(AppendedStream.from($0).position) })
        return sf_open_virtual(&calls, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> AppendedStream {
        guard let pointer else { preconditionFailure("libsndfile gives back what it was given") }
        // SAFETY: the writer that holds the handle holds this object, too.
        return Unmanaged<AppendedStream>.fromOpaque(pointer).takeUnretainedValue()
    }

    private func seek(_ offset: Int, _ whence: Int32) -> sf_count_t {
        let start = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : size
        position = min(max(0, start + offset), size)
        return sf_count_t(position)
    }

    private func write(_ bytes: UnsafeRawPointer?, _ count: Int) -> sf_count_t {
        guard let bytes, count > 0, failure == nil, !isAbandoned else { return 0 }
        let old = min(count, size - position)
        if old < count {
            do throws(AudioError) {
                try sink.append(UnsafeRawBufferPointer(start: bytes + old, count: count - old))
            } catch {
                failure = error
                return 0
            }
            size += count - old
        }
        position += count
        return sf_count_t(count)
    }
}

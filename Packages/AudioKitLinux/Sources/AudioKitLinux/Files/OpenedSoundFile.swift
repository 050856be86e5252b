// SPDX-License-Identifier: MIT
internal import CSndFile
internal import Glibc

/// Sound that libsndfile has opened for reading, with a stale WAV header corrected in memory.
struct OpenedSoundFile {
    let handle: OpaquePointer
    /// Must live as long as `handle`.
    let patched: PatchedSource?
    var info: SF_INFO
    var isTruncated: Bool

    /// The caller closes `handle`.
    init(_ path: String) throws(AudioError) {
        let file = try SoundFileDescriptor.openForReading(path)
        let layout = WAVLayout(size: file.size) { offset, count in
            SoundFileDescriptor.bytes(of: file.descriptor, from: offset, count: count)
        }
        var info = SF_INFO()
        var handle: OpaquePointer?
        if let layout, !layout.isWhole, layout.dataOffset + layout.actualBytes <= WAVLayout.largestFile {
            let patched = PatchedSource(
                DescriptorSource(descriptor: file.descriptor, size: file.size), patches: layout.corrections)
            handle = patched.open(&info)
            self.patched = patched
            isTruncated = layout.isCutShort
        } else {
            isTruncated =
                file.beginning.starts(with: Self.oggMark)
                && !Self.isCompleteOgg(file.size) {
                    SoundFileDescriptor.bytes(of: file.descriptor, from: $0, count: $1)
                }
            patched = nil
            // libsndfile owns the descriptor from here on: whatever the flag, it closes it when opening fails.
            handle = sf_open_fd(file.descriptor, Int32(SFM_READ), &info, Int32(SF_TRUE))
        }
        guard let handle else {
            let reason = SoundFileDescriptor.reason(nil)
            throw SoundFileDescriptor.readFailure(path, beginning: file.beginning, reason: reason)
        }
        self.handle = handle
        self.info = info
    }

    /// Opens the bytes of a source; errors name it `name`. The caller closes `handle`.
    init(_ source: any SoundByteSource, name: String) throws(AudioError) {
        try SoundFileDescriptor.loadLibrary()
        let size = source.byteCount
        guard size > 0 else { throw AudioError(.emptyFile, "\(name) is empty. Record it again.") }
        var failure: AudioError?
        func bytes(_ offset: Int, _ count: Int) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: count) { target, filled in
                let room = UnsafeMutableRawBufferPointer(target)
                do throws(AudioError) { filled = try source.read(at: offset, into: room) } catch { failure = error }
            }
        }
        let beginning = bytes(0, min(12, size))
        let layout = WAVLayout(size: size, read: bytes)
        let isStale = layout.map { !$0.isWhole && $0.dataOffset + $0.actualBytes <= WAVLayout.largestFile } ?? false
        let isCutOgg = beginning.starts(with: Self.oggMark) && !Self.isCompleteOgg(size, read: bytes)
        if let failure { throw failure }
        let patched = PatchedSource(source, patches: isStale ? layout?.corrections ?? [] : [])
        var info = SF_INFO()
        guard let handle = patched.open(&info) else {
            if let failure = patched.failure { throw failure }
            throw SoundFileDescriptor.readFailure(
                name, beginning: beginning, reason: SoundFileDescriptor.reason(nil))
        }
        isTruncated = isStale ? layout?.isCutShort ?? false : isCutOgg
        self.handle = handle
        self.patched = patched
        self.info = info
    }

    /// Counts the frames by decoding them; the handle is at the end afterwards, and closed when it throws.
    ///
    /// Throws `tooLong` after `limit` frames, and `closed` when the task is cancelled.
    func countFrames(limit: Int?, _ name: String) throws(AudioError) -> sf_count_t {
        var block = [Float](repeating: 0, count: 4_096 * max(1, Int(info.channels)))
        var frames: sf_count_t = 0
        while true {
            let got = sf_readf_float(handle, &block, 4_096)
            guard got > 0 else { return frames }
            frames += got
            if let limit, frames > limit {
                sf_close(handle)
                throw AudioError(.tooLong, "\(name) is longer than it may be. Read it in shorter parts.")
            }
            if Task.isCancelled {
                sf_close(handle)
                throw AudioError(.closed, "Nobody waits for \(name) any more, so it was not read.")
            }
        }
    }

    /// libsndfile's description of a format.
    static func description(of format: Int32) -> String {
        [SF_FORMAT_TYPEMASK, SF_FORMAT_SUBMASK].compactMap { mask in
            var info = SF_FORMAT_INFO()
            info.format = format & Int32(bitPattern: UInt32(mask))
            let size = Int32(MemoryLayout<SF_FORMAT_INFO>.size)
            guard sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &info, size) == 0, let name = info.name else {
                return nil
            }
            return String(cString: name)
        }.joined(separator: ", ")
    }

    private static func isCompleteOgg(_ size: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]) -> Bool {
        let start = max(0, size - OggPages.longest)
        let bytes = read(start, size - start)
        guard let page = OggPages.lastPage(in: bytes) else { return false }
        return page.isLast && page.offset + page.length == bytes.count
    }

    private static let oggMark = Array("OggS".utf8)
}

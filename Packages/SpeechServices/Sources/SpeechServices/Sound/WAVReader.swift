// SPDX-License-Identifier: MIT

import AudioBuffers

/// Reads a WAV stream, in pieces of any size, as it arrives: the header and then the sound.
///
/// A server that does not know the length yet writes 0 or 0xFFFFFFFF (or nearly) for it; the sound then ends with the
/// stream.
struct WAVReader {
    enum Failure: Error, Equatable {
        /// The bytes are another kind of file.
        case notWAV
        /// The samples are not 16-bit integers.
        case coding(tag: Int, bits: Int)
        /// The header is longer than any real one.
        case headerTooLong
    }

    /// The most bytes before the sound; a list of tags may stand there.
    private static let longestHeader = 64 << 10

    private var header: [UInt8] = []
    private var pcm: PCMReader?
    /// The bytes of sound that are still to come; nil if the stream says their end.
    private var left: Int?

    /// The format, once the header was read.
    var format: AudioFormat? { pcm?.format }

    /// True if the stream may end here.
    var isComplete: Bool {
        guard let pcm, !pcm.isWithinFrame else { return false }
        return left.map { $0 <= 0 } ?? true
    }

    /// The whole frames that a piece completes.
    mutating func read(_ bytes: [UInt8]) throws(Failure) -> AudioBuffer? {
        guard pcm == nil else { return sound(bytes[...]) }
        header += bytes
        guard let start = try parseHeader() else { return nil }
        let rest = header[start...]
        defer { header = [] }
        return sound(rest)
    }

    private mutating func sound(_ bytes: ArraySlice<UInt8>) -> AudioBuffer? {
        var bytes = bytes
        if let left {
            bytes = bytes.prefix(max(0, left))
            self.left = left - bytes.count
        }
        return pcm?.read(bytes)
    }

    /// The offset of the sound; nil if the header is not complete yet.
    private mutating func parseHeader() throws(Failure) -> Int? {
        let marks = Array("RIFF".utf8), kind = Array("WAVE".utf8)
        guard header.starts(with: marks.prefix(header.count)) else { throw .notWAV }
        guard header.count >= 12 else { return nil }
        guard header[8..<12].elementsEqual(kind) else { throw .notWAV }
        var offset = 12
        var format: AudioFormat?
        while offset + 8 <= header.count {
            let name = String(decoding: header[offset..<offset + 4], as: UTF8.self)
            let size = value(at: offset + 4, bytes: 4)
            if name == "data" {
                guard let format else { throw .notWAV }
                pcm = PCMReader(format: format)
                // ffmpeg and OpenAI write the largest number, some servers nearly it, others 0.
                left = size == 0 || size >= 0x7FFF_0000 ? nil : size
                return offset + 8
            }
            guard size <= Self.longestHeader else { throw .headerTooLong }
            if name == "fmt ", offset + 8 + max(16, size) <= header.count { format = try readFormat(at: offset + 8) }
            offset += 8 + size + size % 2
        }
        guard header.count <= Self.longestHeader else { throw .headerTooLong }
        return nil
    }

    private func readFormat(at offset: Int) throws(Failure) -> AudioFormat {
        let (tag, bits) = (value(at: offset, bytes: 2), value(at: offset + 14, bytes: 2))
        let (channels, rate) = (value(at: offset + 2, bytes: 2), value(at: offset + 4, bytes: 4))
        // 0xFFFE is the extensible form, whose real tag follows; it is the same for integers.
        guard tag == 1 || tag == 0xFFFE, bits == 16, (1...8).contains(channels), (1...384_000).contains(rate) else {
            throw .coding(tag: tag, bits: bits)
        }
        return AudioFormat(sampleRate: rate, channels: channels)
    }

    private func value(at offset: Int, bytes count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(header[offset + $1]) << (8 * $1) }
    }
}

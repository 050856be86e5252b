// SPDX-License-Identifier: MIT

/// The offsets of the sizes and the sound in a WAV file (RIFF, "Multimedia Programming Interface and Data
/// Specifications 1.0"), and the right sizes. Pure: a closure reads the bytes.
struct WAVLayout: Equatable {
    /// Bytes in a frame.
    let frameBytes: Int
    /// The offset of the sound.
    let dataOffset: Int
    /// The bytes of sound that the header promises.
    let promisedBytes: Int
    /// The bytes of sound, in whole frames, that the file has.
    let actualBytes: Int
    /// The offset of the number of frames in the "fact" chunk; nil without that chunk.
    let factOffset: Int?

    /// True if the header promises exactly the frames that the file has.
    var isWhole: Bool { promisedBytes / frameBytes == actualBytes / frameBytes }

    /// True if the header promises more sound than the file has. Programs that do not know the length yet write 0 or
    /// the largest size.
    var isCutShort: Bool { promisedBytes < 0x7FFF_0000 && promisedBytes / frameBytes > actualBytes / frameBytes }

    /// The header's fields with their right values: the offset and four bytes.
    var corrections: [(offset: Int, bytes: [UInt8])] {
        let riff = dataOffset + actualBytes + (actualBytes & 1) - 8
        var words = [(dataOffset - 4, Self.word(actualBytes)), (4, Self.word(riff))]
        if let factOffset { words.append((factOffset, Self.word(actualBytes / frameBytes))) }
        return words
    }

    /// The largest file whose sizes fit into the header.
    static let largestFile = 0xFFFF_FFFF

    /// Reads the layout of a file of `size` bytes; `read` returns at most `count` bytes from `offset`. Nil for a file
    /// that is not plain WAV (RF64 included), or whose header is incomplete.
    init?(size: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]) {
        let beginning = read(0, 12)
        guard beginning.count == 12, beginning.starts(with: Self.riff), beginning[8...].elementsEqual(Self.wave)
        else { return nil }
        var offset = 12
        var frameBytes = 0
        var factOffset: Int?
        // A header with more chunks than this is invalid.
        for _ in 0..<64 {
            let chunk = read(offset, 24)
            guard chunk.count >= 8 else { return nil }
            let length = Self.number(chunk[4..<8])
            switch chunk[0..<4] {
            case Self.format where chunk.count >= 22: frameBytes = Int(chunk[20]) | Int(chunk[21]) << 8
            case Self.fact where length >= 4: factOffset = offset + 8
            case Self.data:
                guard frameBytes > 0 else { return nil }
                self.frameBytes = frameBytes
                self.factOffset = factOffset
                dataOffset = offset + 8
                promisedBytes = length
                let rest = max(0, size - offset - 8)
                let isKept = length <= rest && Self.isChunks(from: offset + 8 + length, to: size, frameBytes, read)
                let bytes = isKept ? length : rest
                actualBytes = bytes - bytes % frameBytes
                return
            default: break
            }
            offset += 8 + length + (length & 1)
        }
        return nil
    }

    /// True if nothing or whole chunks lie between the sound's promised end and the file's end. Otherwise the rest is
    /// sound that a stale header does not cover: four letters and a length that fits again and again are not chance.
    private static func isChunks(
        from end: Int, to size: Int, _ frameBytes: Int, _ read: (Int, Int) -> [UInt8]
    ) -> Bool {
        if size - end < max(2, frameBytes) { return true }
        var offset = end + (end & 1)
        for _ in 0..<64 {
            if offset >= size { return offset <= size + 1 }
            let chunk = read(offset, 8)
            guard chunk.count == 8, chunk[0..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else { return false }
            let length = number(chunk[4..<8])
            offset += 8 + length + (length & 1)
        }
        return false
    }

    private static let riff = Array("RIFF".utf8)
    private static let wave = Array("WAVE".utf8)
    private static let format = Array("fmt ".utf8)[...]
    private static let fact = Array("fact".utf8)[...]
    private static let data = Array("data".utf8)[...]

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }

    private static func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}

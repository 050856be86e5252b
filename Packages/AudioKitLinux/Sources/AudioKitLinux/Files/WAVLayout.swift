// SPDX-License-Identifier: MIT

/// Where a WAV file (RIFF, "Multimedia Programming Interface and Data Specifications 1.0") has its sizes and its
/// sound, and what the sizes should be. Pure: the bytes come through a closure.
struct WAVLayout: Equatable {
    /// Bytes in a frame.
    let frameBytes: Int
    /// Where the sound begins.
    let dataOffset: Int
    /// How many bytes of sound the header promises.
    let promisedBytes: Int
    /// How many bytes of sound, in whole frames, there are.
    let actualBytes: Int
    /// Where the "fact" chunk holds the number of frames, when there is one.
    let factOffset: Int?

    /// The promise is kept and nothing lies behind it that nobody promised.
    var isWhole: Bool { promisedBytes / frameBytes == actualBytes / frameBytes }

    /// The header promises sound that is not there. A promise of nothing, or of as much as can be said, is what programs
    /// write that do not know the length yet.
    var isCutShort: Bool { promisedBytes < 0x7FFF_0000 && promisedBytes / frameBytes > actualBytes / frameBytes }

    /// The header's words with their right values: the offset and four bytes.
    var corrections: [(offset: Int, bytes: [UInt8])] {
        let riff = dataOffset + actualBytes + (actualBytes & 1) - 8
        var words = [(dataOffset - 4, Self.word(actualBytes)), (4, Self.word(riff))]
        if let factOffset { words.append((factOffset, Self.word(actualBytes / frameBytes))) }
        return words
    }

    /// The largest file whose sizes fit into the header.
    static let largestFile = 0xFFFF_FFFF

    /// Reads the layout of a file of `size` bytes; `read` gives at most so many bytes from an offset. Nil for a file
    /// that is no plain WAV (RF64 included), or whose header is not whole.
    init?(size: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]) {
        let beginning = read(0, 12)
        guard beginning.count == 12, beginning.starts(with: Self.riff), beginning[8...].elementsEqual(Self.wave)
        else { return nil }
        var offset = 12
        var frameBytes = 0
        var factOffset: Int?
        // A header of more chunks than this is none.
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

    /// True if nothing or whole chunks lie between the sound's promised end and the file's end. Sound that a stale
    /// header does not cover is not that: four letters and a length that fits again and again are not chance.
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

// SPDX-License-Identifier: MIT

package import AudioBuffers

/// Turns bytes of 16-bit little-endian samples, in pieces of any size, into buffers of whole frames.
struct PCMReader {
    let format: AudioFormat
    /// The start of a frame whose rest has not arrived.
    private var rest: [UInt8] = []

    init(format: AudioFormat) { self.format = format }

    /// True if the bytes so far end within a frame.
    var isWithinFrame: Bool { !rest.isEmpty }

    /// The whole frames that a piece completes; nil if it completes none.
    mutating func read(_ bytes: some Collection<UInt8>) -> AudioBuffer? {
        rest += bytes
        let frame = 2 * max(1, format.channels)
        let whole = rest.count / frame * frame
        guard whole > 0 else { return nil }
        let samples = rest.withUnsafeBytes { raw in
            (0..<whole / 2).map { Int16(littleEndian: raw.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self)) }
        }
        rest.removeFirst(whole)
        return AudioBuffer(int16: samples, format: format)
    }
}

extension AudioBuffer {
    /// The samples as 16-bit little-endian bytes.
    package var littleEndianBytes: [UInt8] {
        let samples = int16Samples()
        return [UInt8](unsafeUninitializedCapacity: 2 * samples.count) { bytes, count in
            for (index, sample) in samples.enumerated() {
                let bits = UInt16(bitPattern: sample)
                bytes[2 * index] = UInt8(truncatingIfNeeded: bits)
                bytes[2 * index + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            }
            count = 2 * samples.count
        }
    }
}

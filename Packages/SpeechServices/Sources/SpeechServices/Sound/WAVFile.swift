// SPDX-License-Identifier: MIT

import AudioBuffers

/// A WAV file in memory: a header of 44 bytes and 16-bit samples (RIFF, "Multimedia Programming Interface and Data
/// Specifications 1.0", 1991).
struct WAVFile {
    private(set) var bytes: [UInt8] = Array("RIFF\0\0\0\0WAVEfmt ".utf8)
    private static let headerLength = 44

    init(format: AudioFormat) {
        append(16 as UInt32)
        append(1 as UInt16)  // PCM
        append(UInt16(clamping: format.channels))
        append(UInt32(clamping: format.sampleRate))
        append(UInt32(clamping: format.sampleRate * format.channels * 2))
        append(UInt16(clamping: format.channels * 2))
        append(16 as UInt16)
        bytes += Array("data\0\0\0\0".utf8)
    }

    /// The bytes of sound so far.
    var soundLength: Int { bytes.count - Self.headerLength }

    mutating func append(_ buffer: AudioBuffer) { bytes += buffer.littleEndianBytes }

    /// Writes the lengths into the header.
    mutating func finish() {
        set(UInt32(clamping: bytes.count - 8), at: 4)
        set(UInt32(clamping: soundLength), at: 40)
    }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    private mutating func set(_ value: UInt32, at offset: Int) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(index))) }
    }
}

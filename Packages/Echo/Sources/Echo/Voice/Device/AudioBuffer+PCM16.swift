// SPDX-License-Identifier: MIT
internal import AudioKitLinux

extension AudioFormat {
    /// The format of the Realtime API: 24 kHz, one channel.
    static let voice = AudioFormat(sampleRate: 24_000, channels: 1)
}

extension AudioBuffer {
    /// PCM of 16 bits, little-endian, in ``AudioFormat/voice``; half a sample at the end is left out.
    init(pcm16 bytes: [UInt8]) {
        let samples = (0..<bytes.count / 2).map { index in
            Int16(bitPattern: UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8)
        }
        self.init(int16: samples, format: .voice)
    }

    /// The samples as PCM of 16 bits, little-endian.
    var pcm16: [UInt8] {
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
